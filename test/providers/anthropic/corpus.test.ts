import { describe, expect, it } from 'vitest'
import { IncompleteStreamError, ModelError, OverloadedError } from '../../../src/errors.ts'
import { normalise } from '../../../src/messages/normalise.ts'
import { anthropic } from '../../../src/providers/anthropic/index.ts'
import { freezeOwn } from '../../../src/util/json.ts'
import { answer } from '../support/answer.ts'
import { corpusBytes, corpusIsThere, corpusStreams } from '../support/corpus.ts'
import { cuttings } from '../support/cuttings.ts'
import type { Cutter } from '../support/recut.ts'
import { overSocket, travels } from '../support/over-socket.ts'
import { sends, streamServer } from '../support/stream-server.ts'
import { bodyOf, fetchOf, history, user } from './support/ask.ts'
import type { MessagesStream } from './support/expected.ts'
import { expectedOutline, outlineOf } from './support/expected.ts'
import { sampleStep } from '../../support/sampling.ts'

const all = corpusStreams('anthropic-messages') as readonly MessagesStream[]
// Two messages spliced into one have no right answer but an error; its own test is below.
const streams = all.filter(({ judgement }) => !judgement)
const table = streams.map((stream) => [stream.id, stream] as const)
const server = await streamServer()

describe.skipIf(!corpusIsThere)('recorded streams (skipped when ../shared/corpora is missing)', () => {
  it('are there', () => expect(streams.length).toBeGreaterThan(40))

  for (const { name, cut, isFor } of cuttings) {
    it.each(table.filter(([, stream]) => isFor(stream)))(`${name}: %s`, async (_id, stream) => {
      const { message, error, partialText } = await answer(
        anthropic('m', { apiKey: 'k', fetch: inPieces(corpusBytes(stream), cut(stream)) }),
      )
      if (stream.expected.complete) {
        if (!message) throw error
        expect(outlineOf(message)).toEqual(expectedOutline(stream))
      } else {
        expect(error).toBeInstanceOf(stream.expected.error ? OverloadedError : IncompleteStreamError)
        expect((error as Error).message).toContain(stream.expected.error?.message ?? 'before the message was complete')
        expect(partialText).toBe(stream.expected.text)
      }
    })
  }

  it.each(table)('over a real connection: %s', async (_id, stream) => {
    server.handle = sends(corpusBytes(stream))
    const { message, partialText } = await answer(anthropic('m', { apiKey: 'k', baseURL: server.baseURL }))
    expect([message !== undefined, partialText]).toEqual([stream.expected.complete, stream.expected.text])
  })

  it.each(table.filter(([, { expected }]) => expected.complete && expected.stop_class !== 'length'))(
    'give back, block for block, what came: %s',
    async (_id, stream) => {
      const { message } = await answer(anthropic('m', { apiKey: 'k', fetch: fetchOf(corpusBytes(stream) as Uint8Array<ArrayBuffer>) }))
      const stored = normalise(freezeOwn({ id: 'm1', role: 'assistant', content: message!.content }))
      const { messages } = await bodyOf({ messages: [...history(user('hello')), stored, ...history(user('go on'))] })
      // Blank text is taken by no provider.
      expect(messages[1]!.content).toEqual(
        stream.assembled.content.filter((block) => block['type'] !== 'text' || String(block['text']).trim() !== ''),
      )
    },
  )

  it.each(table)('that break off after any event but the last are errors: %s', async (_id, stream) => {
    const bytes = corpusBytes(stream)
    const end = endOfMessage(bytes)
    const ends = endsOfEvents(bytes).filter((offset) => offset < end)
    // Of the longest streams a sample: their events are like their neighbours.
    const step = sampleStep(ends.length, 20)
    for (let i = 0; i < ends.length; i += i < ends.length - 6 ? step : 1) {
      const { message, error } = await answer(anthropic('m', { apiKey: 'k', fetch: fetchOf(bytes.slice(0, ends[i])) }))
      expect([message, error instanceof ModelError && error.retryable], `after event ${i}`).toEqual([undefined, true])
    }
  })

  it('with a second message amid the first are errors', async () => {
    const spliced = all.find(({ id }) => id === 'anthropic/spliced-message-start')!
    const { error } = await answer(anthropic('m', { apiKey: 'k', fetch: fetchOf(corpusBytes(spliced) as Uint8Array<ArrayBuffer>) }))
    expect(error).toBeInstanceOf(IncompleteStreamError)
    expect((error as Error).message).toBe('anthropic: another message began before the first one was complete.')
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

/** Where the event begins that ends the message. */
const endOfMessage = (bytes: Uint8Array): number => {
  const text = Buffer.from(bytes).toString('latin1')
  const at = text.search(/"type"\s*:\s*"message_stop"/)
  return at < 0 ? Infinity : at
}
