import { describe, expect, it } from 'vitest'
import { ModelError } from '../../../src/errors.ts'
import { normalise } from '../../../src/messages/normalise.ts'
import { google } from '../../../src/providers/google/index.ts'
import { freezeOwn } from '../../../src/util/json.ts'
import { answer } from '../support/answer.ts'
import { corpusBytes, corpusIsThere, corpusStreams } from '../support/corpus.ts'
import { cuttings } from '../support/cuttings.ts'
import type { Cutter } from '../support/recut.ts'
import { overSocket, travels } from '../support/over-socket.ts'
import { sends, streamServer } from '../support/stream-server.ts'
import { bodyOf, eventStream, fetchOf } from './support/ask.ts'
import type { GenerateStream } from './support/expected.ts'
import { expectedOutline, expectedParts, outlineOf } from './support/expected.ts'
import { sampleStep } from '../../support/sampling.ts'

const streams = corpusStreams('gemini-generate-content') as readonly GenerateStream[]
const complete = streams.filter(({ expected }) => expected.complete)
const table = (list: readonly GenerateStream[]): readonly (readonly [string, GenerateStream])[] => list.map((stream) => [stream.id, stream])
const server = await streamServer()

describe.skipIf(!corpusIsThere)('recorded streams (skipped when ../shared/corpora is missing)', () => {
  it('are there', () => expect([streams.length, complete.length]).toEqual([25, 20]))

  for (const { name, cut, isFor } of cuttings) {
    it.each(table(streams.filter(isFor)))(`${name}: %s`, async (_id, stream) => {
      const { message, error, partialText } = await answer(google('m', { apiKey: 'k', fetch: inPieces(corpusBytes(stream), cut(stream)) }))
      if (stream.expected.complete) {
        if (!message) throw error
        expect(outlineOf(message)).toEqual(expectedOutline(stream))
      } else {
        expect(error).toBeInstanceOf(ModelError)
        expect((error as ModelError).retryable).toBe(true)
        expect((error as ModelError).message).toContain(stream.expected.error?.message ?? 'before the message was complete')
        expect(partialText).toBe(stream.expected.text)
      }
    })
  }

  it.each(table(streams))('over a real connection: %s', async (_id, stream) => {
    server.handle = sends(corpusBytes(stream))
    const { message, partialText } = await answer(google('m', { apiKey: 'k', baseURL: server.baseURL }))
    expect([message !== undefined, partialText]).toEqual([stream.expected.complete, stream.expected.text])
  })

  it.each(table(complete))('give back, part for part, what came: %s', async (_id, stream) => {
    const { message } = await answer(
      google('gemini-2.5-flash', { apiKey: 'k', fetch: fetchOf(corpusBytes(stream) as Uint8Array<ArrayBuffer>) }),
    )
    const stored = normalise(freezeOwn({ id: 'm1', role: 'assistant', content: message!.content }))
    const hello = { role: 'user', content: [{ type: 'text', text: 'hello' }] } as const
    // Vertex AI takes no ids: what is sent is then what came, but for those.
    const { contents } = await bodyOf({ messages: freezeOwn([hello, stored, hello]) }, 'gemini-2.5-flash', {
      vertex: { project: 'p', location: 'l', accessToken: 't' },
    })
    expect(contents[1]).toEqual({ role: 'model', parts: expectedParts(stream) })
  })

  it.each(table(streams))('that break off after any event are errors: %s', async (_id, stream) => {
    const bytes = corpusBytes(stream)
    const ends = endsOfEvents(bytes)
    // Of the longest stream a sample: its events are like their neighbours.
    const step = sampleStep(ends.length, 20)
    for (let i = 0; i < ends.length; i += step) {
      const { message, error } = await answer(google('m', { apiKey: 'k', fetch: breaksOff(bytes.slice(0, ends[i])) }))
      expect([message, error instanceof ModelError && error.retryable], `after event ${i}`).toEqual([undefined, true])
    }
  })

  it.each(table(streams))('that end before their reason are errors: %s', async (_id, stream) => {
    const bytes = corpusBytes(stream)
    const reason = Buffer.from(bytes).toString('latin1').indexOf('finishReason')
    for (const end of endsOfEvents(bytes).filter((offset) => reason < 0 || offset < reason)) {
      const { message, error } = await answer(google('m', { apiKey: 'k', fetch: fetchOf(bytes.slice(0, end)) }))
      expect([message, error instanceof ModelError && error.retryable], `at ${end}`).toEqual([undefined, true])
    }
  })
})

/** An answer whose bytes come in these pieces. */
function inPieces(bytes: Uint8Array, cut: Cutter): typeof globalThis.fetch {
  const lengths = cut(bytes)
  if (travels()) return overSocket(server, bytes, lengths)
  let piece = 0
  let from = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const length = lengths[piece++]
      if (length === undefined) return controller.close()
      controller.enqueue(bytes.slice(from, (from += length)))
    },
  })
  return fetchOf(() => new Response(body, eventStream('')))
}

/** An answer whose connection breaks behind these bytes. */
function breaksOff(bytes: Uint8Array): typeof globalThis.fetch {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes),
    pull: (controller) => controller.error(new TypeError('terminated')),
  })
  return fetchOf(() => new Response(body, eventStream('')))
}

/** The places where an event is over: behind each empty line. */
function endsOfEvents(bytes: Uint8Array): number[] {
  const text = Buffer.from(bytes).toString('latin1')
  return [...text.matchAll(/(\r\n|\n|\r){2}/g)].map(({ index, 0: { length } }) => index + length)
}
