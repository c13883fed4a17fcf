import { createServer, connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { JsonValue } from 'lena-agent'
import { McpClient } from 'lena-agent/mcp'
import { fakeClock } from 'lena-agent/testing'
import { deferred, isSettled } from '../support/promises.ts'
import type { Deferred } from '../support/promises.ts'
import { refuseUnhandled } from '../support/unhandled.ts'
import { call, cancelOf, messagesOf, send, session } from './support/raw-http.ts'
import type { RawAnswer } from './support/raw-http.ts'
import { rawStream } from './support/raw-stream.ts'
import type { RawStream } from './support/raw-stream.ts'
import { hello, made, serving, waiting } from './support/serving.ts'

refuseUnhandled()

/** A tool that tells what it is told to tell, and gives what it is told to give. */
function told() {
  const begun = deferred()
  const answer = deferred<string>()
  const stopped = deferred()
  let tell: (value: JsonValue) => Promise<void> = async () => {}
  const listen = made('listen', (_, { progress, signal }) => {
    tell = progress
    signal.addEventListener('abort', () => stopped.resolve())
    begun.resolve()
    return answer.promise
  })
  return { listen, begun: begun.promise, answer, stopped: stopped.promise, tell: (value: JsonValue) => tell(value) }
}

const withToken = (id: number, name: string): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {}, _meta: { progressToken: 'p' } },
})

/** A call that has begun and whose connection is then cut. Gives the id of the last event that came. */
async function cutOff(url: string, of: Record<string, string>, body: object, begun: Promise<void>): Promise<string> {
  const calling = await rawStream(url, 'POST', of, body)
  await Promise.all([begun, calling.until('id: ')])
  calling.cut()
  return calling.lastId()
}

const resume = (url: string, of: Record<string, string>, lastEventId: string): Promise<RawStream> =>
  rawStream(url, 'GET', { ...of, 'last-event-id': lastEventId })

/** What comes of a stream that is resumed, to its end. */
const rest = (url: string, of: Record<string, string>, lastEventId: string): Promise<RawAnswer> =>
  send(url, 'GET', undefined, { ...of, 'last-event-id': lastEventId })

describe('a call of the revision 2025-11-25 whose connection breaks', { timeout: 60_000 }, () => {
  it('goes on, and its client comes back for what it has missed', async () => {
    const { listen, begun, answer, tell } = told()
    const { url } = await serving([listen])
    const of = await session(url)
    const calling = await rawStream(url, 'POST', of, withToken(1, 'listen'))
    await begun
    await tell('one')
    await calling.until('one')
    calling.cut()
    await tell('two')
    const back = await resume(url, of, calling.lastId())
    await back.until('two')
    await tell('three')
    await back.until('three')
    answer.resolve('Heard.')
    await back.until('Heard.')
    expect(back.messages()).toEqual([
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'p', progress: 2, message: 'two' } },
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'p', progress: 3, message: 'three' } },
      { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'Heard.' }] } },
    ])
  })

  it('of an older revision still, is found by its reports, as it has no event before them', async () => {
    const { listen, begun, answer, tell } = told()
    const { url } = await serving([listen, hello])
    const of = { ...(await session(url)), 'mcp-protocol-version': '2025-03-26' }
    const calling = await rawStream(url, 'POST', of, withToken(1, 'listen'))
    await begun
    await tell('one')
    await calling.until('one')
    calling.cut()
    expect(messagesOf(await send(url, 'POST', call(2, 'hello'), of))).toMatchObject([{ id: 2 }])
    await tell('two')
    answer.resolve('Heard.')
    // Where it was thought to have arrived the reports are gone, as the answer says more.
    expect(messagesOf(await rest(url, of, calling.lastId())).at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'Heard.' }] } })
  })

  it('has its answer kept when it ends meanwhile, for one who has got nothing yet, as often as it comes', async () => {
    const { listen, begun, answer } = told()
    const { url } = await serving([listen, hello])
    const of = await session(url)
    const last = await cutOff(url, of, call(1, 'listen'), begun)
    answer.resolve('Heard.')
    // A call of its own is no sign that it comes back for the other.
    expect(messagesOf(await send(url, 'POST', call(2, 'hello'), of))).toMatchObject([{ id: 2 }])
    for (const _ of [1, 2]) {
      const back = await rest(url, of, last)
      expect([back.status, messagesOf(back)]).toEqual([
        200,
        [{ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'Heard.' }] } }],
      ])
    }
  })

  it('is cancelled when nobody comes back in time, and then there is nothing to come back for', async () => {
    const clock = fakeClock()
    const { wait, begun, told: stopped } = waiting()
    const { url } = await serving([wait], { resumeMs: 5000 }, { clock })
    const of = await session(url)
    const last = await cutOff(url, of, call(1, 'wait', { name: 'one' }), begun('one'))
    await sleepers(clock, 2)
    await clock.advance(4999)
    expect(await isSettled(stopped('one'))).toBe(false)
    await clock.advance(1)
    await stopped('one')
    expect((await rest(url, of, last)).status).toBe(400)
    // Nothing is left of it but the idle time of the session.
    expect(clock.sleeping).toBe(1)
  })

  it('is not cancelled once somebody has come back', async () => {
    const clock = fakeClock()
    const { wait, begun, told: stopped } = waiting()
    const { url } = await serving([wait], { resumeMs: 5000, sessionIdleMs: 1e9 }, { clock })
    const of = await session(url)
    const last = await cutOff(url, of, call(1, 'wait', { name: 'one' }), begun('one'))
    await sleepers(clock, 2)
    const back = await resume(url, of, last)
    await clock.advance(60_000)
    expect(await isSettled(stopped('one'))).toBe(false)
    back.cut()
    await sleepers(clock, 2)
    await clock.advance(5000)
    await stopped('one')
  })

  it('is told of the cancel that its client sends afterwards', async () => {
    const { wait, begun, told: stopped } = waiting()
    const { url } = await serving([wait])
    const of = await session(url)
    await cutOff(url, of, call(1, 'wait', { name: 'one' }), begun('one'))
    expect(await send(url, 'POST', cancelOf(1), of)).toMatchObject({ status: 202 })
    await stopped('one')
  })

  it('is told of the end of its session', async () => {
    const { wait, begun, told: stopped } = waiting()
    const { url } = await serving([wait])
    const of = await session(url)
    await cutOff(url, of, call(1, 'wait', { name: 'one' }), begun('one'))
    await send(url, 'DELETE', undefined, of)
    await expect(stopped('one')).resolves.toBeUndefined()
  })

  it('is taken over by one who comes back while the old connection still seems to stand', async () => {
    const { listen, begun, answer } = told()
    const { url } = await serving([listen])
    const of = await session(url)
    const first = await rawStream(url, 'POST', of, call(1, 'listen'))
    await Promise.all([begun, first.until('id: ')])
    const back = await resume(url, of, first.lastId())
    answer.resolve('Heard.')
    await back.until('Heard.')
    expect([first.messages(), back.messages()]).toMatchObject([[], [{ id: 1, result: { content: [{ text: 'Heard.' }] } }]])
  })

  it('is of no use to another session', async () => {
    const { listen, begun, answer } = told()
    const { url } = await serving([listen])
    const [of, other] = [await session(url), await session(url)]
    const last = await cutOff(url, of, call(1, 'listen'), begun)
    answer.resolve('Secret.')
    const refused = await rest(url, other, last)
    expect([refused.status, messagesOf(refused)]).toEqual([
      400,
      [
        {
          jsonrpc: '2.0',
          error: { code: -32_000, message: 'There is no such event: it was sent, or nobody came back for it in time.' },
          id: null,
        },
      ],
    ])
    expect(messagesOf(await rest(url, of, last))).toMatchObject([{ id: 1 }])
  })

  it.each(['', '_', 'x', '_GET_stream_1', '__proto___1', '9'.repeat(100)])('is not found by the event %j', async (event) => {
    const { url } = await serving([hello])
    const of = await session(url)
    const { status } = await resume(url, of, event)
    // Without an event it is the stream of the session that is asked for.
    expect(status).toBe(event === '' ? 200 : 400)
  })

  it('keeps the newest hundred reports', async () => {
    const clock = fakeClock()
    const { listen, begun, answer, tell } = told()
    const { url } = await serving([listen], {}, { clock })
    const of = await session(url)
    const last = await cutOff(url, of, withToken(1, 'listen'), begun)
    for (let step = 1; step <= 250; step++) {
      await tell(step)
      await clock.advance(100)
    }
    answer.resolve('Heard.')
    const missed = messagesOf(await rest(url, of, last))
    expect(missed.slice(0, -1).map(({ params }) => params.progress)).toEqual(Array.from({ length: 100 }, (_, index) => 151 + index))
    expect(missed.at(-1)).toMatchObject({ id: 1 })
  })

  it.each([
    ['a short answer', 65_536, 7, 200],
    ['a long answer', 65_537, 0, 400],
    ['one that was followed by eight', 1, 8, 400],
  ])('has %s kept although it was sent: it may not have arrived', async (_, length, more, status) => {
    const { url } = await serving([made('give', () => 'x'.repeat(length)), hello])
    const of = await session(url)
    const calling = await rawStream(url, 'POST', of, call(1, 'give'))
    await calling.until('"jsonrpc"')
    const [first] = calling.ids()
    await calling.ended
    for (let id = 2; id < 2 + more; id++) await send(url, 'POST', call(id, 'hello'), of)
    const back = await rest(url, of, first!)
    expect([back.status, messagesOf(back)]).toMatchObject([status, [status === 200 ? calling.messages()[0] : { error: { code: -32_000 } }]])
  })

  it('is not noticed by a client of ours', async () => {
    const { listen, begun, answer, tell } = told()
    const { url } = await serving([listen])
    const line = await breakable(url)
    await using client = new McpClient({ url: line.url, protocolVersion: '2025-11-25' })
    const progress: JsonValue[] = []
    const heard: Deferred<void>[] = [deferred(), deferred()]
    const onProgress = (value: JsonValue): void => heard[progress.push(value) - 1]?.resolve()
    const calling = client.callTool('listen', {}, { onProgress })
    await begun
    await tell('one')
    await heard[0]!.promise
    line.cut()
    await tell('two')
    await heard[1]!.promise
    answer.resolve('Heard.')
    expect(await calling).toEqual({ status: 'success', content: [{ type: 'text', text: 'Heard.' }] })
    expect(progress).toEqual(['one', 'two'].map((message, index) => ({ progress: index + 1, message })))
  })
})

/** Until so many are asleep: the server notices a broken connection when it comes to it. */
async function sleepers(clock: { readonly sleeping: number }, count: number): Promise<void> {
  for (let turn = 0; clock.sleeping < count; turn++) {
    if (turn > 100_000) throw new Error(`Only ${clock.sleeping} are asleep.`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** A way to this address that can be cut. */
async function breakable(address: string): Promise<{ readonly url: string; readonly cut: () => void }> {
  const { port, pathname } = new URL(address)
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1')
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      open.add(from)
      from.on('error', () => {}).once('close', () => (open.delete(from), to.destroy()))
      from.pipe(to)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = (): void => open.forEach((socket) => socket.destroy())
  onTestFinished(() => {
    cut()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`, cut }
}
