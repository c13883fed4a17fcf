import { describe, expect, it } from 'vitest'
import { IncompleteStreamError, NetworkError } from '../../../src/errors.ts'
import { anthropic } from '../../../src/providers/anthropic/index.ts'
import type { ModelEvent } from '../../../src/models/model-events.ts'
import { tick } from '../../../src/util/clock.ts'
import { answer, errorOf, request } from '../support/answer.ts'
import { breaksOffAfter, hangsAfter, sends, streamServer } from '../support/stream-server.ts'
import { testClock } from '../../support/clock.ts'
import type { Sent } from './support/ask.ts'
import { fetchOf } from './support/ask.ts'
import { begins, saying, says, sse } from './support/sse.ts'

const server = await streamServer()
/** One of whose connections none may stay: the other keeps some for the next request. */
const hangingServer = await streamServer()
const model = anthropic('m', { apiKey: 'k', baseURL: server.baseURL })
const hanging = anthropic('m', { apiKey: 'k', baseURL: hangingServer.baseURL })
const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await tick()
}
const begun = sse(begins(), ...says(0, 'hi'))

describe('a run that is given up', () => {
  it('closes the connection, whatever it waits for', async () => {
    hangingServer.handle = hangsAfter(begun)
    const controller = new AbortController()
    const seen: ModelEvent['type'][] = []
    const reading = (async () => {
      for await (const event of hanging.stream(request(), { signal: controller.signal })) {
        seen.push(event.type)
        if (event.type === 'block_stop') setImmediate(() => controller.abort(new Error('enough')))
      }
    })()
    await expect(reading).rejects.toThrow('enough')
    expect(seen).toEqual(['message_start', 'metadata', 'block_start', 'block_delta', 'block_stop'])
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
    const { error } = await answer(anthropic('m', { apiKey: 'k', fetch: fetchOf(saying('hi'), sent) }), request(), {
      signal: AbortSignal.abort(new Error('never mind')),
    })
    expect([(error as Error).message, sent.length]).toEqual(['never mind', 0])
  })

  it('closes the connection when its reader leaves', async () => {
    hangingServer.handle = hangsAfter(begun)
    let seen = 0
    for await (const event of hanging.stream(request(), { signal: new AbortController().signal })) {
      seen++
      if (event.type === 'block_stop') break
    }
    await hangingServer.requests.at(-1)!.closed
    expect(seen).toBe(5)
  })
})

describe('a connection', () => {
  it('that breaks is an error that may be tried again', async () => {
    server.handle = breaksOffAfter(begun)
    const { message, error, partialText } = await answer(model)
    expect([message, error, partialText]).toEqual([undefined, expect.any(IncompleteStreamError), 'hi'])
    expect((error as IncompleteStreamError).retryable).toBe(true)
  })

  it('is used again for the next request', async () => {
    // The message is complete before its transport is.
    server.handle = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(saying('hi'))
      void turns(50).then(() => response.end())
    }
    // On a clock that stands still, the end of an answer is waited for however slow the machine is.
    const patient = anthropic('m', { apiKey: 'k', baseURL: server.baseURL, clock: testClock() })
    const before = server.connections()
    for (let i = 0; i < 8; i++) await answer(patient)
    expect(server.connections() - before).toBeLessThan(4)
  })

  it('that cannot be made names the host alone', async () => {
    const refused = anthropic('m', {
      apiKey: 'k',
      baseURL: 'http://127.0.0.1:9/secret-path',
      fetch: () => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })),
    })
    const error = await errorOf(refused)
    expect([error, error.message]).toEqual([expect.any(NetworkError), 'anthropic: could not reach 127.0.0.1:9: connect ECONNREFUSED.'])
  })

  it('that is silent for too long is given up', async () => {
    const silent = async (handle: typeof server.handle, limits: object): Promise<string> => {
      const clock = testClock()
      let arrived = false
      let ended = false
      hangingServer.handle = (request, response) => {
        arrived = true
        handle(request, response)
      }
      const asking = errorOf(anthropic('m', { apiKey: 'k', baseURL: hangingServer.baseURL, clock, ...limits })).finally(
        () => (ended = true),
      )
      // The way there and back takes real time; the clock stands still until the request has arrived.
      while (!ended) await clock.advance(arrived ? 1000 : 0)
      await hangingServer.requests.at(-1)!.closed
      return (await asking).message
    }
    const { host } = new URL(hangingServer.baseURL)
    expect(await silent(() => {}, { headersTimeoutMs: 60_000 })).toBe(
      `anthropic: ${host} did not begin to answer within 60 s (headersTimeoutMs).`,
    )
    expect(await silent(hangsAfter(begun), { headersTimeoutMs: Infinity, idleTimeoutMs: 60_000 })).toBe(
      `anthropic: nothing came from ${host} for 60 s (idleTimeoutMs).`,
    )
  })
})
