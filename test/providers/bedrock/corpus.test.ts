import { describe, expect, it } from 'vitest'
import { IncompleteStreamError, ModelError } from '../../../src/errors.ts'
import { normalise } from '../../../src/messages/normalise.ts'
import { freezeOwn } from '../../../src/util/json.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'
import { answer } from '../support/answer.ts'
import type { CorpusStream } from '../support/corpus.ts'
import { corpusBytes, corpusIsThere, corpusStreams } from '../support/corpus.ts'
import { cuttings } from '../support/cuttings.ts'
import type { Cutter } from '../support/recut.ts'
import { overSocket, travels } from '../support/over-socket.ts'
import { sends, streamServer } from '../support/stream-server.ts'
import { bodyOf, eventStream, eventStreamType, fetchOf, history, modelOf, user } from './support/ask.ts'
import type { ConverseStream } from './support/expected.ts'
import { expectedOutline, outlineOf } from './support/expected.ts'
import { endsOfEvents } from './support/frames.ts'
import { sampleStep } from '../../support/sampling.ts'
import { useOwnEnvironment } from './support/env.ts'

useOwnEnvironment()

refuseUnhandled()
const streams = corpusStreams('bedrock-converse-stream') as readonly ConverseStream[]
const table = streams.map((stream) => [stream.id, stream] as const)
const server = await streamServer()
const bytesOf = (stream: CorpusStream): Uint8Array<ArrayBuffer> => new Uint8Array(corpusBytes(stream))

// One model for all: to make the SDK's client is what takes time.
let current = globalThis.fetch
const model = modelOf((url, init) => current(url, init))
const answerOf = (fetch: typeof globalThis.fetch): ReturnType<typeof answer> => {
  current = fetch
  return answer(model)
}

describe.skipIf(!corpusIsThere)('recorded streams (skipped when ../shared/corpora is missing)', () => {
  it('are there', () => expect(streams.length).toBeGreaterThan(15))

  for (const { name, cut, isFor } of cuttings) {
    it.each(table.filter(([, stream]) => isFor(stream)))(`${name}: %s`, async (_id, stream) => {
      const { message, error, partialText } = await answerOf(inPieces(bytesOf(stream), cut(stream)))
      if (stream.expected.complete) {
        if (!message) throw error
        expect(outlineOf(message)).toEqual(expectedOutline(stream))
      } else {
        expect(error).toBeInstanceOf(IncompleteStreamError)
        expect((error as Error).message).toContain(stream.expected.error?.message ?? 'before the message was complete')
        expect(partialText).toBe(stream.expected.text)
      }
    })
  }

  it.each(table)('over a real connection: %s', async (_id, stream) => {
    server.handle = sends(bytesOf(stream), eventStreamType)
    const { message, partialText } = await answer(modelOf(globalThis.fetch, undefined, { endpoint: new URL(server.baseURL).origin }))
    expect([message !== undefined, partialText]).toEqual([stream.expected.complete, stream.expected.text])
  })

  it.each(table.filter(([, { expected }]) => expected.complete))('can be sent back: %s', async (_id, stream) => {
    const { message } = await answerOf(fetchOf(bytesOf(stream)))
    const stored = normalise(freezeOwn({ id: 'm1', role: 'assistant', content: message!.content }))
    const { messages } = await bodyOf({ messages: [...history(user('hello')), stored, ...history(user('go on'))] })
    const sent = messages[1]!.content
    const expected = stream.expected
    expect({
      text: sent.map(({ text }) => text ?? '').join(''),
      calls: sent.flatMap(({ toolUse }) => (toolUse ? [(toolUse as { toolUseId: string }).toolUseId] : [])).length,
      thinking: sent.filter(({ reasoningContent }) => reasoningContent).length,
    }).toEqual({
      text: expected.text,
      calls: expected.tool_calls.length + (expected.provider_blocks?.length ?? 0),
      thinking: (expected.signature_lengths?.length ?? 0) + (expected.redacted_blocks ?? 0),
    })
  })
})

describe.skipIf(!corpusIsThere)('a recorded stream that is cut (skipped when ../shared/corpora is missing)', () => {
  /** Of the longest streams a sample: their events are like their neighbours. */
  const cuts = (stream: CorpusStream): readonly (readonly [before: number, bytes: Uint8Array<ArrayBuffer>])[] => {
    const bytes = bytesOf(stream)
    const ends = [0, ...endsOfEvents(bytes).slice(0, -1)]
    const step = sampleStep(ends.length, 8)
    return ends.flatMap((end, i) => (i % step === 0 || i > ends.length - 5 ? [[i, bytes.slice(0, end)] as const] : []))
  }

  it.each(table)('by a connection that breaks, after any event but the last, is an error: %s', async (_id, stream) => {
    for (const [before, bytes] of cuts(stream)) {
      const { message, error } = await answerOf(breaksOff(bytes))
      expect([message, error instanceof ModelError && error.retryable], `after ${before} events`).toEqual([undefined, true])
    }
  })

  it.each(table)('in good order is a message only when it said that it was whole: %s', async (_id, stream) => {
    const stop = indexOfStop(bytesOf(stream))
    for (const [before, bytes] of cuts(stream)) {
      const { message, error } = await answerOf(fetchOf(bytes))
      if (before > stop) expect([message?.stopReason, error]).toEqual([stream.expected.stop_reason, undefined])
      else expect([message, error instanceof ModelError && error.retryable], `after ${before} events`).toEqual([undefined, true])
    }
  })

  it('inside an event is an error, wherever the cut is', async () => {
    const stream = streams.find(({ id }) => id.endsWith('raw-stream-emits-required-zero-arg-tool-call'))!
    const bytes = bytesOf(stream)
    for (let end = 1; end < bytes.length; end += 13) {
      const { message, error } = await answerOf(breaksOff(bytes.slice(0, end)))
      expect([message, error instanceof ModelError && error.retryable], `after ${end} bytes`).toEqual([undefined, true])
    }
  })
})

/** An answer whose bytes come in these pieces. */
function inPieces(bytes: Uint8Array, cut: Cutter): typeof globalThis.fetch {
  const lengths = cut(bytes)
  if (travels()) return overSocket(server, bytes, lengths, eventStreamType, globalThis.fetch)
  let piece = 0
  let from = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const length = lengths[piece++]
      if (length === undefined) return controller.close()
      controller.enqueue(bytes.slice(from, (from += length)))
    },
  })
  return fetchOf(() => eventStream(body))
}

/** An answer that begins so, and whose connection then breaks. */
const breaksOff = (bytes: Uint8Array): typeof globalThis.fetch =>
  fetchOf(() => {
    let told = false
    return eventStream(
      new ReadableStream<Uint8Array>({
        pull(controller) {
          if (told || bytes.length === 0) return controller.error(new TypeError('terminated', { cause: new Error('other side closed') }))
          told = true
          controller.enqueue(bytes)
        },
      }),
    )
  })

/** Before how many events the message says that it is whole; of one that never does, all of them. */
function indexOfStop(bytes: Uint8Array): number {
  const ends = endsOfEvents(bytes)
  const index = ends.findIndex((end, i) => Buffer.from(bytes.subarray(ends[i - 1] ?? 0, end)).includes('messageStop'))
  return index < 0 ? Infinity : index
}
