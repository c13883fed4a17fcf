import { describe, expect, it, onTestFinished } from 'vitest'
import { Agent } from 'lena-agent'
import { McpClient, serveMcp } from 'lena-agent/mcp'
import { fakeClock, scriptedModel } from 'lena-agent/testing'
import { refuseUnhandled } from '../support/unhandled.ts'
import { deferred, isSettled } from '../support/promises.ts'
import { call, cancelOf, greeting, messagesOf, open, send, session } from './support/raw-http.ts'
import { overHttp } from './support/official-client.ts'
import { hello, serving, waiting } from './support/serving.ts'

refuseUnhandled()

const hi = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'Hi.' }] } }
const notFound = { jsonrpc: '2.0', error: { code: -32_001, message: 'Session not found' }, id: null }

/** A call that is under way, of a session. */
function begin(url: string, of: Record<string, string>, id: number, name: string) {
  const exchange = open(url, 'POST', of)
  exchange.request.end(JSON.stringify(call(id, 'wait', { name })))
  return exchange
}

describe('a session of the revision 2025-11-25', { timeout: 60_000 }, () => {
  it('has an id of its own, with which its requests are answered', async () => {
    const { url } = await serving([hello])
    const answers = [await send(url, 'POST', greeting), await send(url, 'POST', greeting)]
    const ids = answers.map(({ headers }) => headers['mcp-session-id'])
    expect(ids).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), expect.stringMatching(/^[\da-f-]{36}$/)])
    expect(ids[0]).not.toBe(ids[1])
    expect(messagesOf(answers[0]!)).toEqual([
      {
        jsonrpc: '2.0',
        id: 0,
        result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'lena-agent', version: '1.0.0' } },
      },
    ])
    const answer = await send(url, 'POST', call(1, 'hello'), { 'mcp-session-id': String(ids[0]) })
    expect([answer.status, answer.headers['mcp-session-id'], messagesOf(answer)]).toEqual([200, ids[0], [hi]])
  })

  it('has its call told of the cancel, and no call of another session', async () => {
    const { wait, begun, told } = waiting()
    const { url } = await serving([wait])
    const [one, two] = [await session(url), await session(url)]
    const calls = [begin(url, one, 1, 'one'), begin(url, two, 1, 'two')]
    await Promise.all([begun('one'), begun('two')])
    expect(await send(url, 'POST', cancelOf(1), two)).toMatchObject({ status: 202 })
    await told('two')
    // A call that is cancelled has no answer; its stream ends.
    expect(messagesOf(await calls[1]!.answer)).toEqual([])
    expect(await isSettled(told('one'))).toBe(false)
    await send(url, 'POST', cancelOf(1), one)
    await told('one')
    expect(messagesOf(await calls[0]!.answer)).toEqual([])
  })

  it('has one call of several cancelled, and the others answered, that share a stream', async () => {
    const { wait, begun } = waiting()
    const { url } = await serving([wait, hello])
    const of = await session(url)
    const batch = open(url, 'POST', of)
    batch.request.end(JSON.stringify([call(7, 'wait', { name: 'one' }), call(1, 'hello')]))
    await begun('one')
    await send(url, 'POST', cancelOf(7), of)
    expect(messagesOf(await batch.answer)).toEqual(
      expect.arrayContaining([hi, { jsonrpc: '2.0', id: 7, error: { code: -32_000, message: 'The request was cancelled.' } }]),
    )
  })

  it('ends when its client says so, with the calls that run', async () => {
    const { wait, begun, told } = waiting()
    const { url } = await serving([wait])
    const [of, other] = [await session(url), await session(url)]
    const calls = [begin(url, of, 1, 'one'), begin(url, other, 1, 'other')]
    await Promise.all([begun('one'), begun('other')])
    expect(await send(url, 'DELETE', undefined, of)).toMatchObject({ status: 200 })
    await told('one')
    expect(messagesOf(await calls[0]!.answer)).toEqual([])
    const after = await send(url, 'POST', call(2, 'hello'), of)
    expect([after.status, messagesOf(after)]).toEqual([404, [notFound]])
    expect((await send(url, 'DELETE', undefined, of)).status).toBe(404)
    expect(await isSettled(told('other'))).toBe(false)
  })

  it('has one stream to listen to, which ends with it', async () => {
    const { url } = await serving([hello])
    const of = await session(url)
    const stream = open(url, 'GET', of)
    stream.request.end()
    expect((await stream.begun).statusCode).toBe(200)
    expect((await send(url, 'GET', undefined, of)).status).toBe(409)
    await send(url, 'DELETE', undefined, of)
    expect((await stream.answer).body).toBe('')
  })

  it('is not begun by a greeting that is refused', async () => {
    const { url } = await serving([hello], { maxSessions: 1 })
    const of = await session(url)
    const stream = open(url, 'GET', of)
    stream.request.end()
    await stream.begun
    // The place is taken, so a greeting that was counted though it was refused would be seen by its status.
    expect((await send(url, 'POST', greeting, { accept: 'text/html' })).status).toBe(503)
    await send(url, 'DELETE', undefined, of)
    expect((await send(url, 'POST', greeting, { accept: 'text/html' })).status).toBe(406)
    expect((await send(url, 'POST', [greeting, greeting])).status).toBe(400)
    expect((await send(url, 'POST', greeting)).status).toBe(200)
  })

  it('ends when it was not used for a while, and neither while a call runs nor while somebody listens', async () => {
    const clock = fakeClock()
    const { wait, begun } = waiting()
    const { url } = await serving([wait, hello], { sessionIdleMs: 1000 }, { clock })
    const [unused, calling, listening, used] = [await session(url), await session(url), await session(url), await session(url)]
    const running = begin(url, calling, 1, 'one')
    await begun('one')
    const stream = open(url, 'GET', listening)
    stream.request.end()
    await stream.begun
    await clock.advance(900)
    await send(url, 'POST', call(1, 'hello'), used)
    await clock.advance(900)
    const statuses = async (): Promise<readonly number[]> =>
      Promise.all([unused, calling, listening, used].map(async (of) => (await send(url, 'POST', call(5, 'hello'), of)).status))
    expect(await statuses()).toEqual([404, 200, 200, 200])
    await clock.advance(1100)
    expect(await statuses()).toEqual([404, 200, 200, 404])
    running.request.destroy()
    stream.request.destroy()
  })

  it('makes room for a new one when there are as many as may be, unless it is in use', async () => {
    const { wait, begun } = waiting()
    const { url } = await serving([wait, hello], { maxSessions: 2 })
    const first = await session(url)
    const running = begin(url, first, 1, 'one')
    await begun('one')
    const second = await session(url)
    const third = await session(url)
    const status = async (of: Record<string, string>): Promise<number> => (await send(url, 'POST', call(5, 'hello'), of)).status
    expect([await status(first), await status(second), await status(third)]).toEqual([200, 404, 200])
    const other = begin(url, third, 1, 'two')
    await begun('two')
    const refused = await send(url, 'POST', greeting)
    expect([refused.status, messagesOf(refused)]).toEqual([
      503,
      [{ jsonrpc: '2.0', error: { code: -32_000, message: 'There are 2 sessions already, and all are in use.' }, id: null }],
    ])
    running.request.destroy()
    other.request.destroy()
  })
})

describe('a client of the revision 2025-11-25', { timeout: 60_000 }, () => {
  it('whose session has ended begins another', async () => {
    const { url } = await serving([hello])
    const ids: string[] = []
    const client = new McpClient({
      url,
      protocolVersion: '2025-11-25',
      fetch: async (...request) => {
        const response = await fetch(...request)
        const id = response.headers.get('mcp-session-id')
        if (id !== null && !ids.includes(id)) ids.push(id)
        return response
      },
    })
    onTestFinished(() => client.close())
    await client.connect()
    await send(url, 'DELETE', undefined, { 'mcp-session-id': ids[0]! })
    expect(await client.callTool('hello')).toEqual({ status: 'success', content: [{ type: 'text', text: 'Hi.' }] })
    expect(ids).toHaveLength(2)
    await client.close()
    expect((await send(url, 'POST', call(1, 'hello'), { 'mcp-session-id': ids[1]! })).status).toBe(404)
  })

  it('has an agent told of a cancel, which asks its model no more', async () => {
    const [began, ended] = [deferred(), deferred<string | undefined>()]
    const model = scriptedModel(() => {
      began.resolve()
      return { hang: true }
    })
    const agent = new Agent({ name: 'helper', description: 'Helps.', model })
    agent.on('afterInvocation', ({ result }) => ended.resolve(result?.stopReason))
    const service = await serveMcp({ agent }, { transport: { port: 0 } })
    onTestFinished(() => service.close())
    const url = service.url!
    const of = await session(url)
    const exchange = open(url, 'POST', of)
    exchange.request.end(JSON.stringify(call(1, 'helper', { input: 'Help!' })))
    await began.promise
    await send(url, 'POST', cancelOf(1), of)
    expect(await ended.promise).toBe('cancelled')
    expect(messagesOf(await exchange.answer)).toEqual([])
    expect(model.requests).toHaveLength(1)
  })
})

describe('without a session', { timeout: 60_000 }, () => {
  it('a request of an older revision is answered on its own', async () => {
    const { url } = await serving([hello])
    const answer = await send(url, 'POST', call(1, 'hello'))
    expect([answer.status, answer.headers['mcp-session-id'], messagesOf(answer)]).toEqual([200, undefined, [hi]])
    expect((await send(url, 'GET', undefined)).status).toBe(405)
    expect((await send(url, 'DELETE', undefined)).status).toBe(405)
  })

  it('the revision 2026-07-28 is served', async () => {
    const { url } = await serving([hello])
    const seen: (string | null)[] = []
    const client = await overHttp('2026-07-28', url, async (...request) => {
      const response = await fetch(...request)
      seen.push(response.headers.get('mcp-session-id'))
      return response
    })
    onTestFinished(() => client.close())
    expect((await client.callTool({ name: 'hello', arguments: {} })).content).toEqual([{ type: 'text', text: 'Hi.' }])
    expect(seen.length).toBeGreaterThan(1)
    expect(new Set(seen)).toEqual(new Set([null]))
  })
})
