// What servers say in words and codes of their own.
import { describe, expect, it } from 'vitest'
import { httpError } from '../../../src/providers/wire/http-error.ts'
import { providerError } from '../../../src/providers/wire/provider-error.ts'

const said = (status: number, message: string, code?: string | number) => {
  const body = JSON.stringify({ error: { message, ...(code !== undefined && { code }) } })
  const { name, retryable } = httpError({ status, headers: new Headers() }, body, { provider: 'p' }, 0)
  return { name, retryable }
}
const inStream = (message: string, code: string) => {
  const { name, retryable } = providerError({ error: { message, code } }, { provider: 'p' })
  return { name, retryable }
}

describe('a prompt that is too long, as it is told', () => {
  it.each<readonly [string, number, string, string | number | undefined]>([
    ['vLLM', 400, 'The decoder prompt (length 40000) is longer than the maximum model length of 32768.', undefined],
    ['vLLM, newer', 400, 'The engine prompt length 1601975 exceeds the max_model_len 8192. Please reduce prompt.', undefined],
    ['SGLang', 400, 'Requested input length 133000 exceeds maximum input length 131072', undefined],
    ['text-generation-inference', 422, '`inputs` must have less than 4095 tokens. Given: 5000', undefined],
    ['Qwen', 400, '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]', 'invalid_parameter_error'],
    ['GLM', 400, 'Prompt exceeds max length', '1261'],
    ['Kimi', 400, 'Invalid request: Your request exceeded model token limit: 262144 (requested: 270000)', undefined],
    ['Copilot', 400, 'prompt token count of 200000 exceeds the limit of 128000', 'model_max_prompt_tokens_exceeded'],
    ['Copilot, by the code', 400, 'too much', 'model_max_prompt_tokens_exceeded'],
    ['Cohere', 400, 'too many tokens: total number of tokens in the prompt cannot exceed 4081', undefined],
    ['Ark', 400, 'Total tokens of image and text exceed max message tokens', undefined],
    ['Ollama', 400, 'prompt too long; exceeded max context length by 100 tokens', undefined],
    ['MiniMax', 400, 'invalid params, context window exceeds limit (2013)', undefined],
    ['Gemini, of the body', 400, 'Request payload size exceeds the limit: 20971520 bytes.', undefined],
    ['a gateway', 400, 'The number of tokens in the prompt (9000) exceeds the model limit of 8192', undefined],
    [
      'OpenAI, more than a minute allows',
      429,
      'Request too large for gpt on tokens per min (TPM): Limit 30000, Requested 48000.',
      'rate_limit_exceeded',
    ],
    [
      'Groq, more than a minute allows',
      413,
      'Request too large for model on tokens per minute (TPM): Limit 6000, Requested 7000',
      'rate_limit_exceeded',
    ],
  ])('by %s', (_who, status, message, code) =>
    expect(said(status, message, code)).toEqual({ name: 'ContextOverflowError', retryable: false }),
  )

  it.each<readonly [string, number, string]>([
    ['a picture', 400, 'messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes'],
    [
      'too many tools',
      400,
      "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 200.",
    ],
    ['another limit of the output', 400, 'The maximum tokens you requested exceeds the model limit of 4096.'],
    ['a limit of the output', 400, 'max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens'],
    [
      'the size of a picture',
      400,
      'The image length and width do not meet the model restrictions. [height:1 or width:1 must be larger than 10]',
    ],
  ])('is not %s', (_what, status, message) => expect(said(status, message).name).toBe('InvalidRequestError'))

  it('is no limit of tokens a minute, in a stream too', () => {
    const message = 'This request would exceed your limit of 80,000 input tokens per minute.'
    expect(said(429, message)).toEqual({ name: 'ThrottledError', retryable: true })
    expect(inStream(message, 'rate_limit_error')).toEqual({ name: 'ThrottledError', retryable: true })
    expect(said(429, 'Too many tokens, please wait before trying again.').name).toBe('ThrottledError')
  })
})

describe('a budget that is spent is not waited for, and another model may take over', () => {
  it.each<readonly [number, string, string | number | undefined]>([
    [402, 'Insufficient Balance', 'invalid_request_error'],
    [402, 'This request requires more credits, or fewer max_tokens.', 402],
    [400, 'Your credit balance is too low to access the Anthropic API.', 'invalid_request_error'],
    [429, 'Insufficient balance or no resource package. Please recharge.', '1113'],
    [429, 'Usage limit reached for 5 hour. Your limit will reset at 2026-01-01 12:00:00', '1308'],
    [429, 'Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day', 429],
    [429, 'x', 'insufficient_quota'],
  ])('%i %s', (status, message, code) => expect(said(status, message, code)).toEqual({ name: 'ThrottledError', retryable: false }))

  it('in a stream too', () => expect(inStream('x', 'usage_limit_reached')).toEqual({ name: 'ThrottledError', retryable: false }))
  it('but Gemini says so of a minute as well', () =>
    expect(said(429, 'You exceeded your current quota, please check your plan and billing details. Please retry in 34.4s.').retryable).toBe(
      true,
    ))
})

it.each<readonly [number, string, string | undefined]>([
  [400, 'Input data may contain inappropriate content.', 'data_inspection_failed'],
  [400, 'Content Exists Risk', 'invalid_request_error'],
  [403, 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO', undefined],
  [400, 'x', 'cyber_policy_violation'],
])('what is filtered: %i %s', (status, message, code) => expect(said(status, message, code).name).toBe('ContentFilterError'))

it.each([
  ['Invalid prompt: your prompt was flagged as potentially violating our usage policy.', 'invalid_prompt'],
  ['This content was flagged', 'cyber_policy'],
])('what is filtered, in a stream: %s', (message, code) => expect(inStream(message, code).name).toBe('ContentFilterError'))

it.each([
  [409, 'Conflict'],
  [425, 'Too early'],
])('what may pass: %i', (status, message) => expect(said(status, message)).toEqual({ name: 'OverloadedError', retryable: true }))

it('a server that asks to slow down, in a stream', () =>
  expect(inStream('x', 'slow_down')).toEqual({ name: 'OverloadedError', retryable: true }))
