import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import { createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { IncompleteStreamError } from '../../../src/errors.ts'
import type { Model } from '../../../src/models/model.ts'
import type { ModelEvent } from '../../../src/models/model-events.ts'
import { bedrock } from '../../../src/providers/bedrock/index.ts'
import { tick } from '../../../src/util/clock.ts'
import { testClock } from '../../support/clock.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'
import { answer, errorOf, request } from '../support/answer.ts'
import type { Handler } from '../support/stream-server.ts'
import { sends, streamServer } from '../support/stream-server.ts'
import type { Sent } from './support/ask.ts'
import { claude, eventStreamType, fetchOf, keys, modelOf } from './support/ask.ts'
import { begins, frames, saying, says } from './support/frames.ts'
import { useOwnEnvironment } from './support/env.ts'

useOwnEnvironment()

refuseUnhandled()
const server = await streamServer()
/** One of whose connections none may stay: the other keeps some for the next request. */
const hangingServer = await streamServer()
const endpointOf = ({ baseURL }: { readonly baseURL: string }): string => new URL(baseURL).origin
const model = bedrock(claude, { region: 'us-east-1', credentials: keys, endpoint: endpointOf(server) })
const hanging = bedrock(claude, { region: 'us-east-1', credentials: keys, endpoint: endpointOf(hangingServer) })
const begun = frames(begins, ...says(0, 'hi'))
const hangs: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': eventStreamType })
  response.write(begun)
}
const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await tick()
}

describe('a run that is given up', () => {
  const giveUp = async (given: Model): Promise<readonly ModelEvent['type'][]> => {
    const controller = new AbortController()
    const seen: ModelEvent['type'][] = []
    const reading = (async () => {
      for await (const event of given.stream(request(), { signal: controller.signal })) {
        seen.push(event.type)
        if (event.type === 'block_stop') setImmediate(() => controller.abort(new Error('enough')))
      }
    })()
    await expect(reading).rejects.toThrow('enough')
    return seen
  }

  it('closes the connection, whatever it waits for', async () => {
    hangingServer.handle = hangs
    expect(await giveUp(hanging)).toEqual(['message_start', 'block_delta', 'block_stop'])
    await hangingServer.requests.at(-1)!.closed
  })

  it('closes the connection of a client of the user, too', async () => {
    // The SDK's own transport speaks HTTP/2.
    const second = createServer()
    onTestFinished(() => void second.close())
    const closed = new Promise<void>((resolve) => {
      second.on('session', (session) => session.on('close', resolve))
      second.on('stream', (stream) => {
        stream.on('error', () => {})
        stream.respond({ ':status': 200, 'content-type': eventStreamType })
        stream.write(begun)
      })
    })
    await new Promise<void>((resolve) => second.listen(0, '127.0.0.1', resolve))
    const endpoint = `http://127.0.0.1:${(second.address() as AddressInfo).port}`
    const client = new BedrockRuntimeClient({ region: 'us-east-1', credentials: keys, endpoint })
    expect(await giveUp(bedrock(claude, { client }))).toEqual(['message_start', 'block_delta', 'block_stop'])
    await closed
  })

  it('does not wait for an answer that has not begun', async () => {
    const controller = new AbortController()
    hangingServer.handle = () => controller.abort(new Error('enough'))
    const { error } = await answer(hanging, request(), { signal: controller.signal })
    expect((error as Error).message).toBe('enough')
    await hangingServer.requests.at(-1)!.closed
  })

  it('does not wait for a client that is deaf', async () => {
    const controller = new AbortController()
    const deaf = bedrock(claude, {
      client: {
        send: () => {
          controller.abort(new Error('enough'))
          return new Promise(() => {})
        },
      },
    })
    const { error } = await answer(deaf, request(), { signal: controller.signal })
    expect((error as Error).message).toBe('enough')
  })

  it('yields nothing more once the signal has fired', async () => {
    server.handle = sends(saying('hi'), eventStreamType)
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
    const { error } = await answer(modelOf(fetchOf(saying('hi'), sent)), request(), { signal: AbortSignal.abort(new Error('never mind')) })
    expect([(error as Error).message, sent.length]).toEqual(['never mind', 0])
  })

  it('closes the connection when its reader leaves', async () => {
    hangingServer.handle = hangs
    let seen = 0
    for await (const event of hanging.stream(request(), { signal: new AbortController().signal })) {
      seen++
      if (event.type === 'block_stop') break
    }
    await hangingServer.requests.at(-1)!.closed
    expect(seen).toBe(3)
  })

  it('leaves no listener on the signal, however it ends', async () => {
    let listeners = 0
    const { signal } = new AbortController()
    const counted = new Proxy(signal, {
      get(target, key) {
        if (key === 'addEventListener') listeners++
        if (key === 'removeEventListener') listeners--
        const value = Reflect.get(target, key, target) as unknown
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
    server.handle = sends(saying('hi'), eventStreamType)
    await answer(model, request(), { signal: counted })
    server.handle = sends('{"message":"no"}', 'application/json')
    await answer(model, request(), { signal: counted })
    hangingServer.handle = hangs
    for await (const event of hanging.stream(request(), { signal: counted })) if (event.type === 'block_stop') break
    expect(listeners).toBe(0)
  })
})

describe('a connection', () => {
  it('that breaks is an error that may be tried again', async () => {
    server.handle = (_request, response) => {
      response.writeHead(200, { 'content-type': eventStreamType })
      response.write(begun, () => response.socket?.destroy())
    }
    const { message, error, partialText } = await answer(model)
    expect([message, error, partialText]).toEqual([undefined, expect.any(IncompleteStreamError), 'hi'])
    expect((error as IncompleteStreamError).message).toMatch(/^bedrock: the connection broke before the answer was complete: .+\.$/)
  })

  it('is used again for the next request', async () => {
    // The message is complete before its transport is.
    server.handle = (_request, response) => {
      response.writeHead(200, { 'content-type': eventStreamType })
      response.write(saying('hi'))
      void turns(50).then(() => response.end())
    }
    // On a clock that stands still, the end of an answer is waited for however slow the machine is.
    const patient = bedrock(claude, { region: 'us-east-1', credentials: keys, endpoint: endpointOf(server), clock: testClock() })
    const before = server.connections()
    for (let i = 0; i < 8; i++) await answer(patient)
    expect(server.connections() - before).toBeLessThan(4)
  })

  it('that is silent for too long is given up', async () => {
    const silent = async (handle: Handler, limits: object): Promise<string> => {
      const clock = testClock()
      let arrived = false
      let ended = false
      hangingServer.handle = (request, response) => {
        arrived = true
        handle(request, response)
      }
      const given = bedrock(claude, { region: 'us-east-1', credentials: keys, endpoint: endpointOf(hangingServer), clock, ...limits })
      const asking = errorOf(given).finally(() => (ended = true))
      // The way there and back takes real time; the clock stands still until the request has arrived.
      while (!ended) await clock.advance(arrived ? 1000 : 0)
      await hangingServer.requests.at(-1)!.closed
      return (await asking).message
    }
    expect(await silent(() => {}, { headersTimeoutMs: 60_000 })).toBe('bedrock: the answer did not begin within 60 s (headersTimeoutMs).')
    expect(await silent(hangs, { headersTimeoutMs: Infinity, idleTimeoutMs: 60_000 })).toBe(
      'bedrock: nothing came for 60 s (idleTimeoutMs).',
    )
  })
})
