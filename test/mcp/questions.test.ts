import { describe, expect, it, onTestFinished } from 'vitest'
import { Agent, answer } from 'lena-agent'
import type { JsonObject, ToolResultBlock } from 'lena-agent'
import type { McpClient, McpClientSettings, McpElicitation } from 'lena-agent/mcp'
import { scriptedModel } from 'lena-agent/testing'
import { handMade } from './support/http-server.ts'
import { oddClient } from './support/odd.ts'

const form = { message: 'Which?', requestedSchema: { type: 'object', properties: { which: { type: 'string' } } } }
/** Only the older revision gives it an id. */
const old = { mode: 'url', message: 'Pay here.', url: 'https://pay.example/1', elicitationId: 'e1' }
const { elicitationId: _, ...page } = old
const sampling = { messages: [{ role: 'user', content: { type: 'text', text: 'Hi.' } }], maxTokens: 5 }
const sampled: JsonObject = { role: 'assistant', content: { type: 'text', text: 'Hello.' }, model: 'm' }

/** A server of 2026-07-28 whose tool asks before it answers, and then says what it was answered. */
async function asking(method: string, params: object, settings: McpClientSettings): Promise<McpClient> {
  const { client } = await handMade(
    '2026-07-28',
    {
      'tools/list': () => ({ tools: [{ name: 'ask', inputSchema: { type: 'object' } }], ttlMs: 0, cacheScope: 'private' }),
      'tools/call': ({ inputResponses, requestState }) =>
        inputResponses
          ? { content: [{ type: 'text', text: JSON.stringify([inputResponses.q, requestState]) }] }
          : { resultType: 'input_required', inputRequests: { q: { method, params } }, requestState: 's1' },
    },
    settings,
  )
  return client
}

const said = async (client: McpClient, input: JsonObject = {}): Promise<unknown> =>
  JSON.parse(((await client.callTool('ask', input)).content[0] as { text: string }).text)

describe('a page that a person is to visit', () => {
  const asked: McpElicitation[] = []
  const elicitation = (question: McpElicitation): { action: 'accept' } => (asked.push(question), { action: 'accept' })

  it('is shown by a function, and the server is told (2025-11-25)', async () => {
    asked.length = 0
    expect(await said(oddClient({}, { elicitation }), { questions: [old] })).toEqual([{ action: 'accept' }])
    expect(asked).toEqual([{ ...old, server: 'odd' }])
  })

  it('is shown by a function, and the server is told (2026-07-28)', async () => {
    asked.length = 0
    expect(await said(await asking('elicitation/create', page, { elicitation }))).toEqual([{ action: 'accept' }, 's1'])
    expect(asked).toEqual([{ ...page, server: 'hand' }])
  })

  it.each(['2025-11-25', '2026-07-28'])(
    'interrupts the run, and its answer reaches the server (%s)',
    async (revision) => {
      const settings = { elicitation: 'interrupt' } as const
      const client = revision === '2025-11-25' ? oddClient({}, settings) : await asking('elicitation/create', page, settings)
      const agent = new Agent({
        model: scriptedModel({ calls: [{ name: 'ask', input: { questions: [old] } }] }, { text: 'ok' }),
        tools: [client],
      })
      onTestFinished(() => agent.close())
      const one = await agent.invoke('go')
      expect(one.interrupts).toMatchObject([{ name: 'elicitation', reason: { ...page, server: client.name } }])
      expect((await agent.invoke([answer(one.interrupts[0]!, true)])).text).toBe('ok')
      const results = agent.messages.flatMap(({ content }) =>
        content.filter((block): block is ToolResultBlock => block.type === 'tool_result'),
      )
      expect(JSON.parse((results[0]!.content[0] as { text: string }).text)[0]).toEqual({ action: 'accept' })
    },
    30_000,
  )
})

describe('what a server of 2026-07-28 asks before it answers', () => {
  it('is a form, filled in by a function', async () => {
    const elicitation = (): object => ({ action: 'accept', content: { which: 'a' } })
    const client = await asking('elicitation/create', form, { elicitation: elicitation as never })
    expect(await said(client)).toEqual([{ action: 'accept', content: { which: 'a' } }, 's1'])
  })

  it('is a text of a model', async () => {
    expect(await said(await asking('sampling/createMessage', sampling, { sampling: () => sampled }))).toEqual([sampled, 's1'])
  })

  it('is the folders', async () => {
    const roots = [{ uri: 'file:///work', name: 'work' }]
    expect(await said(await asking('roots/list', {}, { roots }))).toEqual([{ roots }, 's1'])
  })

  it.each([
    ['elicitation/create', form],
    ['sampling/createMessage', sampling],
  ])('is an error of the call when nobody is there to answer (%s)', async (method, params) => {
    await expect((await asking(method, params, {})).callTool('ask')).rejects.toMatchObject({ name: 'McpError', server: 'hand' })
  })
})
