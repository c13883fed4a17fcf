import { describe, expect, it } from 'vitest'
import { ModelError } from '../../../src/errors.ts'
import { openai } from '../../../src/providers/openai/index.ts'
import { answer } from '../support/answer.ts'
import { corpusBytes, corpusIsThere, corpusStreams } from '../support/corpus.ts'
import { cuttings } from '../support/cuttings.ts'
import type { Cutter } from '../support/recut.ts'
import { recut } from '../support/recut.ts'
import { overSocket, travels } from '../support/over-socket.ts'
import { sends, streamServer } from '../support/stream-server.ts'
import { expectedOutline, outlineOf } from './expected.ts'

const streams = corpusStreams('openai-chat')
const server = await streamServer()

describe.skipIf(!corpusIsThere)('streams of many servers (skipped when ../shared/corpora is missing)', () => {
  it('are there', () => expect(streams.length).toBeGreaterThan(50))

  for (const { name, cut, isFor } of cuttings) {
    it.each(streams.filter(isFor).map((stream) => [stream.id, stream] as const))(`${name}: %s`, async (_id, stream) => {
      const model = openai('m', { baseURL: server.baseURL, provider: 'p', fetch: inPieces(corpusBytes(stream), cut(stream)) })
      const { message, error, partialText } = await answer(model)
      if (stream.expected.complete) {
        if (!message) throw error
        expect(outlineOf(message, 'p', { withIds: stream.expected.tool_calls.every(({ id }) => id !== null) })).toEqual(
          expectedOutline(stream.expected),
        )
      } else {
        expect(error).toBeInstanceOf(ModelError)
        expect((error as Error).message).toContain(stream.expected.error!.message)
        expect(partialText).toBe(stream.expected.text)
      }
    })
  }
})

/** An answer whose bytes come in these pieces. */
function inPieces(bytes: Uint8Array, cut: Cutter): typeof globalThis.fetch {
  if (travels()) return overSocket(server, bytes, cut(bytes))
  server.handle = sends(bytes)
  return recut(cut)
}
