import { getEventListeners } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { HttpCall } from '../../../src/providers/wire/http-call.ts'
import type { HttpCallOptions } from '../../../src/providers/wire/http-call.ts'
import { systemClock, tick } from '../../../src/util/clock.ts'
import { fakeClock } from '../../../src/testing/fake-clock.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'
import { breaksOffAfter, hangsAfter, sends, streamServer } from '../support/stream-server.ts'

refuseUnhandled()
const server = await streamServer()

function call(options: Partial<HttpCallOptions> = {}): HttpCall {
  return new HttpCall({
    provider: 'p',
    url: `${server.baseURL}/x?key=secret`,
    headers: { 'x-own': '1' },
    body: new TextEncoder().encode('{"a":1}'),
    signal: new AbortController().signal,
    fetch: globalThis.fetch,
    clock: systemClock,
    headersTimeoutMs: 300_000,
    idleTimeoutMs: 300_000,
    ...options,
  })
}

async function readAll(made: HttpCall): Promise<string> {
  let text = ''
  try {
    await made.open()
    for (let bytes = await made.read(); bytes; bytes = await made.read()) text += new TextDecoder().decode(bytes)
    return text
  } finally {
    made.close()
  }
}

/** A `fetch` that hears nothing: no answer, or an answer without an end. */
const deaf: typeof fetch = () => new Promise(() => {})
const silent: typeof fetch = async () => new Response(new ReadableStream())

/** A port on which nobody listens. */
async function freePort(): Promise<number> {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as AddressInfo
  await new Promise((resolve) => taken.close(resolve))
  return port
}

describe('a call', () => {
  it('posts, and reads to the end', async () => {
    server.handle = sends('hello')
    expect(await readAll(call())).toBe('hello')
    expect(server.requests.at(-1)).toMatchObject({
      url: '/v1/x?key=secret',
      body: '{"a":1}',
      headers: { 'x-own': '1', 'content-length': '7' },
    })
  })

  it('throws a typed error for a response that is no success, and reads only so much of it', async () => {
    server.handle = (_request, response) => response.writeHead(400, { 'content-type': 'text/plain' }).end('x'.repeat(10_000_000))
    await expect(readAll(call())).rejects.toMatchObject({
      name: 'InvalidRequestError',
      status: 400,
      message: expect.stringMatching(/^p: x{2000} \(HTTP 400\)$/) as unknown,
    })
  })

  it('names the host that it could not reach, and nothing else of the URL', async () => {
    const host = `127.0.0.1:${await freePort()}`
    await expect(readAll(call({ url: `http://${host}/v1?key=secret` }))).rejects.toMatchObject({
      name: 'NetworkError',
      retryable: true,
      message: `p: could not reach ${host}: connect ECONNREFUSED ${host}.`,
    })
  })

  it('passes on what a fetch of the user throws, as a cause', async () => {
    const thrown = new Error('no proxy')
    await expect(readAll(call({ fetch: () => Promise.reject(thrown) }))).rejects.toMatchObject({ name: 'NetworkError', cause: thrown })
    const throwing = (): never => {
      throw thrown
    }
    await expect(readAll(call({ fetch: throwing }))).rejects.toMatchObject({ name: 'NetworkError', cause: thrown })
  })

  it('says that a connection broke', async () => {
    server.handle = breaksOffAfter('hel')
    await expect(readAll(call())).rejects.toMatchObject({
      name: 'IncompleteStreamError',
      retryable: true,
      message: expect.stringContaining('the connection broke before the answer was complete') as unknown,
    })
  })

  it('takes a response without a body for an empty one', async () => {
    expect(await readAll(call({ fetch: async () => new Response(null, { status: 204 }) }))).toBe('')
  })
})

describe('the signal', () => {
  it('that has fired already ends the call before anything is sent', async () => {
    const before = server.requests.length
    const reason = new Error('stop')
    await expect(readAll(call({ signal: AbortSignal.abort(reason) }))).rejects.toBe(reason)
    expect(server.requests.length).toBe(before)
  })

  it('ends a wait for the response, and closes the socket', async () => {
    const controller = new AbortController()
    const reason = new Error('stop')
    server.handle = () => controller.abort(reason)
    await expect(readAll(call({ signal: controller.signal }))).rejects.toBe(reason)
    await server.requests.at(-1)!.closed
  })

  it('ends a wait for bytes, and closes the socket', async () => {
    const controller = new AbortController()
    const reason = new Error('stop')
    server.handle = hangsAfter('hello')
    const made = call({ signal: controller.signal })
    await made.open()
    expect(await made.read()).toEqual(new TextEncoder().encode('hello'))
    const waiting = made.read()
    controller.abort(reason)
    expect(made.failure).toBe(reason)
    await expect(waiting).rejects.toBe(reason)
    made.close()
    await server.requests.at(-1)!.closed
  })

  it('ends the waits for a fetch that is deaf to it', async () => {
    const controller = new AbortController()
    const reason = new Error('stop')
    const waiting = readAll(call({ signal: controller.signal, fetch: deaf }))
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)

    const second = new AbortController()
    const made = call({ signal: second.signal, fetch: silent })
    await made.open()
    const reading = made.read()
    second.abort(reason)
    await expect(reading).rejects.toBe(reason)
    made.close()
  })

  it('lets the response of such a fetch go when it comes late', async () => {
    const controller = new AbortController()
    let cancelled: unknown
    let answer!: (response: Response) => void
    const waiting = readAll(call({ signal: controller.signal, fetch: () => new Promise((resolve) => (answer = resolve)) }))
    controller.abort(new Error('stop'))
    await expect(waiting).rejects.toThrow('stop')
    answer(new Response(new ReadableStream({ cancel: () => void (cancelled = true) })))
    await tick()
    expect(cancelled).toBe(true)
  })

  it.each<readonly [string, () => Promise<unknown>, AbortController]>(
    [
      ['has ended', sends('hello')],
      ['was refused', sends('', 'text/plain')],
      ['broke', breaksOffAfter('hel')],
    ].map(([what, handle]) => {
      const controller = new AbortController()
      const run = async (): Promise<unknown> => {
        server.handle = handle as typeof server.handle
        return readAll(call({ signal: controller.signal })).catch(() => {})
      }
      return [what as string, run, controller]
    }),
  )('has no listener of a call that %s', async (_what, run, { signal }) => {
    await run()
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('a provider that is silent', () => {
  it('is given up before its response begins', async () => {
    const clock = fakeClock()
    const waiting = readAll(call({ clock, fetch: deaf, headersTimeoutMs: 1000 }))
    waiting.catch(() => {})
    await clock.advance(999)
    expect(clock.sleeping).toBe(1)
    await clock.advance(1)
    await expect(waiting).rejects.toMatchObject({
      name: 'NetworkError',
      retryable: true,
      message: expect.stringMatching(/^p: 127\.0\.0\.1:\d+ did not begin to answer within 1 s \(headersTimeoutMs\)\.$/) as unknown,
    })
    expect(clock.sleeping).toBe(0)
  })

  it('is given up in the middle of its answer, counted from its last bytes', async () => {
    const clock = fakeClock()
    let say!: (text: string) => void
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void (say = (text) => controller.enqueue(new TextEncoder().encode(text))),
    })
    const made = call({ clock, fetch: async () => new Response(body), idleTimeoutMs: 1000 })
    await made.open()
    for (const word of ['a', 'b', 'c']) {
      const reading = made.read()
      await clock.advance(900)
      say(word)
      expect(await reading).toEqual(new TextEncoder().encode(word))
    }
    const reading = made.read()
    reading.catch(() => {})
    await clock.advance(999)
    expect(made.failure).toBe(undefined)
    await clock.advance(1)
    await expect(reading).rejects.toMatchObject({
      name: 'NetworkError',
      message: expect.stringMatching(/^p: nothing came from 127\.0\.0\.1:\d+ for 1 s \(idleTimeoutMs\)\.$/) as unknown,
    })
    made.close()
    expect(clock.sleeping).toBe(0)
  })

  it('is not blamed for a reader that takes its time', async () => {
    const clock = fakeClock()
    const made = call({ clock, fetch: async () => new Response('hello'), idleTimeoutMs: 1000 })
    await made.open()
    await clock.advance(10_000)
    expect(await made.read()).toEqual(new TextEncoder().encode('hello'))
    await clock.advance(10_000)
    expect(await made.read()).toBe(undefined)
    made.close()
    expect(clock.sleeping).toBe(0)
  })

  it('may be waited for without end', async () => {
    const clock = fakeClock()
    const controller = new AbortController()
    const waiting = readAll(call({ clock, signal: controller.signal, fetch: deaf, headersTimeoutMs: Infinity }))
    expect(clock.sleeping).toBe(0)
    controller.abort(new Error('stop'))
    await expect(waiting).rejects.toThrow('stop')
  })
})

describe('an answer that is complete', () => {
  it('leaves its connection to the next', async () => {
    server.handle = sends('hello')
    await readAll(call())
    const before = server.connections()
    for (let i = 0; i < 5; i++) await readAll(call())
    expect(server.connections() - before).toBeLessThanOrEqual(1)
  })

  it('is cut when its transport does not end', async () => {
    const clock = fakeClock()
    server.handle = hangsAfter('hello')
    const made = call({ clock })
    await made.open()
    await made.read()
    const finished = made.finish()
    await clock.advance(100)
    await finished
    made.close()
    await server.requests.at(-1)!.closed
    expect(clock.sleeping).toBe(0)
  })

  it('is cut when more and more comes behind it', async () => {
    let pulls = 0
    const endless = new ReadableStream<Uint8Array>({ pull: (controller) => (pulls++, controller.enqueue(Uint8Array.of(1))) })
    const made = call({ fetch: async () => new Response(endless) })
    await made.open()
    await made.finish()
    made.close()
    const then = pulls
    await tick()
    expect(pulls).toBe(then)
    expect(pulls).toBeLessThan(20)
  })
})
