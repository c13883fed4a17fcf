import { describe, expect, it } from 'vitest'
import { ModelError } from '../../../src/errors.ts'
import { openai } from '../../../src/providers/openai/index.ts'
import { answer } from '../support/answer.ts'
import { corpusBytes, corpusIsThere, corpusStreams } from '../support/corpus.ts'
import { cuttings } from '../support/cuttings.ts'
import type { Cutter } from '../support/recut.ts'
import { overSocket, travels } from '../support/over-socket.ts'
import { sends, streamServer } from '../support/stream-server.ts'
import { answerTo, fetchOf } from './support/ask.ts'
import type { ResponsesStream } from './support/expected.ts'
import { expectedOutline, outlineOf } from './support/expected.ts'
import { sampleStep } from '../../support/sampling.ts'

const streams = corpusStreams('openai-responses') as readonly ResponsesStream[]
const table = streams.map((stream) => [stream.id, stream] as const)
const server = await streamServer()

/** A whole message; a response that failed is an error though its stream is whole. */
const isMessage = ({ expected }: ResponsesStream): boolean => expected.complete && expected.stop_class !== 'error'

describe.skipIf(!corpusIsThere)('recorded streams (skipped when ../shared/corpora is missing)', () => {
  it('are there', () => expect(streams.length).toBeGreaterThan(30))

  for (const { name, cut, isFor } of cuttings) {
    it.each(table.filter(([, stream]) => isFor(stream)))(`${name}: %s`, async (_id, stream) => {
      const { message, error, partialText } = await answer(openai('m', { apiKey: 'k', fetch: inPieces(corpusBytes(stream), cut(stream)) }))
      if (isMessage(stream)) {
        if (!message) throw error
        expect(outlineOf(message, 'openai')).toEqual(expectedOutline(stream))
      } else {
        expect(error).toBeInstanceOf(ModelError)
        expect((error as Error).message).toContain(stream.expected.error?.message ?? 'before the message was complete')
        expect(partialText).toBe(stream.expected.text)
      }
    })
  }

  it.each(table)('over a real connection: %s', async (_id, stream) => {
    server.handle = sends(corpusBytes(stream))
    const { message, partialText } = await answer(openai('m', { apiKey: 'k', baseURL: server.baseURL, api: 'responses' }))
    expect([message !== undefined, partialText]).toEqual([isMessage(stream), stream.expected.text + (stream.expected.refusal ?? '')])
  })

  it.each(table)('that break off after any event but the last are errors: %s', async (_id, stream) => {
    const bytes = corpusBytes(stream)
    const end = endOfResponse(bytes)
    const ends = endsOfEvents(bytes).filter((offset) => offset <= end)
    // Of the longest streams a sample: their events are like their neighbours.
    const step = sampleStep(ends.length, 12)
    for (let i = 0; i < ends.length; i += i < ends.length - 6 ? step : 1) {
      const { message, error } = await answerTo(bytes.slice(0, ends[i]))
      expect([message, error instanceof ModelError && error.retryable], `after event ${i}`).toEqual([
        undefined,
        // A budget that is spent does not come back.
        !(error as Error).message.includes('quota'),
      ])
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
  return fetchOf(() => new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
}

/** The places where an event is over: behind each empty line, whatever the ends of lines are. */
function endsOfEvents(bytes: Uint8Array): number[] {
  const text = Buffer.from(bytes).toString('latin1')
  return [...text.matchAll(/(\r\n|\n|\r){2}/g)].map(({ index, 0: { length } }) => index + length)
}

/** Where the event begins that ends the response. */
function endOfResponse(bytes: Uint8Array): number {
  const text = Buffer.from(bytes).toString('latin1')
  const at = text.search(/"type"\s*:\s*"response\.(completed|incomplete|failed)"/)
  if (at < 0) return Infinity
  return Math.max(text.lastIndexOf('\n\n', at), text.lastIndexOf('\r\r', at)) + 2
}
