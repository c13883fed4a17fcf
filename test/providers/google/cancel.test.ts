import { describe, expect, it } from 'vitest'
import { IncompleteStreamError } from '../../../src/errors.ts'
import type { ModelEvent } from '../../../src/models/model-events.ts'
import { google } from '../../../src/providers/google/index.ts'
import { testClock } from '../../support/clock.ts'
import { answer, errorOf, request } from '../support/answer.ts'
import { breaksOffAfter, hangsAfter, sends, streamServer } from '../support/stream-server.ts'
import type { Sent } from './support/ask.ts'
import { fetchOf } from './support/ask.ts'
import { parts, saying, sse, text } from './support/sse.ts'

const server = await streamServer()
/** One of whose connections none may stay: the other keeps some for the next request. */
const hangingServer = await streamServer()
const model = google('m', { apiKey: 'k', baseURL: server.baseURL })
const hanging = google('m', { apiKey: 'k', baseURL: hangingServer.baseURL })
const begun = sse(parts(text('hi')))

describe('a run that is given up', () => {
  it('closes the connection, whatever it waits for', async () => {
    hangingServer.handle = hangsAfter(begun)
    const controller = new AbortController()
    const seen: ModelEvent['type'][] = []
    const reading = (async () => {
      for await (const event of hanging.stream(request(), { signal: controller.signal })) {
        seen.push(event.type)
        if (event.type === 'block_delta') setImmediate(() => controller.abort(new Error('enough')))
      }
    })()
    await expect(reading).rejects.toThrow('enough')
    expect(seen).toEqual(['message_start', 'block_start', 'block_delta'])
    await hangingServer.requests.at(-1)!.closed
  })

  it('yields nothing more once the signal has fired', async () => {
    server.handle = sends(saying('hi'))
    const controller = new AbortController()
    const seen: ModelEvent['type'][] = []
    const reading = (async () => {
      for await (const event of model.stream(request(), { signal: controller.signal })) {
        seen.push(event.type)
        controller.abort(new Error('enough'))
      }
    })()
    await expect(reading).rejects.toThrow('enough')
    expect(seen).toEqual(['message_start'])
  })

  it('sends nothing when the signal has fired before', async () => {
    const sent: Sent[] = []
    const signal = AbortSignal.abort(new Error('never mind'))
    const { error } = await answer(google('m', { apiKey: 'k', fetch: fetchOf(saying('hi'), sent) }), request(), { signal })
    expect([(error as Error).message, sent.length]).toEqual(['never mind', 0])
  })

  it('closes the connection when its reader leaves', async () => {
    hangingServer.handle = hangsAfter(begun)
    const seen: ModelEvent['type'][] = []
    for await (const event of hanging.stream(request(), { signal: new AbortController().signal })) {
      seen.push(event.type)
      if (event.type === 'block_delta') break
    }
    await hangingServer.requests.at(-1)!.closed
    expect(seen).toEqual(['message_start', 'block_start', 'block_delta'])
  })
})

describe('a connection', () => {
  it('that breaks is an error that may be tried again, even behind a reason to end', async () => {
    for (const body of [begun, saying('hi')]) {
      server.handle = breaksOffAfter(body)
      const { message, error, partialText } = await answer(model)
      expect([message, error, partialText]).toEqual([undefined, expect.any(IncompleteStreamError), 'hi'])
      expect((error as IncompleteStreamError).retryable).toBe(true)
    }
  })

  it('is used again for the next request', async () => {
    server.handle = sends(saying('hi'))
    const before = server.connections()
    for (let i = 0; i < 8; i++) await answer(model)
    expect(server.connections() - before).toBeLessThan(4)
  })

  it('that is silent for too long is given up', async () => {
    const silent = async (handle: typeof server.handle, limits: object): Promise<string> => {
      const clock = testClock()
      let arrived = false
      let ended = false
      let closed: Promise<unknown> | undefined
      hangingServer.handle = (request, response) => {
        arrived = true
        closed = new Promise((resolve) => response.on('close', resolve))
        handle(request, response)
      }
      const asking = errorOf(google('m', { apiKey: 'k', baseURL: hangingServer.baseURL, clock, ...limits })).finally(() => (ended = true))
      // The way there and back takes real time; the clock stands still until the request has arrived.
      while (!ended) await clock.advance(arrived ? 1000 : 0)
      await closed
      return (await asking).message
    }
    const { host } = new URL(hangingServer.baseURL)
    expect(await silent(() => {}, { headersTimeoutMs: 60_000 })).toBe(
      `google: ${host} did not begin to answer within 60 s (headersTimeoutMs).`,
    )
    expect(await silent(hangsAfter(begun), { headersTimeoutMs: Infinity, idleTimeoutMs: 60_000 })).toBe(
      `google: nothing came from ${host} for 60 s (idleTimeoutMs).`,
    )
  })
})
