import { describe, expect, it } from 'vitest'
import { openai } from '../../../src/providers/openai/index.ts'
import { answer } from '../support/answer.ts'
import { chunk, chunks, fakeFetch } from '../support/fake-fetch.ts'

const ended = (choice: object, ...before: readonly unknown[]) => {
  const { fetch } = fakeFetch(chunks(chunk({ content: 'a' }), ...before, { choices: [{ index: 0, delta: {}, ...choice }] }))
  return answer(openai('m', { api: 'chat', apiKey: 'k', fetch, provider: 'p' }))
}

describe('why an answer ended, as routers and other servers say it', () => {
  it.each([
    ['MAX_TOKENS', 'max_tokens'],
    ['max_output_tokens', 'max_tokens'],
    ['model_context_window_exceeded', 'context_window_exceeded'],
    ['content_filter: PROHIBITED_CONTENT', 'content_filtered'],
    ['sensitive', 'content_filtered'],
    ['SAFETY', 'content_filtered'],
    ['recitation', 'content_filtered'],
    ['guardrail_intervened', 'guardrail_intervened'],
    ['refusal', 'refusal'],
    ['STOP', 'end_turn'],
  ])('%s is %s', async (said, reason) => expect((await ended({ finish_reason: said })).message?.stopReason).toBe(reason))

  it.each(['network_error', 'abort', 'cancelled', 'timeout', 'ERROR'])('%s is no end', async (said) => {
    const { error, partialText } = await ended({ finish_reason: said })
    expect([error, partialText]).toEqual([expect.objectContaining({ name: 'OverloadedError', retryable: true }), 'a'])
  })

  it('a cut answer runs none of its calls', async () => {
    const call = chunk({ tool_calls: [{ index: 0, id: 'x', function: { name: 'add', arguments: '{"a":1}' } }] })
    expect((await ended({ finish_reason: 'MAX_TOKENS' }, call)).message?.stopReason).toBe('max_tokens')
  })
})

describe('a call that the server could not read is tried again as what broke off', () => {
  it.each([
    [{ finish_reason: 'function_call_filter: MALFORMED_FUNCTION_CALL' }, '"function_call_filter: MALFORMED_FUNCTION_CALL"'],
    [{ finish_reason: 'error', native_finish_reason: 'MALFORMED_FUNCTION_CALL' }, '"error", "MALFORMED_FUNCTION_CALL"'],
  ])('%j', async (choice, shown) =>
    expect((await ended(choice)).error).toMatchObject({
      name: 'IncompleteStreamError',
      message: `p: the model wrote a call that could not be read (finish_reason ${shown}).`,
    }),
  )
})

it.each([
  [{ code: 403, message: 'Your input was flagged for "violence".' }, 'ContentFilterError'],
  [{ code: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' }, 'ContextOverflowError'],
  [{ code: 429, message: 'Provider returned error' }, 'ThrottledError'],
])('an error in the choice says why: %j', async (error, name) => {
  expect((await ended({ finish_reason: 'error', error })).error).toMatchObject({ name, message: expect.stringContaining(error.message) })
  expect((await ended({ finish_reason: null, error })).error).toMatchObject({ name })
})
