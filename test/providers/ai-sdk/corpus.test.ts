import { describe, expect, it } from 'vitest'
import { IncompleteStreamError, ModelError } from '../../../src/errors.ts'
import type { Outline } from '../openai/expected.ts'
import { expectedOutline, outlineOf } from '../openai/expected.ts'
import { answer } from '../support/answer.ts'
import { corpusBytes, corpusIsThere, corpusStreams } from '../support/corpus.ts'
import { sends, streamServer } from '../support/stream-server.ts'
import { realModels } from './support/real.ts'

const server = await streamServer()
const streams = corpusStreams('openai-chat')

/** What the AI SDK's own reader makes otherwise of what the server says. */
const readOtherwise: Readonly<Record<string, readonly string[]>> = {
  // Several answers in one stream are one to it.
  v4: ['llamacpp/two-candidates-streaming'],
  // So they are here, and a call whose pieces bear no place of their own loses some.
  v3: ['llamacpp/two-candidates-streaming', 'openrouter/derived-chat-index-collision', 'openrouter/derived-chat-no-index'],
}
/** Ended by `[DONE]` alone, which it does not tell from a stream that was cut. */
const endless = 'openrouter/derived-chat-no-finish-reason-with-tools'

/** It does not read citations, counts as none what the server does not count, and as output what the server counts as such. */
function asItReads({ usage, ...outline }: Outline): unknown {
  return { ...outline, citations: 0, usage: usage && { cacheReadTokens: 0, reasoningTokens: 0, ...usage, cacheWriteTokens: undefined } }
}

describe.skipIf(!corpusIsThere).each(realModels(server.baseURL))(
  'a real model of %s, streams of many servers (skipped when ../shared/corpora is missing)',
  (version, model) => {
    const read = streams.filter(({ id }) => !readOtherwise[version]!.includes(id))
    it('are there', () => expect(read.length).toBeGreaterThan(48))

    it.each(read.map((stream) => [stream.id, stream] as const))('%s', async (id, { expected, ...stream }) => {
      server.handle = sends(corpusBytes({ expected, ...stream }))
      const { message, error, partialText } = await answer(model)
      if (id === endless) return expect(error).toBeInstanceOf(IncompleteStreamError)
      if (!expected.complete) {
        expect(error).toBeInstanceOf(ModelError)
        expect((error as Error).message).toContain(expected.error!.message)
        return expect(partialText).toBe(expected.text)
      }
      if (!message) throw error
      const withIds = expected.tool_calls.every(({ id }) => id !== null)
      expect(asItReads(outlineOf(message, model.provider, { withIds }))).toEqual(asItReads(expectedOutline(expected, false)))
    })
  },
)
