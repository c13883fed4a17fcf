import { describe, expect, it } from 'vitest'
import { Agent } from 'lena-agent'
import type { JsonValue } from 'lena-agent'
import { McpClient } from 'lena-agent/mcp'
import { fakeClock, scriptedModel } from 'lena-agent/testing'
import { agentProgress } from '../../src/mcp/agent-progress.ts'
import { servedProgress } from '../../src/mcp/served-progress.ts'
import { deferred } from '../support/promises.ts'
import { refuseUnhandled } from '../support/unhandled.ts'
import { call, messagesOf, modernCall, send, session } from './support/raw-http.ts'
import { made, overStreams, serving } from './support/serving.ts'

refuseUnhandled()

const look = made('look', async (_, { progress }) => {
  await progress({ message: 'half way' })
  return 'Seen.'
})

/** An agent that calls a tool twice, the second of which fails, and then answers. */
function helper(): Agent {
  const model = scriptedModel(
    { calls: [{ name: 'look', input: {} }] },
    { calls: [{ name: 'fail', input: {} }] },
    { reasoning: 'Hm.', text: 'Done.' },
  )
  const fail = made('fail', () => {
    throw new Error('No.')
  })
  return new Agent({ name: 'helper', description: 'Helps.', model, tools: [look, fail] })
}

const told = ['Calls look', 'look: half way', 'look ended', 'Calls fail', 'fail failed', 'Thinks: 3 characters']
const asProgress = (messages: readonly string[]): readonly object[] => messages.map((message, index) => ({ progress: index + 1, message }))

describe('an agent that is served tells how it goes', { timeout: 60_000 }, () => {
  it.each(['2025-11-25', '2026-07-28'])('over HTTP, in the revision %s', async (protocolVersion) => {
    const { url } = await serving([helper().asTool()])
    await using client = new McpClient({ url, protocolVersion })
    const progress: JsonValue[] = []
    const outcome = await client.callTool('helper', { input: 'Look.' }, { onProgress: (value) => void progress.push(value) })
    expect(outcome).toEqual({ status: 'success', content: [{ type: 'text', text: 'Done.' }] })
    expect(progress).toEqual(asProgress(told))
  })

  it('over streams', async () => {
    const { write, answer, all } = await overStreams([helper().asTool()])
    const params = { name: 'helper', arguments: { input: 'Look.' }, _meta: { progressToken: 'p1' } }
    write({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    expect(await answer(1)).toMatchObject({ result: { content: [{ text: 'Done.' }] } })
    expect(all('notifications/progress').map(({ params: told }) => told)).toEqual(
      asProgress(told).map((each) => ({ progressToken: 'p1', ...each })),
    )
  })

  it.each(['a session', 'no session', 'the newest revision'])('to nobody who did not ask, with %s', async (which) => {
    const { url } = await serving([helper().asTool()])
    const [body, headers] =
      which === 'the newest revision'
        ? modernCall(1, 'helper', {}, { input: 'Look.' })
        : ([call(1, 'helper', { input: 'Look.' }), which === 'a session' ? await session(url) : {}] as const)
    expect(messagesOf(await send(url, 'POST', body, headers))).toMatchObject([{ id: 1, result: { content: [{ text: 'Done.' }] } }])
  })

  it('with the agents that it calls itself', async () => {
    const boss = new Agent({
      name: 'boss',
      model: scriptedModel({ calls: [{ name: 'helper', input: { input: 'Look.' } }] }, { text: 'All done.' }),
      tools: [helper()],
    })
    const { url } = await serving([boss.asTool()])
    await using client = new McpClient({ url })
    const progress: JsonValue[] = []
    await client.callTool('boss', { input: 'Go.' }, { onProgress: (value) => void progress.push(value) })
    expect(progress).toEqual(asProgress(['Calls helper', ...told.map((message) => `helper: ${message}`), 'helper ended']))
  })
})

describe('an agent that writes', () => {
  const base = { invocationId: 'i', turn: 1 }
  const delta = { ...base, type: 'text_delta', messageId: 'm', blockId: 'b', text: 'four' } as const

  it('tells once in a second how much there is, and says when it waits for its model', async () => {
    const clock = fakeClock()
    const said: JsonValue[] = []
    const hear = agentProgress(async (value) => void said.push(value), clock)
    hear({ ...base, type: 'message_start', messageId: 'm', model: 'a/b', attempt: 1 })
    for (let count = 0; count < 100; count++) {
      hear(delta)
      await clock.advance(25)
    }
    hear({ ...base, type: 'retry', attempt: 2, maxAttempts: 6, delayMs: 3500, code: 'overloaded', message: 'Busy.' })
    expect(said).toEqual(
      ['Writes: 4 characters', 'Writes: 164 characters', 'Writes: 324 characters', 'Asks the model again in 4 s: overloaded'].map(
        (message) => ({
          message,
        }),
      ),
    )
  })
})

describe('progress of a served call', () => {
  /** A caller with a token, and what is told to it. */
  function caller(notify: () => Promise<void> = async () => {}) {
    const clock = fakeClock()
    const sent: unknown[] = []
    const mcpReq = {
      _meta: { progressToken: 7 },
      notify: async ({ params }: { params: unknown }) => {
        sent.push(params)
        await notify()
      },
    }
    return { clock, sent, progress: servedProgress({ mcpReq: mcpReq as never }, clock)! }
  }

  it('is sent at once while it is little, then ten times a second, and last of all the newest', async () => {
    const { clock, sent, progress } = caller()
    for (let step = 1; step <= 1000; step++) await progress.tell({ progress: step, total: 1000 })
    const steps = (): unknown[] => sent.map((each) => (each as { progress: number }).progress)
    expect(steps()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    await clock.advance(100)
    expect(sent.at(-1)).toEqual({ progressToken: 7, progress: 1000, total: 1000 })
    await progress.tell('and')
    await progress.tell('on')
    await progress.end()
    expect(steps().slice(10)).toEqual([1000, 1001])
    expect(sent.at(-1)).toEqual({ progressToken: 7, progress: 1001, message: 'on' })
    expect(clock.sleeping).toBe(0)
  })

  it('ends with the call, whatever a tool that was left behind still says', async () => {
    const { sent, progress } = caller()
    await progress.end()
    await progress.tell('late')
    expect(sent).toEqual([])
  })

  it('holds a tool up for as long as the line is busy', async () => {
    const { promise, resolve } = deferred()
    const { sent, progress } = caller(() => promise)
    const telling = progress.tell('one').then(() => sent.push('told'))
    await new Promise((done) => setImmediate(done))
    expect(sent).toEqual([{ progressToken: 7, progress: 1, message: 'one' }])
    resolve()
    await telling
    expect(sent.at(-1)).toBe('told')
  })

  it('has messages of at most 1,000 characters', async () => {
    const { sent, progress } = caller()
    for (const value of ['x'.repeat(5000), { message: 'x'.repeat(5000) }, ['x'.repeat(5000)]]) await progress.tell(value)
    expect(sent.map((each) => (each as { message: string }).message.length)).toEqual([1000, 1000, 1000])
  })

  it('is not asked for by a call without a token', () => {
    expect(servedProgress({ mcpReq: {} as never }, fakeClock())).toBeUndefined()
  })
})
