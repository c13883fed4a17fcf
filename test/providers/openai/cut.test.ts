import { describe, expect, it } from 'vitest'
import type { ModelError } from '../../../src/errors.ts'
import { openai } from '../../../src/providers/openai/index.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'
import { answer } from '../support/answer.ts'
import { corpusBytes, corpusIsThere, corpusStreams } from '../support/corpus.ts'
import { chunk, chunks } from '../support/fake-fetch.ts'
import { breaksOffAfter, sends, streamServer } from '../support/stream-server.ts'
import { sampleStep } from '../../support/sampling.ts'

refuseUnhandled()
const server = await streamServer()
const model = openai('m', { baseURL: server.baseURL, provider: 'p' })

/** The stream up to each of its events, the whole of it left out. */
const beginnings = (body: string): readonly string[] => {
  const events = body.split(/(?<=\n\n)/)
  return events.map((_event, index) => events.slice(0, index).join(''))
}
const said = chunks(
  chunk({ content: 'Hel' }),
  chunk({ content: 'lo' }),
  chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'add', arguments: '{}' } }] }),
  chunk({}, 'tool_calls'),
  { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } },
)

describe('a connection that breaks', () => {
  it.each(beginnings(said).map((part, index) => [index, part] as const))(
    'after %i events is an error, not a message',
    async (_index, part) => {
      server.handle = breaksOffAfter(part)
      const { message, error } = await answer(model)
      expect(message).toBe(undefined)
      expect(error).toMatchObject({ name: 'IncompleteStreamError', retryable: true })
    },
  )

  it('after [DONE] changes nothing', async () => {
    server.handle = breaksOffAfter(said)
    expect((await answer(model)).message?.stopReason).toBe('tool_use')
  })
})

describe('a stream that ends early, though in good order', () => {
  it.each([0, 1, 2, 3])('after %i events is an error, not a message', async (index) => {
    server.handle = sends(beginnings(said)[index]!)
    expect((await answer(model)).error).toMatchObject({ name: 'IncompleteStreamError', retryable: true })
  })

  it('after the finish reason is a message', async () => {
    server.handle = sends(beginnings(said)[4]!)
    expect((await answer(model)).message?.stopReason).toBe('tool_use')
  })
})

describe.skipIf(!corpusIsThere)('streams of many servers (skipped when ../shared/corpora is missing)', () => {
  const streams = corpusStreams('openai-chat').filter(({ expected }) => expected.complete)
  it.each(streams.map((stream) => [stream.id, stream] as const))('%s: broken after any event but the last', async (_id, stream) => {
    const bytes = corpusBytes(stream)
    const ends = [0, ...endsOfEvents(bytes)]
    // Of the long ones, the ends and some places between.
    const step = sampleStep(ends.length, 12)
    const places = ends.filter((_end, index) => index % step === 0 || index > ends.length - 5)
    for (const end of places) {
      server.handle = breaksOffAfter(bytes.subarray(0, end))
      const { message, error } = await answer(model)
      expect({ message, error: (error as Error | undefined)?.name, retryable: (error as ModelError | undefined)?.retryable }).toEqual({
        message: undefined,
        error: 'IncompleteStreamError',
        retryable: true,
      })
    }
  })
})

/** The places where an event is over, whatever ends its lines: behind each empty line that more data follows. */
function endsOfEvents(bytes: Uint8Array): readonly number[] {
  const text = Buffer.from(bytes).toString('latin1')
  const last = text.lastIndexOf('data:')
  return [...text.matchAll(/(\r\n|\n|\r){2}/g)].map(({ index, 0: { length } }) => index + length).filter((end) => end <= last)
}
