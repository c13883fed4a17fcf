import { describe, expect, it } from 'vitest'
import { openai } from '../../../src/providers/openai/index.ts'
import { answer, request } from '../support/answer.ts'
import type { Answer } from '../support/answer.ts'
import { chunk, chunks, fakeFetch } from '../support/fake-fetch.ts'

const answerTo = (body: string, options: { readonly raw?: boolean } = {}): Promise<Answer> =>
  answer(openai('gpt', { api: 'chat', apiKey: 'k', fetch: fakeFetch(body).fetch, provider: 'p' }), request(), options)
const finish = chunk({}, 'stop')

describe('an answer', () => {
  it('is told event by event', async () => {
    const { events } = await answerTo(
      chunks(
        chunk({ role: 'assistant', content: '' }),
        chunk({ reasoning_content: 'hm' }),
        chunk({ content: 'Hel' }),
        chunk({ content: 'lo' }),
        finish,
        { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } },
      ),
    )
    expect(events).toEqual([
      { type: 'message_start', model: 'm-1', responseId: 'c1' },
      { type: 'block_start', index: 0, block: { type: 'reasoning' } },
      { type: 'block_delta', index: 0, delta: { type: 'reasoning', text: 'hm' } },
      { type: 'block_stop', index: 0 },
      { type: 'block_start', index: 1, block: { type: 'text' } },
      { type: 'block_delta', index: 1, delta: { type: 'text', text: 'Hel' } },
      { type: 'block_delta', index: 1, delta: { type: 'text', text: 'lo' } },
      { type: 'block_stop', index: 1 },
      { type: 'message_stop', stopReason: 'end_turn' },
      { type: 'metadata', usage: { inputTokens: 3, outputTokens: 2 }, cumulative: true },
    ])
  })

  it("shows the provider's chunks before what is made of them, on request", async () => {
    const said = chunk({ content: 'a' })
    const { events } = await answerTo(chunks(said, finish), { raw: true })
    expect(events).toEqual([
      { type: 'raw', chunk: said },
      { type: 'message_start', model: 'm-1', responseId: 'c1' },
      { type: 'block_start', index: 0, block: { type: 'text' } },
      { type: 'block_delta', index: 0, delta: { type: 'text', text: 'a' } },
      { type: 'raw', chunk: finish },
      { type: 'block_stop', index: 0 },
      { type: 'message_stop', stopReason: 'end_turn' },
    ])
  })

  it('keeps the order of text, call and text', async () => {
    const { message } = await answerTo(
      chunks(
        chunk({ content: 'A' }),
        chunk({ tool_calls: [{ index: 0, id: 'x', function: { name: 'add', arguments: '{}' } }] }),
        chunk({ content: 'B' }),
        finish,
      ),
    )
    expect(message?.content).toEqual([
      { type: 'text', text: 'A' },
      { type: 'tool_use', id: 'call_1', name: 'add', input: {}, provider: { p: { id: 'x' } } },
      { type: 'text', text: 'B' },
    ])
    expect(message?.stopReason).toBe('tool_use')
  })

  it('may hold several deltas in one chunk', async () => {
    const { message } = await answerTo(
      chunks(
        chunk(
          {
            reasoning: 'hm',
            content: 'so',
            tool_calls: [
              { index: 0, id: 'x', function: { name: 'add', arguments: '{}' } },
              { index: 1, id: 'y', function: { name: 'add', arguments: '{}' } },
            ],
          },
          'tool_calls',
        ),
      ),
    )
    expect(message?.content.map(({ type }) => type)).toEqual(['reasoning', 'text', 'tool_use', 'tool_use'])
  })

  it('may come as parts', async () => {
    const { message } = await answerTo(
      chunks(
        chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }),
        chunk({
          content: [
            { type: 'thinking', thinking: '!' },
            { type: 'text', text: 'so' },
            { type: 'reference', reference_ids: [1] },
          ],
        }),
        finish,
      ),
    )
    expect(message?.content).toEqual([
      { type: 'reasoning', text: 'hm!' },
      { type: 'text', text: 'so' },
    ])
  })

  it('may be a refusal', async () => {
    const { message } = await answerTo(chunks(chunk({ refusal: 'I can' }), chunk({ refusal: 'not.' }), finish))
    expect(message).toMatchObject({ content: [{ type: 'text', text: 'I cannot.' }], stopReason: 'refusal' })
  })

  it('may cite', async () => {
    const cited = { url: 'https://x.test', title: 'X', content: 'words', start_index: 0, end_index: 4 }
    const { message } = await answerTo(
      chunks(chunk({ content: 'Text' }), chunk({ content: '', annotations: [{ type: 'url_citation', url_citation: cited }] }), finish),
    )
    expect(message?.content).toEqual([
      { type: 'text', text: 'Text', citations: [{ url: 'https://x.test', title: 'X', quote: 'words', start: 0, end: 4 }] },
    ])
  })

  it('passes over keep-alives, other choices, and what it does not know', async () => {
    const other = {
      ...(chunk({ content: 'no' }) as object),
      choices: [
        { index: 1, delta: { content: 'no' } },
        { index: 0, delta: { content: 'yes', audio: {} } },
      ],
    }
    const { message } = await answerTo(
      `: keep-alive\n\ndata:\n\ndata: null\n\ndata: {"x":1}\n\ndata: {"choices":null}\n\ndata: {"choices":[{"index":0,"delta":null}]}\n\n${chunks(other, finish)}`,
    )
    expect(message?.content).toEqual([{ type: 'text', text: 'yes' }])
  })

  it('ends with [DONE], whatever comes behind it', async () => {
    const { message } = await answerTo(`${chunks(chunk({ content: 'a' }))}data: {"error":{"message":"late"}}\n\n`)
    expect(message).toMatchObject({ content: [{ type: 'text', text: 'a' }], stopReason: 'end_turn' })
  })
})

describe('the reason of the stop', () => {
  it.each([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['model_length', 'context_window_exceeded'],
    ['content_filter', 'content_filtered'],
    ['eos', 'end_turn'],
    ['something new', 'end_turn'],
    ['tool_calls', 'end_turn'],
  ])('%s is %s, without calls', async (said, reason) =>
    expect((await answerTo(chunks(chunk({ content: 'a' }), chunk({}, said)))).message?.stopReason).toBe(reason),
  )

  it('is the last that was given', async () => {
    const { events } = await answerTo(chunks(chunk({ content: 'a' }), chunk({}, 'stop'), chunk({}, 'stop'), chunk({}, 'length')))
    expect(events.filter(({ type }) => type === 'message_stop')).toEqual([
      { type: 'message_stop', stopReason: 'end_turn' },
      { type: 'message_stop', stopReason: 'max_tokens' },
    ])
  })

  it.each(['error', 'insufficient_system_resource'])('%s is an error', async (said) => {
    expect((await answerTo(chunks(chunk({ content: 'a' }), chunk({}, said)))).error).toMatchObject({
      name: 'OverloadedError',
      retryable: true,
    })
  })
})

describe('usage', () => {
  const usageOf = async (...usages: readonly unknown[]): Promise<unknown> =>
    (await answerTo(chunks(chunk({ content: 'a' }), ...usages.map((usage) => ({ choices: [], usage })), finish))).message?.usage

  it('is the last that was given', async () => {
    expect(await usageOf({ prompt_tokens: 1, completion_tokens: 1 }, null, { prompt_tokens: 5, completion_tokens: 7 }, null)).toEqual({
      inputTokens: 5,
      outputTokens: 7,
      totalTokens: 12,
    })
  })

  it.each<readonly [string, unknown, unknown]>([
    [
      "OpenAI's details",
      {
        prompt_tokens: 5,
        completion_tokens: 7,
        prompt_tokens_details: { cached_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 2 },
      },
      { inputTokens: 5, outputTokens: 7, totalTokens: 12, cacheReadTokens: 3, reasoningTokens: 2 },
    ],
    [
      'what was written to a cache',
      { prompt_tokens: 5, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 4 } },
      { inputTokens: 5, outputTokens: 7, totalTokens: 12, cacheReadTokens: 0, cacheWriteTokens: 4 },
    ],
    [
      'cache hits under other names',
      { prompt_tokens: 5, completion_tokens: 7, prompt_cache_hit_tokens: 2 },
      { inputTokens: 5, outputTokens: 7, totalTokens: 12, cacheReadTokens: 2 },
    ],
    [
      'details that are null',
      { prompt_tokens: 5, completion_tokens: 7, prompt_tokens_details: null, completion_tokens_details: { reasoning_tokens: null } },
      { inputTokens: 5, outputTokens: 7, totalTokens: 12 },
    ],
  ])('has %s', async (_what, usage, expected) => expect(await usageOf(usage)).toEqual(expected))

  it('may stand in a field of another name, or in the choice', async () => {
    expect(
      (
        await answerTo(
          chunks({ ...(chunk({ content: 'a' }, 'stop') as object), x_groq: { usage: { prompt_tokens: 1, completion_tokens: 2 } } }),
        )
      ).message?.usage,
    ).toEqual({ inputTokens: 1, outputTokens: 2, totalTokens: 3 })
    expect(
      (
        await answerTo(
          chunks({
            choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop', usage: { prompt_tokens: 1, completion_tokens: 2 } }],
          }),
        )
      ).message?.usage,
    ).toEqual({ inputTokens: 1, outputTokens: 2, totalTokens: 3 })
  })

  it('is absent when none was given', async () => expect(await usageOf(null)).toBe(undefined))
})
