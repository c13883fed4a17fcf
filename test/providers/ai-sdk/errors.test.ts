import {
  APICallError,
  EmptyResponseBodyError,
  InvalidResponseDataError,
  JSONParseError,
  LoadAPIKeyError,
  TypeValidationError,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import type { AuthenticationError, ModelError, ThrottledError } from '../../../src/errors.ts'
import { ContextOverflowError } from '../../../src/errors.ts'
import { aiSdk } from '../../../src/providers/ai-sdk/index.ts'
import { testClock } from '../../support/clock.ts'
import { answer, errorOf } from '../support/answer.ts'
import { answerTo, name } from './support/ask.ts'
import type { Part } from './support/scripted.ts'
import { says, scripted } from './support/scripted.ts'

const clock = testClock(Date.UTC(2026, 10, 1))
const thrown = (error: unknown): Promise<Error> => errorOf(aiSdk(scripted([() => Promise.reject(error)]).model, { clock }))
const told = async (error: unknown): Promise<ModelError> => (await answerTo([...says('a'), { type: 'error', error }])).error as ModelError
const broken = async (error: unknown): Promise<ModelError> => {
  const parts = [...says('a')]
  const stream = new ReadableStream<Part>({
    pull(controller) {
      const part = parts.shift()
      if (part) controller.enqueue(part)
      else controller.error(error)
    },
  })
  const { error: seen, partialText } = await answer(aiSdk(scripted([() => ({ stream })]).model))
  expect(partialText).toBe('a')
  return seen as ModelError
}

/** The error of a call, as the AI SDK throws it. */
const apiError = (statusCode: number | undefined, body: unknown, more: object = {}): APICallError =>
  new APICallError({
    message: 'Bad Thing',
    url: 'https://x.test/v1?key=secret',
    requestBodyValues: { prompt: 'secret' },
    responseBody: typeof body === 'string' ? body : JSON.stringify(body),
    ...(statusCode !== undefined && { statusCode }),
    ...more,
  })

describe('what the server refuses is a typed error', () => {
  it.each([
    [400, { error: { message: 'max_tokens: Field required', type: 'invalid_request_error' } }, 'invalid_request', false],
    [400, { error: { message: 'prompt is too long: 210000 tokens > 200000 maximum' } }, 'context_overflow', false],
    [
      400,
      { error: { message: "This model's maximum context length is 8192 tokens.", code: 'context_length_exceeded' } },
      'context_overflow',
      false,
    ],
    [400, { error: { message: 'Blocked by content filtering policy' } }, 'content_filter', false],
    [401, { error: { message: 'invalid x-api-key' } }, 'authentication', false],
    [404, { error: { message: 'model: m-9' } }, 'invalid_request', false],
    [409, { error: { message: 'conflict' } }, 'overloaded', true],
    [413, { error: { message: 'too large' } }, 'context_overflow', false],
    [429, { error: { message: 'slow down' } }, 'throttled', true],
    [429, { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } }, 'throttled', false],
    [500, { error: { message: 'oops' } }, 'overloaded', true],
    [529, { error: { message: 'Overloaded' } }, 'overloaded', true],
  ])('%i %o → %s', async (status, body, code, retryable) => {
    const error = (await thrown(apiError(status, body))) as ModelError
    expect([error.code, error.status, error.retryable, error.provider]).toEqual([code, status, retryable, name])
    expect(error.message).toContain(`${name}: ${body.error.message} (HTTP ${status})`)
    // What was thrown holds the request, and its address the key.
    expect(error.cause).toBe(undefined)
  })

  it('with the wait that it asks for', async () => {
    const waits = async (responseHeaders: object): Promise<unknown> =>
      ((await thrown(apiError(429, {}, { responseHeaders }))) as ThrottledError).retryAfterMs
    expect([
      await waits({ 'Retry-After': '7', 'x-odd name': 'ä' }),
      await waits({ 'retry-after-ms': '1500', 'retry-after': '7' }),
      await waits({ 'retry-after': 'Sun, 01 Nov 2026 00:00:30 GMT' }),
      await waits({}),
    ]).toEqual([7000, 1500, 30_000, undefined])
  })

  it('with its own words, or those of the AI SDK where it has none', async () => {
    expect((await thrown(apiError(502, '<h1>Bad gateway</h1>'))).message).toBe(`${name}: <h1>Bad gateway</h1> (HTTP 502)`)
    expect((await thrown(apiError(502, ''))).message).toBe(`${name}: Bad Thing (HTTP 502)`)
    // Whoever throws it: a class of another copy, a gateway, a plain object.
    expect(await thrown({ statusCode: 429, message: 'busy', type: 'rate_limit_exceeded' })).toMatchObject({
      code: 'throttled',
      status: 429,
    })
  })

  it('to be tried again unless the AI SDK knows better', async () => {
    const spent = (await thrown(
      apiError(429, { error: { message: 'spent' } }, { isRetryable: false, responseHeaders: { 'retry-after': '1' } }),
    )) as ThrottledError
    expect([spent.code, spent.retryable, spent.retryAfterMs]).toEqual(['throttled', false, 1000])
  })
})

describe('what the AI SDK refuses itself', () => {
  it('is a missing key, with the variable to set', async () => {
    const message = "OpenAI API key is missing. Pass it using the 'apiKey' parameter or the OPENAI_API_KEY environment variable."
    const error = (await thrown(new LoadAPIKeyError({ message }))) as AuthenticationError
    expect([error.code, error.variable, error.message]).toEqual(['authentication', 'OPENAI_API_KEY', `${name}: ${message}`])
  })

  it('is an invalid request', async () => {
    const cause = new UnsupportedFunctionalityError({ functionality: 'PDF file parts with URLs' })
    expect(await thrown(cause)).toMatchObject({
      code: 'invalid_request',
      retryable: false,
      cause,
      message: `${name}: 'PDF file parts with URLs' functionality not supported.`,
    })
  })

  it('is any other failure, with its cause', async () => {
    const cause = new RangeError('a bug')
    expect(await thrown(cause)).toMatchObject({ code: 'model_error', message: `${name}: a bug`, cause })
    expect(await thrown('a string')).toMatchObject({ code: 'model_error', message: `${name}: a string` })
    expect(await thrown(new Error('Input is too long for this model: 9 input tokens, prompt is too long'))).toBeInstanceOf(
      ContextOverflowError,
    )
  })

  it('is our own error, as it is', async () => {
    const error = new ContextOverflowError('mine')
    expect(await thrown(error)).toBe(error)
  })

  it('is also what is thrown at once, and what is no stream', async () => {
    const model = {
      ...scripted([]).model,
      doStream: () => {
        throw new RangeError('at once')
      },
    }
    expect(await errorOf(aiSdk(model))).toMatchObject({ code: 'model_error', message: `${name}: at once` })
    expect(await errorOf(aiSdk(scripted([() => ({})]).model))).toMatchObject({
      code: 'model_error',
      message: `${name}: expected doStream() to give { stream: ReadableStream }, got no stream.`,
    })
    const stream = new ReadableStream()
    stream.getReader()
    expect(await errorOf(aiSdk(scripted([() => ({ stream })]).model))).toMatchObject({
      code: 'model_error',
      message: expect.stringMatching(/^ai-sdk\.test\.chat: .*locked/),
    })
    const urls = Promise.reject(new RangeError('no urls'))
    expect(await errorOf(aiSdk(scripted([[]], { supportedUrls: urls }).model))).toMatchObject({
      code: 'model_error',
      message: `${name}: no urls`,
    })
  })
})

describe('a connection that cannot be made', () => {
  it.each([
    [
      'Cannot connect to API: connect ECONNREFUSED',
      apiError(undefined, '', { message: 'Cannot connect to API: connect ECONNREFUSED', isRetryable: true }),
    ],
    [
      'fetch failed: getaddrinfo ENOTFOUND x.test',
      new TypeError('fetch failed', { cause: Object.assign(new Error('getaddrinfo ENOTFOUND x.test'), { code: 'ENOTFOUND' }) }),
    ],
    ['The operation timed out', new DOMException('The operation timed out.', 'TimeoutError')],
  ])('may be tried again: %s', async (said, error) => {
    expect(await thrown(error)).toMatchObject({
      code: 'network',
      retryable: true,
      message: `${name}: ${said}.`,
      cause: 'requestBodyValues' in error ? undefined : error,
    })
  })

  it('has causes that may go in a circle', async () => {
    const error = Object.assign(new Error('round'), { code: 'ECONNRESET' })
    error.cause = error
    expect(await thrown(error)).toMatchObject({ code: 'network', message: `${name}: round.` })
  })
})

describe('an error in the stream', () => {
  it.each([
    ['an object', { type: 'overloaded_error', message: 'Overloaded' }, 'overloaded', 'Overloaded'],
    ['an object within', { error: { code: 'rate_limit_exceeded', message: 'slow' } }, 'throttled', 'slow'],
    ['a string', 'prompt is too long', 'context_overflow', 'prompt is too long'],
    ['one with a status', { statusCode: 503, message: 'busy', isRetryable: true }, 'overloaded', 'busy (HTTP 503)'],
    ['an error', Object.assign(new Error('no room'), { type: 'server_error' }), 'overloaded', 'no room'],
    ['one of no kind', new Error('what?'), 'model_error', 'what?'],
    ['nothing', undefined, 'model_error', 'undefined'],
    [
      'a chunk of no JSON',
      new JSONParseError({ text: '{', cause: new Error('Unexpected end') }),
      'incomplete_stream',
      'the answer broke off: JSON parsing failed',
    ],
    [
      'a chunk of no known form',
      new TypeValidationError({ value: { a: 1 }, cause: new Error('Expected b') }),
      'incomplete_stream',
      'the answer broke off: Type validation failed',
    ],
    [
      'an error of no known form',
      new TypeValidationError({ value: { object: 'error', message: 'no memory', code: 507 }, cause: new Error('Expected choices') }),
      'overloaded',
      'no memory (HTTP 507)',
    ],
    [
      'an end without a reason',
      new InvalidResponseDataError({ data: undefined, message: 'Response stream ended without a finish reason.' }),
      'incomplete_stream',
      'the answer broke off: Response stream ended without a finish reason.',
    ],
    ['no body', new EmptyResponseBodyError({}), 'incomplete_stream', 'the answer broke off: Empty response body.'],
    [
      'a broken connection',
      Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
      'incomplete_stream',
      'the answer broke off: read ECONNRESET.',
    ],
  ])('is typed: %s', async (_what, error, code, said) => {
    const seen = await told(error)
    expect([seen.code, seen.provider, seen.retryable]).toEqual([code, name, code !== 'context_overflow'])
    expect(seen.message).toContain(`${name}: ${said}`)
  })

  it('comes after what was said before it', async () => {
    const { partialText, events } = await answerTo([...says('a'), { type: 'error', error: 'oops' }, ...says('b')])
    expect([partialText, events.at(-1)]).toEqual(['a', { type: 'block_delta', index: 0, delta: { type: 'text', text: 'a' } }])
  })
})

describe('a stream that breaks', () => {
  it.each([
    ['by its connection', new TypeError('terminated', { cause: new Error('other side closed') }), 'terminated: other side closed'],
    [
      'amid a good answer',
      apiError(200, '', { message: 'Failed to process successful response', cause: new Error('terminated') }),
      'Failed to process successful response: terminated',
    ],
    ['by a failure of the AI SDK', new RangeError('a bug'), 'a bug'],
    ['by who knows what', 'a string', 'a string'],
  ])('is an answer that broke off: %s', async (_how, error, said) => {
    expect(await broken(error)).toMatchObject({
      code: 'incomplete_stream',
      retryable: true,
      cause: error instanceof APICallError ? error.cause : error,
      message: `${name}: the answer broke off: ${said}.`,
    })
  })

  it('by what the server refuses is that', async () => {
    expect(await broken(apiError(429, { error: { message: 'slow' } }))).toMatchObject({
      code: 'throttled',
      message: `${name}: slow (HTTP 429)`,
    })
  })
})
