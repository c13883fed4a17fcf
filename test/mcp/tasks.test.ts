import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Agent, answer, check } from 'lena-agent'
import type { JsonValue, ToolResultBlock } from 'lena-agent'
import type { McpElicitation } from 'lena-agent/mcp'
import { scriptedModel } from 'lena-agent/testing'
import { patientClock } from '../support/patient-clock.ts'
import { handMade } from './support/http-server.ts'
import type { HandMade, Methods } from './support/http-server.ts'
import type { McpClientSettings } from 'lena-agent/mcp'

const content = (said: string): object => ({ content: [{ type: 'text', text: said }] })
const state = (status: string, rest: object = {}): Record<string, unknown> => ({
  taskId: 't1',
  status,
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: '2026-01-01T00:00:00Z',
  ttl: null,
  ttlMs: null,
  ...rest,
})
const named = (heard: HandMade['heard'], method: string): readonly unknown[] =>
  heard.filter((one) => one.method === method).map(({ params: { _meta, ...params } }) => params)

/** Gives one after the other, and the last again and again. */
function inTurn(...states: readonly object[]): () => object {
  let next = 0
  return () => states[Math.min(next++, states.length - 1)]!
}

describe('a call that a server of 2025-11-25 runs as a task', () => {
  const tasks = { requests: { tools: { call: {} } }, cancel: {} }
  const tools = [{ name: 'slow', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }]
  const server = (methods: Methods): Promise<HandMade> =>
    handMade(
      '2025-11-25',
      { 'tools/list': () => ({ tools }), 'tools/call': () => ({ task: state('working', { pollInterval: 1 }) }), ...methods },
      { capabilities: { tasks } },
    )

  it('is followed to its end, with progress', async () => {
    const { client, heard } = await server({
      'tasks/get': inTurn(state('working', { statusMessage: 'Half.' }), state('completed')),
      'tasks/result': () => content('Done.'),
    })
    await client.listTools()
    const told: JsonValue[] = []
    const outcome = await client.callTool('slow', { a: 1 }, { onProgress: (value) => told.push(value) })
    expect(outcome).toEqual({ status: 'success', content: [{ type: 'text', text: 'Done.' }] })
    expect(told).toEqual([
      { progress: 1, message: 'Half.' },
      { progress: 2, message: 'completed' },
    ])
    expect(named(heard, 'tools/call')).toEqual([{ name: 'slow', arguments: { a: 1 }, task: {} }])
  })

  it('is cancelled there when the call is', async () => {
    const { client, heard } = await server({
      'tasks/get': inTurn(state('working', { statusMessage: 'Half.' })),
      'tasks/cancel': () => state('cancelled'),
    })
    await client.listTools()
    const controller = new AbortController()
    const onProgress = (): void => controller.abort(new Error('Enough.'))
    await expect(client.callTool('slow', {}, { signal: controller.signal, onProgress })).rejects.toThrow('Enough.')
    // What is answered was sent later.
    await client.listTools()
    expect(named(heard, 'tasks/cancel')).toEqual([{ taskId: 't1' }])
  })

  it('that the server cancels is an error', async () => {
    const { client } = await server({ 'tasks/get': inTurn(state('cancelled')) })
    await client.listTools()
    await expect(client.callTool('slow')).rejects.toMatchObject({
      code: 'mcp_protocol',
      message: 'The MCP server "hand" cancelled the task.',
    })
  })
})

describe('a call that a server of 2026-07-28 makes a task of', () => {
  const server = (methods: Methods, settings: McpClientSettings = {}): Promise<HandMade> =>
    handMade(
      '2026-07-28',
      {
        'tools/list': () => ({ tools: [{ name: 'slow', inputSchema: { type: 'object' } }], ttlMs: 0, cacheScope: 'private' }),
        'tools/call': () => ({ resultType: 'task', ...state('working', { pollIntervalMs: 1 }) }),
        'tasks/update': () => ({}),
        'tasks/cancel': () => ({}),
        ...methods,
      },
      { capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } }, ...settings },
    )
  const name = {
    method: 'elicitation/create',
    params: { mode: 'form', message: 'Who?', requestedSchema: { properties: { n: { default: 3 } } } },
  }
  const asking = state('input_required', { inputRequests: { who: name } })
  const done = state('completed', { result: content('Done.') })

  it('is told that this client knows tasks', async () => {
    const { client, heard } = await server({ 'tools/call': () => content('At once.') })
    expect(await client.callTool('slow')).toMatchObject({ content: [{ text: 'At once.' }] })
    expect(heard.at(-1)!.params['_meta']).toMatchObject({
      'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
    })
  })

  it('is followed to its end, with progress', async () => {
    const { client, heard } = await server({ 'tasks/get': inTurn(state('working', { statusMessage: 'Half.' }), done) })
    const told: JsonValue[] = []
    const outcome = await client.callTool('slow', {}, { onProgress: (value) => told.push(value) })
    expect(outcome).toEqual({ status: 'success', content: [{ type: 'text', text: 'Done.' }] })
    expect(told).toEqual([
      { progress: 1, message: 'Half.' },
      { progress: 2, message: 'completed' },
    ])
    expect(named(heard, 'tasks/get')).toEqual([{ taskId: 't1' }, { taskId: 't1' }])
  })

  it('gets an answer to what it asks, once, with the defaults filled in', async () => {
    const asked: McpElicitation[] = []
    const { client, heard } = await server(
      { 'tasks/get': inTurn(asking, asking, done) },
      { elicitation: (question) => (asked.push(question), { action: 'accept', content: { who: 'Ada' } }) },
    )
    expect(await client.callTool('slow')).toMatchObject({ content: [{ text: 'Done.' }] })
    expect(asked).toEqual([{ mode: 'form', server: 'hand', message: 'Who?', requestedSchema: { properties: { n: { default: 3 } } } }])
    expect(named(heard, 'tasks/update')).toEqual([
      { taskId: 't1', inputResponses: { who: { action: 'accept', content: { who: 'Ada', n: 3 } } } },
    ])
  })

  it('interrupts the run when a person is asked, and is made again with the answer', async () => {
    let said: string | undefined
    const { client, heard } = await server(
      {
        'tools/call': () => ((said = undefined), { resultType: 'task', ...state('working', { pollIntervalMs: 1 }) }),
        'tasks/get': () => (said === 'accept' ? done : said === undefined ? asking : state('cancelled')),
        'tasks/update': ({ inputResponses }) => ((said = inputResponses.who.action), {}),
      },
      { elicitation: 'interrupt' },
    )
    const agent = new Agent({ model: scriptedModel({ calls: [{ name: 'slow', input: {} }] }, { text: 'ok' }), tools: [client] })
    onTestFinished(() => agent.close())
    const one = await agent.invoke('go')
    expect(one.interrupts).toMatchObject([{ name: 'elicitation', reason: { message: 'Who?' } }])
    const two = await agent.invoke([answer(one.interrupts[0]!, { who: 'Ada' })])
    expect(two.text).toBe('ok')
    const results = agent.messages.flatMap((message) =>
      message.content.filter((block): block is ToolResultBlock => block.type === 'tool_result'),
    )
    expect(results).toMatchObject([{ status: 'success', content: [{ text: 'Done.' }] }])
    expect(named(heard, 'tasks/update')).toMatchObject([
      { inputResponses: { who: { action: 'cancel' } } },
      { inputResponses: { who: { action: 'accept', content: { who: 'Ada', n: 3 } } } },
    ])
    expect(check(agent.messages)).toEqual([])
  })

  it('is cancelled there when the call is', async () => {
    const { client, heard } = await server({ 'tasks/get': inTurn(state('working', { statusMessage: 'Half.' })) })
    const controller = new AbortController()
    const onProgress = (): void => controller.abort(new Error('Enough.'))
    await expect(client.callTool('slow', {}, { signal: controller.signal, onProgress })).rejects.toThrow('Enough.')
    await client.listTools()
    expect(named(heard, 'tasks/cancel')).toEqual([{ taskId: 't1' }])
  })

  it('is cancelled there when nobody can answer what it asks', async () => {
    const { client, heard } = await server({ 'tasks/get': inTurn(asking) })
    await expect(client.callTool('slow')).rejects.toThrow('Nobody is there to be asked.')
    await client.listTools()
    expect(named(heard, 'tasks/cancel')).toEqual([{ taskId: 't1' }])
  })

  it('that is silent for too long is ended, and cancelled there', async () => {
    const { clock, limits } = patientClock()
    const { client, heard } = await server({ 'tasks/get': inTurn(state('working')) }, { clock })
    const failed = client.callTool('slow').catch((error: unknown) => error)
    await vi.waitUntil(() => named(heard, 'tasks/get').length > 0, { timeout: 60_000, interval: 10 })
    await limits.advance(60_000)
    expect(await failed).toMatchObject({ code: 'mcp_timeout' })
    await client.listTools()
    expect(named(heard, 'tasks/cancel')).toEqual([{ taskId: 't1' }])
  })

  it.each([
    ['failed', { error: { code: -32603, message: 'No paper.' } }, 'The MCP server "hand" ended a task as "failed": No paper.'],
    ['cancelled', {}, 'The MCP server "hand" cancelled the task.'],
    ['completed', {}, 'The MCP server "hand" ended a task as "completed": it gave no result.'],
  ])('that ends as %s is an error', async (status, rest, message) => {
    const { client } = await server({ 'tasks/get': inTurn(state(status, rest)) })
    await expect(client.callTool('slow')).rejects.toMatchObject({ code: 'mcp_protocol', message })
  })
})
