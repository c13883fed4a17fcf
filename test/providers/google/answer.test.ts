import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import type { AssistantBlock } from '../../../src/messages/content.ts'
import { google } from '../../../src/providers/google/index.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import type { Sent } from './support/ask.ts'
import { answerTo, eventStream, fetchOf } from './support/ask.ts'
import { call, ends, parts, saying, sse, text, thought } from './support/sse.ts'

/** The blocks that these chunks come to, the last of them ending the message. */
async function blocksOf(...chunks: readonly JsonObject[]): Promise<readonly AssistantBlock[]> {
  const { message, error } = await answerTo(sse(...chunks, ends()))
  if (!message) throw error
  return message.content
}
const own = (google: object): object => ({ provider: { google } })

describe('an answer', () => {
  it('is told as it comes', async () => {
    const { events } = await answerTo(
      sse(parts(thought('hm')), parts(text('he')), parts(text('llo')), ends('STOP', call('look', { at: 1 }))),
      { raw: true },
    )
    expect(events.filter(({ type }) => type !== 'raw')).toEqual([
      { type: 'message_start', model: 'gemini-test', responseId: 'r1' },
      { type: 'block_start', index: 0, block: { type: 'reasoning' } },
      { type: 'block_delta', index: 0, delta: { type: 'reasoning', text: 'hm' } },
      { type: 'block_stop', index: 0 },
      { type: 'block_start', index: 1, block: { type: 'text' } },
      { type: 'block_delta', index: 1, delta: { type: 'text', text: 'he' } },
      { type: 'block_delta', index: 1, delta: { type: 'text', text: 'llo' } },
      { type: 'block_stop', index: 1 },
      { type: 'block_start', index: 2, block: { type: 'tool_use', name: 'look' } },
      { type: 'block_delta', index: 2, delta: { type: 'tool_input', text: '{"at":1}' } },
      { type: 'block_stop', index: 2 },
      { type: 'metadata', usage: { inputTokens: 3, outputTokens: 5 }, cumulative: true },
      { type: 'message_stop', stopReason: 'end_turn' },
    ])
    expect(events.filter(({ type }) => type === 'raw')).toEqual(
      [parts(thought('hm')), parts(text('he')), parts(text('llo')), ends('STOP', call('look', { at: 1 }))].map((chunk) => ({
        type: 'raw',
        chunk,
      })),
    )
    expect(events[0]!.type).toBe('raw')
  })

  it('is the first of several', async () => {
    const other = {
      candidates: [{ content: { parts: [text('no')] }, index: 1, finishReason: 'SAFETY' }, { content: { parts: [text('yes')] } }],
    }
    expect(await blocksOf(other, { candidates: [{ content: { parts: [text('no')] }, index: 1 }] })).toEqual([{ type: 'text', text: 'yes' }])
  })

  it('passes over what says nothing, and what is not known', async () => {
    const odd = [
      {},
      { candidates: [] },
      { candidates: [{}] },
      { candidates: [{ content: {} }] },
      parts(),
      parts(text(''), {}, { laterKind: { a: 1 } }),
      parts({ functionCall: {} }),
    ]
    expect(await blocksOf(parts(text('a')), ...odd, parts(text('b')))).toEqual([{ type: 'text', text: 'ab' }])
  })

  it('keeps the ids of calls, but not one that comes again', async () => {
    const content = await blocksOf(
      parts({ functionCall: { id: 'fc', name: 'a', args: {} } }, { functionCall: { id: 'fc', name: 'b' } }, call('c')),
    )
    expect(content).toEqual([
      { type: 'tool_use', id: 'call_1', name: 'a', input: {}, provider: { google: { id: 'fc' } } },
      { type: 'tool_use', id: 'call_2', name: 'b', input: {} },
      { type: 'tool_use', id: 'call_3', name: 'c', input: {} },
    ])
  })

  it('holds pictures, but no sketches', async () => {
    const inlineData = { mimeType: 'image/png', data: 'aGk=' }
    const image = { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'aGk=' } }
    const content = await blocksOf(
      parts(
        { inlineData, thought: true },
        text('here'),
        { inlineData, thoughtSignature: 'S' },
        { fileData: { mimeType: 'audio/wav', fileUri: 'gs://a' } },
      ),
    )
    expect(content).toEqual([
      { type: 'text', text: 'here' },
      { ...image, ...own({ thoughtSignature: 'S' }) },
      { type: 'document', mediaType: 'audio/wav', source: { type: 'url', url: 'gs://a' } },
    ])
  })

  it('holds what the server ran, and what came of it', async () => {
    const list = [
      { executableCode: { language: 'PYTHON', code: '1+1' }, thoughtSignature: 'S' },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2' } },
      { toolCall: { id: 't1', toolType: 'GOOGLE_SEARCH_WEB', args: { q: 'x' } } },
      { toolResponse: { id: 't1', toolType: 'GOOGLE_SEARCH_WEB', response: { hits: 1 } } },
    ]
    expect(await blocksOf(parts(...list))).toEqual([
      {
        type: 'server_tool_use',
        id: 'server_0',
        name: 'code_execution',
        input: { language: 'PYTHON', code: '1+1' },
        ...own({ part: list[0] }),
      },
      { type: 'server_tool_result', toolUseId: 'server_0', content: { outcome: 'OUTCOME_OK', output: '2' }, ...own({ part: list[1] }) },
      { type: 'server_tool_use', id: 't1', name: 'google_search_web', input: { q: 'x' }, ...own({ part: list[2] }) },
      { type: 'server_tool_result', toolUseId: 't1', content: { hits: 1 }, ...own({ part: list[3] }) },
    ])
  })

  it('counts what was reported last, field by field', async () => {
    const { message } = await answerTo(
      sse(
        { ...parts(text('a')), usageMetadata: { promptTokenCount: 9, thoughtsTokenCount: 4, trafficType: 'ON_DEMAND' } },
        {
          ...ends(),
          usageMetadata: {
            promptTokenCount: 10,
            candidatesTokenCount: 2,
            cachedContentTokenCount: 8,
            toolUsePromptTokenCount: 5,
            totalTokenCount: 21,
          },
        },
      ),
    )
    expect(message!.usage).toEqual({ inputTokens: 15, outputTokens: 6, totalTokens: 21, cacheReadTokens: 8, reasoningTokens: 4 })
  })
})

describe('a signature', () => {
  it('belongs to the block on whose part it came, the last one counts', async () => {
    expect(
      await blocksOf(
        parts(thought('a', 'S1')),
        parts(text('b')),
        parts(text('c', 'S2')),
        parts(text('d', 'S3')),
        parts(call('look', {}, { thoughtSignature: 'S4' })),
      ),
    ).toEqual([
      { type: 'reasoning', text: 'a', ...own({ thoughtSignature: 'S1' }) },
      { type: 'text', text: 'bcd', ...own({ thoughtSignature: 'S3' }) },
      { type: 'tool_use', id: 'call_1', name: 'look', input: {}, ...own({ thoughtSignature: 'S4' }) },
    ])
  })

  it('on a part without text is kept as that', async () => {
    expect(await blocksOf(parts(text('a')), parts(text('', 'S')))).toEqual([
      { type: 'text', text: 'a', ...own({ thoughtSignature: 'S', emptyPart: 'text' }) },
    ])
    expect(await blocksOf(parts(text('a')), parts(text('', 'S')), parts(text('b', 'S2')))).toEqual([
      { type: 'text', text: 'ab', ...own({ thoughtSignature: 'S2', emptyPart: false }) },
    ])
    expect(await blocksOf(parts(thought('a')), parts(thought('', 'S')))).toEqual([
      { type: 'reasoning', text: 'a', ...own({ thoughtSignature: 'S', emptyPart: 'thought' }) },
    ])
  })

  it('that follows no text of its kind is thinking that cannot be read', async () => {
    expect(await blocksOf(parts(thought('a'), text('', 'S1')), parts({ thoughtSignature: 'S2' }, thought('', 'S3')))).toEqual([
      { type: 'reasoning', text: 'a' },
      { type: 'reasoning', text: '', ...own({ thoughtSignature: 'S1', emptyPart: 'text' }) },
      { type: 'reasoning', text: '', ...own({ thoughtSignature: 'S2', emptyPart: 'text' }) },
      { type: 'reasoning', text: '', ...own({ thoughtSignature: 'S3', emptyPart: 'thought' }) },
    ])
  })

  it('on the empty last part of an answer is on that part in the next request', async () => {
    const seen: Sent[] = []
    const answers = [sse(parts(text('It is ')), parts(text('4.')), ends('STOP', text('', 'S'))), saying('5.')]
    const agent = new Agent({
      model: google('gemini-3-flash-preview', { apiKey: 'k', fetch: fetchOf(() => eventStream(answers[seen.length - 1]), seen) }),
    })
    await agent.invoke('2 + 2?')
    await agent.invoke('2 + 3?')
    expect(seen[1]!.body.contents).toEqual([
      { role: 'user', parts: [{ text: '2 + 2?' }] },
      { role: 'model', parts: [{ text: 'It is 4.' }, { text: '', thoughtSignature: 'S' }] },
      { role: 'user', parts: [{ text: '2 + 3?' }] },
    ])
  })
})

describe('the end of an answer', () => {
  it.each([
    ['STOP', 'end_turn'],
    ['MAX_TOKENS', 'max_tokens'],
    ['SAFETY', 'content_filtered'],
    ['RECITATION', 'content_filtered'],
    ['BLOCKLIST', 'content_filtered'],
    ['PROHIBITED_CONTENT', 'content_filtered'],
    ['SPII', 'content_filtered'],
    ['IMAGE_SAFETY', 'content_filtered'],
  ])('%s is %s', async (reason, stopReason) => {
    const { message } = await answerTo(sse(parts(text('so far')), ends(reason)))
    expect([message!.content, message!.stopReason]).toEqual([[{ type: 'text', text: 'so far' }], stopReason])
  })

  it('is not what its calls make of it, when they are cut', async () => {
    const { message } = await answerTo(sse(ends('MAX_TOKENS', call('look'))))
    expect(message!.stopReason).toBe('max_tokens')
  })

  it('is content_filtered when the prompt was blocked', async () => {
    const { message } = await answerTo(
      sse({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: { promptTokenCount: 9 }, modelVersion: 'gemini-test' }),
    )
    expect(message).toMatchObject({ content: [], stopReason: 'content_filtered', usage: { inputTokens: 9 } })
  })

  it('may be followed by more', async () => {
    const { message } = await answerTo(sse(parts(text('a')), ends('STOP', text('b')), ends('STOP', text('c'))))
    expect(message!.content).toEqual([{ type: 'text', text: 'abc' }])
  })

  it('may have a mark behind it', async () => {
    const { message } = await answerTo(`${saying('hi')}: ping\n\ndata: [DONE]\n\n`)
    expect(message!.content).toEqual([{ type: 'text', text: 'hi' }])
  })

  it('need not have an empty line behind it', async () => {
    const { message } = await answerTo(saying('hi').trimEnd())
    expect(message!.content).toEqual([{ type: 'text', text: 'hi' }])
  })

  it('does not come when no reason is given', async () => {
    const { message, error, partialText } = await answerTo(sse(parts(text('a')), ends('FINISH_REASON_UNSPECIFIED', text('b'))))
    expect([message, (error as Error).message, partialText]).toEqual([undefined, 'The stream ended before the message was complete.', 'ab'])
  })
})
