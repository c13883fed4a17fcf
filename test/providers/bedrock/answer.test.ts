import { describe, expect, it } from 'vitest'
import { IncompleteStreamError, ModelError } from '../../../src/errors.ts'
import type { AssembledMessage } from '../../../src/models/assemble.ts'
import { answer } from '../support/answer.ts'
import { answerTo, eventStream, eventStreamType, fetchOf, modelOf } from './support/ask.ts'
import type { WireEvent } from './support/frames.ts'
import { adds, begins, calls, closes, counts, ends, frame, frames, joined, opens, says, stops } from './support/frames.ts'
import { useOwnEnvironment } from './support/env.ts'

useOwnEnvironment()

const messageOf = async (...events: readonly WireEvent[]): Promise<AssembledMessage> => {
  const { message, error } = await answerTo([begins, ...events])
  if (!message) throw error
  return message
}
const contentOf = async (...events: readonly WireEvent[]): Promise<AssembledMessage['content']> =>
  (await messageOf(...events, ...ends())).content
const own = { bedrock: { maker: 'anthropic' } }

describe('an answer', () => {
  it('is told event by event, as it comes', async () => {
    const { events } = await answerTo([begins, ...says(0, 'hi'), ...calls(1, 'look', '{"at":1}'), ...ends('tool_use')])
    expect(events).toEqual([
      { type: 'message_start' },
      { type: 'block_delta', index: 0, delta: { type: 'text', text: 'hi' } },
      { type: 'block_stop', index: 0 },
      { type: 'block_start', index: 1, block: { type: 'tool_use', id: 'tooluse_1', name: 'look' } },
      { type: 'block_delta', index: 1, delta: { type: 'tool_input', text: '{"at":1}' } },
      { type: 'block_stop', index: 1 },
      { type: 'message_stop', stopReason: 'tool_use' },
      { type: 'metadata', usage: { inputTokens: 3, outputTokens: 5 }, cumulative: true },
    ])
  })

  it('names the request that it answers', async () => {
    const response = (): Response => {
      const made = eventStream(frames(begins, ...says(0, 'hi'), ...ends()))
      made.headers.set('x-amzn-requestid', 'req-1')
      return made
    }
    const { events } = await answer(modelOf(fetchOf(response)))
    expect(events[0]).toEqual({ type: 'message_start', responseId: 'req-1' })
  })

  it('is told with the events of the wire, each before what was made of it, when they are asked for', async () => {
    const chunks: readonly WireEvent[] = [
      begins,
      adds(0, { reasoningContent: { redactedContent: 'REFUQQ==' } }),
      closes(0),
      ...says(1, 'hi'),
      ...ends(),
    ]
    const { events } = await answerTo(chunks, { raw: true })
    expect(events.filter(({ type }) => type === 'raw')).toEqual(chunks.map(([name, data]) => ({ type: 'raw', chunk: { [name]: data } })))
    expect(events.slice(0, 3).map(({ type }) => type)).toEqual(['raw', 'message_start', 'raw'])
  })

  it.each([
    ['end_turn', 'end_turn'],
    ['stop_sequence', 'stop_sequence'],
    ['max_tokens', 'max_tokens'],
    ['content_filtered', 'content_filtered'],
    ['guardrail_intervened', 'guardrail_intervened'],
    ['model_context_window_exceeded', 'context_window_exceeded'],
    ['tool_use', 'end_turn'],
    ['something_new', 'end_turn'],
  ])('that stopped for %s ends with %s', async (said, stopReason) =>
    expect((await messageOf(...says(0, 'hi'), ...ends(said))).stopReason).toBe(stopReason),
  )

  it('names the stop sequence, where it was asked for', async () => {
    const { events } = await answerTo([begins, stops('stop_sequence', { additionalModelResponseFields: { stop_sequence: 'END' } })])
    expect(events.at(-1)).toEqual({ type: 'message_stop', stopReason: 'stop_sequence', stopSequence: 'END' })
  })

  it('with calls asks for tools, whatever it says', async () =>
    expect((await messageOf(...calls(0, 'look', '{}'), ...ends('end_turn'))).stopReason).toBe('tool_use'))

  it('counts what came out of a cache and went into one as input', async () => {
    const usage = { inputTokens: 10, outputTokens: 7, totalTokens: 167, cacheReadInputTokens: 100, cacheWriteInputTokens: 50 }
    expect((await messageOf(...says(0, 'hi'), stops('end_turn'), counts(usage))).usage).toEqual({
      inputTokens: 160,
      outputTokens: 7,
      totalTokens: 167,
      cacheReadTokens: 100,
      cacheWriteTokens: 50,
    })
  })

  it('may be counted before it ends', async () =>
    expect((await messageOf(...says(0, 'hi'), counts(), stops('end_turn'))).usage).toEqual({
      inputTokens: 3,
      outputTokens: 5,
      totalTokens: 8,
    }))

  it('passes over what it does not know', async () => {
    const strange: readonly WireEvent[] = [['sparkle', { at: 1 }], adds(0, { sparkle: { at: 1 } }), opens(7, { sparkle: {} }), opens(8, {})]
    expect(await contentOf(...strange, ...says(0, 'hi'), ...strange)).toEqual([{ type: 'text', text: 'hi' }])
  })
})

describe('blocks', () => {
  it('of thinking keep their own signature, also without a word', async () => {
    const thinks = (index: number, ...parts: readonly object[]): readonly WireEvent[] => [
      ...parts.map((part) => adds(index, { reasoningContent: { ...part } })),
      closes(index),
    ]
    expect(
      await contentOf(
        ...thinks(0, { text: 'h' }, { text: 'm' }, { signature: 'SIG1' }),
        ...thinks(1, { signature: 'SIG2' }),
        // In pieces, none of which is base64 that ends well.
        ...thinks(2, { redactedContent: 'REE=' }, { redactedContent: 'VEE=' }),
        ...thinks(3, { text: 'unsigned' }),
        ...says(4, 'hi'),
      ),
    ).toEqual([
      { type: 'reasoning', text: 'hm', signature: 'SIG1', provider: own },
      { type: 'reasoning', text: '', signature: 'SIG2', provider: own },
      { type: 'reasoning', text: '', redacted: btoa('DATA'), provider: own },
      { type: 'reasoning', text: 'unsigned' },
      { type: 'text', text: 'hi' },
    ])
  })

  it('carry citations, in our words and as they came', async () => {
    const page = {
      title: 't',
      source: 'doc',
      sourceContent: [{ text: 'q' }],
      location: { documentChar: { documentIndex: 0, start: 1, end: 2 } },
    }
    const site = { location: { web: { url: 'https://e.example/p', domain: 'e.example' } } }
    expect(await contentOf(adds(0, { text: 'so' }), adds(0, { citation: page }), adds(0, { citation: site }), closes(0))).toEqual([
      {
        type: 'text',
        text: 'so',
        citations: [
          { title: 't', quote: 'q', start: 1, end: 2, provider: { bedrock: page } },
          { title: 'e.example', url: 'https://e.example/p', provider: { bedrock: site } },
        ],
      },
    ])
  })

  it('of the server are kept with what it wants back', async () => {
    const { message } = await answerTo(
      [
        begins,
        opens(0, { toolUse: { toolUseId: 'srv_1', name: 'nova_grounding', type: 'server_tool_use' } }),
        adds(0, { toolUse: { input: '{"query":"q"}' } }),
        closes(0),
        opens(1, { toolResult: { toolUseId: 'srv_1', type: 'nova_grounding_result', status: 'success' } }),
        adds(1, { toolResult: [{ text: 'a' }] }),
        adds(1, { toolResult: [{ json: { n: 1 } }] }),
        closes(1),
        ...ends(),
      ],
      { id: 'us.amazon.nova-2-lite-v1:0' },
    )
    expect(message!.content).toEqual([
      { type: 'server_tool_use', id: 'srv_1', name: 'nova_grounding', input: { query: 'q' }, provider: { bedrock: { maker: 'amazon' } } },
      {
        type: 'server_tool_result',
        toolUseId: 'srv_1',
        content: [{ text: 'a' }, { json: { n: 1 } }],
        provider: { bedrock: { maker: 'amazon', type: 'nova_grounding_result', status: 'success' } },
      },
    ])
  })

  it('of pictures are told whole, also when their stop never comes', async () =>
    expect(
      await contentOf(
        opens(0, { image: { format: 'png' } }),
        adds(0, { image: { source: { bytes: 'REE=' } } }),
        adds(0, { image: { source: { bytes: 'VEE=' } } }),
        closes(0),
        opens(1, { image: { format: 'jpeg' } }),
        adds(1, { image: { source: { s3Location: { uri: 's3://b/k' } } } }),
      ),
    ).toEqual([
      { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: btoa('DATA') } },
      { type: 'image', mediaType: 'image/jpeg', source: { type: 'url', url: 's3://b/k' } },
    ]))

  it('may interleave', async () =>
    expect(
      await contentOf(
        adds(0, { text: 'a' }),
        opens(1, { toolUse: { toolUseId: 't', name: 'look' } }),
        adds(1, { toolUse: { input: '{"at"' } }),
        adds(0, { text: 'b' }),
        adds(1, { toolUse: { input: ':1}' } }),
        closes(1),
        closes(0),
      ),
    ).toEqual([
      { type: 'text', text: 'ab' },
      expect.objectContaining({ type: 'tool_use', input: { at: 1 }, provider: { bedrock: { id: 't' } } }),
    ]))
})

describe('an answer is not complete', () => {
  it.each([
    ['nothing', frames()],
    ['its beginning', frames(begins)],
    ['its blocks', frames(begins, ...says(0, 'hi'))],
    ['its counts', frames(begins, ...says(0, 'hi'), counts())],
    ['half of its end', frames(begins, ...says(0, 'hi'), stops('end_turn')).slice(0, -5)],
    ['half of its counts', frames(begins, ...says(0, 'hi'), ...ends()).slice(0, -5)],
    [
      'a checksum that is wrong',
      frames(begins, ...says(0, 'hi'), ...ends()).map((byte, i, { length }) => (i === length - 1 ? byte ^ 1 : byte)),
    ],
  ])('with %s alone', async (_name, body) => {
    const { message, error } = await answer(modelOf(fetchOf(body)))
    expect([message, error]).toEqual([undefined, expect.any(IncompleteStreamError)])
    expect((error as IncompleteStreamError).message).not.toContain('Deserialization')
  })

  it('without a body', async () => {
    const { message, error } = await answer(modelOf(fetchOf(() => new Response(null, { headers: { 'content-type': eventStreamType } }))))
    expect([message, (error as Error).message]).toEqual([undefined, 'The stream ended before the message was complete.'])
  })

  it.each(['malformed_model_output', 'malformed_tool_use'])('that stopped for %s, and may be tried again', async (reason) => {
    const { message, error, partialText } = await answerTo([begins, ...says(0, 'hi'), ...ends(reason)])
    expect([message, partialText, (error as ModelError).retryable, (error as Error).message]).toEqual([
      undefined,
      'hi',
      true,
      `bedrock: the model wrote what could not be read (stopReason "${reason}").`,
    ])
  })
})

describe('an exception in the stream', () => {
  it.each([
    ['throttlingException', 'throttled', true],
    ['ThrottlingException', 'throttled', true],
    ['serviceUnavailableException', 'overloaded', true],
    ['internalServerException', 'overloaded', true],
    ['modelStreamErrorException', 'incomplete_stream', true],
    ['modelTimeoutException', 'network', true],
    ['validationException', 'invalid_request', false],
    ['accessDeniedException', 'authentication', false],
  ])('%s is %s, and what came before is told', async (name, code, retryable) => {
    const { message, error, partialText } = await answerTo([begins, ...says(0, 'hi'), [name, { message: 'Sorry' }]])
    expect(error).toBeInstanceOf(ModelError)
    const { code: got, retryable: again, message: said, status } = error as ModelError
    expect([message, partialText, got, again, said.startsWith('bedrock: Sorry'), status]).toEqual([
      undefined,
      'hi',
      code,
      retryable,
      true,
      undefined,
    ])
  })

  it('may come first', async () => {
    const { error } = await answerTo([['throttlingException', { message: 'Sorry' }]])
    expect([(error as ModelError).code, (error as Error).message]).toEqual(['throttled', 'bedrock: Sorry'])
  })

  it('may be an event like any other', async () => {
    const event = frame(
      { ':event-type': 'throttlingException', ':content-type': 'application/json', ':message-type': 'event' },
      '{"message":"Sorry"}',
    )
    const { error } = await answer(modelOf(fetchOf(joined([frames(begins), event]))))
    expect([(error as ModelError).code, (error as Error).message]).toEqual(['throttled', 'bedrock: Sorry'])
  })

  it('may be an error that the service has no name for', async () => {
    const broken = frame({ ':message-type': 'error', ':error-code': 'InternalFailure', ':error-message': 'Sorry' }, '')
    const { error } = await answer(modelOf(fetchOf(joined([frames(begins), broken]))))
    expect([(error as ModelError).code, (error as Error).message]).toEqual(['overloaded', 'bedrock: Sorry'])
  })

  it('says what the model behind the service said', async () => {
    const codeOf = async (originalStatusCode: number): Promise<string> =>
      ((await answerTo([begins, ['modelStreamErrorException', { message: 'Sorry', originalStatusCode }]])).error as ModelError).code
    expect([await codeOf(429), await codeOf(400), await codeOf(500)]).toEqual(['throttled', 'invalid_request', 'incomplete_stream'])
  })
})
