import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Agent, answer, check } from 'lena-agent'
import type { AgentEvent, ToolResultBlock } from 'lena-agent'
import { scriptedModel } from 'lena-agent/testing'
import type { ScriptStep } from 'lena-agent/testing'
import type { McpClient } from 'lena-agent/mcp'
import { linesOf, oddClient, tempFolder } from './support/odd.ts'

/** An agent of a client, closed when the test is over. */
function agentOf(client: McpClient, ...steps: ScriptStep[]): Agent {
  const agent = new Agent({ model: scriptedModel(...steps), tools: [client] })
  onTestFinished(() => agent.close())
  return agent
}

const call = (name: string, input: object = {}): ScriptStep => ({ calls: [{ name, input: input as never }] })

const resultsOf = (agent: Agent): readonly ToolResultBlock[] =>
  agent.messages.flatMap(({ content }) => content.filter((block): block is ToolResultBlock => block.type === 'tool_result'))

const saidBy = (agent: Agent): readonly string[] => resultsOf(agent).map(({ content }) => (content[0] as { text: string }).text)

describe('an agent with a client', () => {
  it('calls a tool of the server', async () => {
    const agent = agentOf(oddClient(), call('echo', { a: 1 }), { text: 'It is 1.' })
    expect((await agent.invoke('What is a?')).text).toBe('It is 1.')
    expect(saidBy(agent)).toEqual(['{"a":1}'])
  })

  it('calls it by its own name, whatever the prefix', async () => {
    const agent = agentOf(oddClient({}, { prefix: 'odd_', allow: ['echo'] }), call('odd_echo', { a: 1 }), { text: 'ok' })
    await agent.invoke('go')
    expect(agent.tools.names).toEqual(['odd_echo'])
    expect(saidBy(agent)).toEqual(['{"a":1}'])
  })

  it('tells of progress', async () => {
    const agent = agentOf(oddClient(), call('progress', { steps: 2, everyMs: 1 }), { text: 'ok' })
    const events: AgentEvent[] = []
    await agent.invoke('go', { onEvent: (event) => void events.push(event) })
    expect(events.flatMap((event) => (event.type === 'tool_progress' ? [event.value] : []))).toEqual([
      { progress: 1, total: 2, message: 'step 1' },
      { progress: 2, total: 2, message: 'step 2' },
    ])
  })

  it('goes on after the server has died in a call', async () => {
    const agent = agentOf(oddClient(), call('crash'), call('echo', { back: true }), { text: 'ok' })
    expect((await agent.invoke('go')).stopReason).toBe('end_turn')
    expect(saidBy(agent)).toEqual(['McpError: The MCP server "odd" ended with exit code 7. It said last:\nout of cheese', '{"back":true}'])
    expect(check(agent.messages)).toEqual([])
  })

  it('is told of tools that are others now', async () => {
    const agent = agentOf(oddClient(), call('change'), ({ tools }) => ({ text: String(tools.some(({ name }) => name === 'newcomer')) }))
    await agent.invoke('go')
    await agent.invoke('again').catch(() => {})
    expect(agent.tools.names).toContain('newcomer')
  })

  it('reads what is wrong with a structured result', async () => {
    const agent = agentOf(oddClient(), call('bad_output'), { text: 'ok' })
    await agent.invoke('go')
    expect(resultsOf(agent)).toMatchObject([{ status: 'error', structuredContent: { n: 'many' } }])
    expect(resultsOf(agent)[0]!.content.at(-1)).toMatchObject({
      text: expect.stringContaining('The tool bad_output ran, but its structured result is not what its server promises:\n- n: ') as string,
    })
  })

  it('reads which page must be visited first', async () => {
    const agent = agentOf(oddClient(), call('page_first'), { text: 'ok' })
    await agent.invoke('go')
    expect(resultsOf(agent)).toMatchObject([
      {
        status: 'error',
        content: [{ text: expect.stringContaining('- Log in: https://example.com/login') as string }],
        structuredContent: { code: -32042, elicitations: [{ url: 'https://example.com/login' }] },
      },
    ])
  })

  it('hears of warnings that the server logs', async () => {
    const agent = agentOf(oddClient(), call('log'), { text: 'ok' })
    const warnings: string[] = []
    await agent.invoke('go', { onEvent: (event) => void (event.type === 'warning' && warnings.push(event.message)) })
    expect(warnings).toEqual(['The MCP server "odd" says (error): The disk is full.'])
  })
})

describe('a client of two agents', () => {
  it('connects once, and ends with the last of them', async () => {
    const starts = join(await tempFolder(), 'starts')
    const client = oddClient({ starts })
    const [one, two] = [
      agentOf(client, call('echo', { n: 1 }), { text: 'ok' }),
      agentOf(client, call('echo', { n: 2 }), call('echo', { n: 3 }), { text: 'ok' }),
    ]
    await Promise.all([one.invoke('go'), two.invoke('go')])
    expect([saidBy(one), saidBy(two)]).toEqual([['{"n":1}'], ['{"n":2}', '{"n":3}']])
    await one.close()
    expect(client.serverInfo.name).toBe('odd')
    await two.close()
    expect(client.serverInfo.name).toBeUndefined()
    expect(await linesOf(starts)).toHaveLength(1)
  })
})

describe('a server that does not start', () => {
  it('ends the run, and the next one tries again', async () => {
    const agent = agentOf(oddClient({ failStart: 'No.' }), { text: 'ok' })
    await expect(agent.invoke('go')).rejects.toThrow(
      'The MCP server "odd" could not be started: it ended with exit code 3. It said last:\nNo.',
    )
    await expect(agent.invoke('go')).rejects.toThrow('"odd"')
  })

  it('is gone without when it may fail', async () => {
    const agent = agentOf(oddClient({ failStart: 'No.' }, { failOpen: true }), { text: 'I have no tools.' })
    const warnings: string[] = []
    const result = await agent.invoke('go', { onEvent: (event) => void (event.type === 'warning' && warnings.push(event.code)) })
    expect([result.text, warnings, agent.tools.names]).toEqual(['I have no tools.', ['mcp_unavailable'], []])
  })
})

describe('a question of the server', () => {
  const first = { mode: 'form', server: 'odd', message: 'Which?', requestedSchema: expect.anything() as object }

  it('is answered by a function, with the defaults filled in', async () => {
    const asked: unknown[] = []
    const client = oddClient({}, { elicitation: (question) => (asked.push(question), { action: 'accept', content: { which: 'a' } }) })
    const { content } = await client.callTool('ask')
    expect(asked).toEqual([first])
    expect(content).toEqual([{ type: 'text', text: '[{"action":"accept","content":{"which":"a","count":3}}]' }])
  })

  it('interrupts the run, and its answer reaches the server', async () => {
    const client = oddClient({}, { elicitation: 'interrupt' })
    const agent = agentOf(client, call('ask', { questions: ['Which?', 'Sure?'] }), { text: 'ok' })
    const one = await agent.invoke('go')
    expect(one.interrupts).toMatchObject([{ name: 'elicitation', reason: first }])
    const two = await agent.invoke([answer(one.interrupts[0]!, { which: 'b', count: 1 })])
    expect(two.interrupts).toMatchObject([{ name: 'elicitation', reason: { message: 'Sure?' } }])
    const three = await agent.invoke([answer(two.interrupts[0]!, false)])
    expect(three.text).toBe('ok')
    expect(saidBy(agent)).toEqual(['[{"action":"accept","content":{"which":"b","count":1}},{"action":"decline"}]'])
    expect(check(agent.messages)).toEqual([])
  })

  it('is refused when nobody is there', async () => {
    const { content } = await oddClient().callTool('ask')
    expect((content[0] as { text: string }).text).toContain('Nobody is there to be asked.')
  })
})

describe('what servers of old ask', () => {
  const asked = async (client: McpClient): Promise<unknown> =>
    JSON.parse(((await client.callTool('asks_roots')).content[0] as { text: string }).text)

  it('is answered with no folders, and a refusal', async () => {
    expect(await asked(oddClient())).toEqual([{ roots: [] }, { error: { code: -32601, message: 'This client gives no text of a model.' } }])
  })

  it('is answered as configured', async () => {
    const sampled = { role: 'assistant', content: { type: 'text', text: 'Hi.' }, model: 'm' }
    const client = oddClient({}, { roots: [{ uri: 'file:///work', name: 'work' }], sampling: () => sampled })
    expect(await asked(client)).toEqual([{ roots: [{ uri: 'file:///work', name: 'work' }] }, sampled])
  })
})
