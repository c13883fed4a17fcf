import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Agent } from 'lena-agent'
import type { ToolResultBlock } from 'lena-agent'
import type { McpClient, McpClientSettings } from 'lena-agent/mcp'
import { fakeClock, scriptedModel } from 'lena-agent/testing'
import type { ScriptStep } from 'lena-agent/testing'
import { refuseUnhandled } from '../support/unhandled.ts'
import { handMade } from './support/http-server.ts'
import { linesOf, oddClient, tempFolder } from './support/odd.ts'
import type { Oddity } from './support/odd.ts'

refuseUnhandled()

const schema = { type: 'object', properties: {} }
const tool = (name: string, rest: object = {}): object => ({ name, description: `Does ${name}.`, inputSchema: schema, ...rest })
const named = (...names: readonly string[]): Oddity => ({ tools: ['echo', ...names].map((name) => tool(name)) })
const textOf = ({ content }: { readonly content: readonly unknown[] }): string => (content[0] as { text: string }).text

/** What an agent gets that makes these calls, one after another. */
async function results(client: McpClient, ...calls: readonly { readonly name: string; readonly input?: object }[]) {
  const steps = calls.map(({ name, input = {} }): ScriptStep => ({ calls: [{ name, input: input as never }] }))
  const model = scriptedModel(...steps, { text: 'Done.' })
  const agent = new Agent({ model, tools: [client] })
  onTestFinished(() => agent.close())
  const { text } = await agent.invoke('go')
  const blocks = agent.messages.flatMap(({ content }) => content.filter((block): block is ToolResultBlock => block.type === 'tool_result'))
  return { text, model, results: blocks.map((block) => [block.status, textOf(block)]) }
}

describe('a server that misbehaves', { timeout: 60_000 }, () => {
  it('by printing logs and halves of messages among its messages is understood', async () => {
    const client = oddClient({ noise: true })
    expect(textOf(await client.callTool('echo', { n: 1 }))).toBe('{"n":1}')
    expect((await client.listTools()).length).toBeGreaterThan(5)
  })

  it('by writing 5 MB to its standard error is not held up, and its end is kept', async () => {
    const client = oddClient({ ...named('moan', 'crash') })
    expect(textOf(await client.callTool('moan', { lines: 5000 }))).toBe('sighed')
    const error = (await client.callTool('crash').catch((thrown: unknown) => thrown)) as Error
    expect(error.message).toMatch(/moan 4999\nout of cheese$/)
    expect(error.message.length).toBeLessThan(10_000)
  })

  it('by telling two thousand times that its tools have changed has them listed once more', async () => {
    const lists = join(await tempFolder(), 'lists')
    const { text, results: got } = await results(oddClient({ ...named('storm'), lists }), { name: 'storm', input: { times: 2000 } })
    expect([text, got]).toEqual(['Done.', [['success', 'over']]])
    expect((await linesOf(lists)).length).toBeLessThanOrEqual(3)
  })

  it('by forgetting a tool that it has listed gives an error result, and is used on', async () => {
    const { text, results: got } = await results(oddClient({ ...named('gone'), fickle: true }), { name: 'gone' }, { name: 'echo' })
    expect([text, got]).toEqual([
      'Done.',
      [
        ['error', 'McpError: The MCP server "odd" refused: no tool gone (-32602)'],
        ['success', '{}'],
      ],
    ])
  })

  it('by answering twice, and what nobody has asked, is heard once', async () => {
    const client = oddClient(named('twice'))
    expect(textOf(await client.callTool('twice'))).toBe('first')
    expect(textOf(await client.callTool('echo', { n: 2 }))).toBe('{"n":2}')
  })

  it('by giving what is no result fails the call alone', async () => {
    const { text, results: got } = await results(oddClient(named('nonsense')), { name: 'nonsense' }, { name: 'echo' })
    expect([text, got[0]![0], got[1]]).toEqual(['Done.', 'error', ['success', '{}']])
    expect(got[0]![1]).toMatch(/^McpError: The MCP server "odd"/)
  })

  it('by failing with a structure has both kept', async () => {
    expect(await oddClient(named('both')).callTool('both')).toEqual({
      status: 'error',
      content: [{ type: 'text', text: 'No.' }],
      structuredContent: { why: 'broken' },
    })
  })

  it.each(['same', 'ring', 'new'])('by a list that never ends (%s) is given up, and can be called', async (endless) => {
    const client = oddClient({ endless })
    const listed = await client.listTools().catch((error: unknown) => error)
    // One that gives the same page again has come to its end.
    if (endless === 'same') expect(listed).toEqual([])
    else expect(listed).toMatchObject({ name: 'McpError', code: 'mcp_protocol', message: expect.stringContaining('1000') as string })
    expect(textOf(await client.callTool('echo', { n: 3 }))).toBe('{"n":3}')
  })

  it('by pages that come slowly is given up in the end', async () => {
    const clock = fakeClock()
    let page = 0
    const { client } = await handMade(
      '2025-11-25',
      {
        'tools/list': () => {
          // Most of what one page may take.
          void clock.advance(900)
          return { tools: [], nextCursor: String(++page) }
        },
      },
      { clock, timeoutMs: 1000 },
    )
    await expect(client.listTools()).rejects.toMatchObject({
      code: 'mcp_timeout',
      message: 'The MCP server "hand" did not come to the end of its list of tools within 5000 ms.',
    })
    expect(page).toBeLessThan(10)
  })

  it.each<[McpClientSettings, object]>([
    [{}, { error: { code: -32_601, message: 'Nobody is there to be asked.' } }],
    [{ elicitation: 'interrupt' }, { action: 'cancel' }],
    [{ elicitation: () => ({ action: 'accept', content: {} }) }, { action: 'accept', content: {} }],
  ])('by asking a person right after it has answered the call is told so, and the call is over: %o', async (settings, expected) => {
    const heard = join(await tempFolder(), 'heard')
    const { results: got } = await results(oddClient({ ...named('ask_idle'), heard }, settings), { name: 'ask_idle' }, { name: 'echo' })
    expect(got).toEqual([
      ['success', 'over'],
      ['success', '{}'],
    ])
    const said = (await linesOf(heard)).filter((line) => line.startsWith('idle ')).map((line) => JSON.parse(line.slice(5)) as unknown)
    expect(said).toEqual([expected])
  })

  it('by asking what no client knows is refused, and its pings are answered', async () => {
    const client = oddClient(named('ping_me', 'unknown_me'))
    expect(textOf(await client.callTool('ping_me'))).toBe('{}')
    expect(JSON.parse(textOf(await client.callTool('unknown_me')))).toMatchObject({ error: { code: -32_601 } })
  })

  it('by a name that becomes that of another of its tools has both, each called by its own', async () => {
    const tools = [tool('a.b'), tool('a b'), tool('a_b'), tool('工具'), tool('x'.repeat(128))]
    const heard: string[] = []
    const { client } = await handMade('2025-11-25', {
      'tools/list': () => ({ tools }),
      'tools/call': ({ name }) => {
        heard.push(name as string)
        return { content: [] }
      },
    })
    const offered = await client.listTools()
    expect(new Set(offered.map(({ name }) => name)).size).toBe(5)
    for (const { name } of offered) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    for (const each of offered) await results(client, { name: each.name })
    expect(heard).toEqual(['a.b', 'a b', 'a_b', '工具', 'x'.repeat(128)])
  })

  it('by schemas that contain themselves has its inputs checked all the same', async () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' }, n: { type: 'number' } }, required: ['n'] }
    const inputSchema = { type: 'object', properties: { list: { $ref: '#/$defs/node' } }, required: ['list'], $defs: { node } }
    const selfish = { type: 'object', properties: { a: { $ref: '#/properties/a' } } }
    const { client } = await handMade('2025-11-25', {
      'tools/list': () => ({ tools: [tool('list', { inputSchema }), tool('selfish', { inputSchema: selfish }), tool('plain')] }),
      'tools/call': ({ arguments: input }) => ({ content: [{ type: 'text', text: JSON.stringify(input) }] }),
    })
    const good = { list: { n: 1, next: { n: 2 } } }
    const { results: got } = await results(
      client,
      { name: 'list', input: good },
      { name: 'list', input: { list: { n: 1, next: { n: 'two' } } } },
      { name: 'plain' },
    )
    expect(got).toEqual([
      ['success', JSON.stringify(good)],
      ['error', expect.stringContaining('The input of list is not valid')],
      ['success', '{}'],
    ])
  })
})

describe('an older server', { timeout: 60_000 }, () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('of the revision %s is spoken to in its own', async (version) => {
    const client = oddClient({ version })
    expect((await client.connect()).protocolVersion).toBe(version)
    expect(textOf(await client.callTool('echo', { n: 1 }))).toBe('{"n":1}')
  })

  it('of a revision that nobody knows is refused', async () => {
    await expect(oddClient({ version: '1999-01-01' }).connect()).rejects.toMatchObject({
      code: 'mcp_start_failed',
      message: expect.stringContaining('1999-01-01') as string,
    })
  })
})
