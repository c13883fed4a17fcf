import { describe, expect, it } from 'vitest'
import type { ModelError, ThrottledError } from '../../../src/errors.ts'
import { AuthenticationError, IncompleteStreamError, NetworkError } from '../../../src/errors.ts'
import { bedrock } from '../../../src/providers/bedrock/index.ts'
import { testClock } from '../../support/clock.ts'
import { errorOf } from '../support/answer.ts'
import { claude, fetchOf, modelOf } from './support/ask.ts'
import { useOwnEnvironment } from './support/env.ts'

useOwnEnvironment()

const refused = (status: number, type: string, message: string, headers: Record<string, string> = {}): typeof globalThis.fetch =>
  fetchOf(
    () =>
      new Response(JSON.stringify({ message }), {
        status,
        headers: { 'content-type': 'application/json', 'x-amzn-errortype': type, ...headers },
      }),
  )

it('a redirect is not followed: what was signed would go to a host that nobody named', async () => {
  const moved = { status: 307, headers: { location: 'https://other.test/x?key=secret' } }
  const seen: unknown[] = []
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    seen.push(init?.redirect)
    return new Response(null, moved)
  }
  expect([(await errorOf(modelOf(fetch))).message, seen]).toEqual([
    'bedrock: the server sends the request on to https://other.test/x (HTTP 307), which is not followed, as the key would go along. Give the right address.',
    ['manual'],
  ])
})

describe('what the service refuses is a typed error', () => {
  it.each([
    [400, 'ValidationException', 'The provided model identifier is invalid.', 'invalid_request', false],
    [400, 'ValidationException', 'Input is too long for requested model.', 'context_overflow', false],
    [400, 'ValidationException', 'prompt is too long: 210000 tokens > 200000 maximum', 'context_overflow', false],
    [400, 'ValidationException', 'input length and `max_tokens` exceed context limit: 199211 + 20000 > 200000', 'context_overflow', false],
    [400, 'ValidationException', 'The model returned the following errors: too many total text bytes: 9 > 8', 'context_overflow', false],
    [400, 'ValidationException', 'Input Tokens Exceeded: Number of input tokens exceeds maximum length.', 'context_overflow', false],
    [400, 'ValidationException', 'The maximum tokens you requested exceeds the model limit of 4096.', 'invalid_request', false],
    [400, 'ThrottlingException', 'Too many input tokens, please wait.', 'throttled', true],
    [429, 'ThrottlingException', 'Too many requests, please wait before trying again.', 'throttled', true],
    [429, 'ThrottlingException', 'Too many tokens per day, please wait before trying again.', 'throttled', false],
    [429, 'throttlingException', 'Slow down.', 'throttled', true],
    [429, 'com.amazon.bedrock#ThrottlingException:http://internal.amazon.com/', 'Slow down.', 'throttled', true],
    [429, 'ModelNotReadyException', 'The model is being loaded.', 'throttled', true],
    [400, 'ServiceQuotaExceededException', 'Your quota is spent.', 'throttled', false],
    [503, 'ServiceUnavailableException', 'Bedrock is unable to process your request.', 'overloaded', true],
    [500, 'InternalServerException', 'The system encountered an unexpected error.', 'overloaded', true],
    [424, 'ModelErrorException', 'The system encountered an unexpected error during processing.', 'overloaded', true],
    [408, 'ModelTimeoutException', 'The model took too long.', 'network', true],
    [403, 'AccessDeniedException', "You don't have access to the model with the specified model ID.", 'authentication', false],
    [403, 'UnrecognizedClientException', 'The security token included in the request is invalid.', 'authentication', false],
    [403, 'ExpiredTokenException', 'The security token included in the request is expired', 'authentication', false],
    [403, 'InvalidSignatureException', 'Signature expired: 20261101T000000Z is now earlier than …', 'authentication', false],
    [401, 'SomethingNew', 'No.', 'authentication', false],
    [404, 'ResourceNotFoundException', 'This model version has reached the end of its life.', 'invalid_request', false],
    [418, 'SomethingNew', 'No.', 'invalid_request', false],
    [529, 'SomethingNew', 'No.', 'overloaded', true],
  ])('%i %s, %s → %s', async (status, type, message, code, retryable) => {
    const error = (await errorOf(modelOf(refused(status, type, message)))) as ModelError
    expect([error.code, error.status, error.retryable, error.provider]).toEqual([code, status, retryable, 'bedrock'])
    expect(error.message).toContain(`bedrock: ${message} (HTTP ${status})`)
  })

  it('with the wait that it asks for', async () => {
    const clock = testClock(Date.UTC(2026, 10, 1))
    const waits = async (headers: Record<string, string>): Promise<unknown> =>
      ((await errorOf(modelOf(refused(429, 'ThrottlingException', 'slow', headers), claude, { clock }))) as ThrottledError).retryAfterMs
    expect([await waits({ 'retry-after': '7' }), await waits({ 'retry-after': 'Sun, 01 Nov 2026 00:00:30 GMT' }), await waits({})]).toEqual(
      [7000, 30_000, undefined],
    )
  })

  it('once: the loop does the retries', async () => {
    let tries = 0
    await errorOf(
      modelOf(async () => {
        tries++
        return new Response('{"message":"Sorry"}', { status: 503, headers: { 'x-amzn-errortype': 'ServiceUnavailableException' } })
      }),
    )
    expect(tries).toBe(1)
  })

  it('also when something in between has answered', async () => {
    const page = (status: number, type: string): typeof globalThis.fetch =>
      fetchOf(() => new Response('<h1>Log in</h1>', { status, headers: { 'content-type': type } }))
    const gone = (await errorOf(modelOf(page(502, 'text/html')))) as ModelError
    expect([gone.code, gone.message]).toEqual(['overloaded', 'bedrock: <h1>Log in</h1> (HTTP 502)'])
    const captured = await errorOf(modelOf(page(200, 'text/html')))
    expect([captured, captured.message]).toEqual([
      expect.any(IncompleteStreamError),
      'bedrock: expected a stream of events, got text/html: <h1>Log in</h1>',
    ])
    const empty = (await errorOf(modelOf(fetchOf(() => new Response(null, { status: 503 }))))) as ModelError
    expect([empty.code, empty.message]).toEqual(['overloaded', 'bedrock: no reason given (HTTP 503)'])
  })
})

describe('what was refused for the credentials', () => {
  const fetch = refused(403, 'AccessDeniedException', 'No.')
  it.each([
    ['credentials', {}, 'bedrock: No. (HTTP 403). Check the AWS credentials, and that they may use this model in this region.', undefined],
    [
      'a key',
      { credentials: undefined, apiKey: 'k' },
      'bedrock: No. (HTTP 403). Check the option `apiKey`, and that its owner may use this model.',
      undefined,
    ],
    [
      'a key of the environment',
      { credentials: undefined },
      'bedrock: No. (HTTP 403). Check the key in AWS_BEARER_TOKEN_BEDROCK, or the option `apiKey`, and that its owner may use this model.',
      'AWS_BEARER_TOKEN_BEDROCK',
    ],
  ] as const)('names %s', async (_name, options, message, variable) => {
    process.env['AWS_BEARER_TOKEN_BEDROCK'] = 'from-env'
    const error = (await errorOf(modelOf(fetch, claude, options))) as AuthenticationError
    expect([error.message, error.variable]).toEqual([message, variable])
  })

  it('says what to set when there are none', async () => {
    const error = await errorOf(bedrock(claude, { region: 'us-east-1', fetch }))
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error.message).toMatch(
      /^bedrock: no credentials \(.+\)\. Set the environment variable AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, sign in with the AWS command line, or give `apiKey`, `credentials` or `profile`\.$/,
    )
    expect((error as AuthenticationError).variable).toBe('AWS_BEARER_TOKEN_BEDROCK')
  })
})

describe('a request that does not get through', () => {
  it('names the host alone', async () => {
    const cause = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
    const error = await errorOf(modelOf(() => Promise.reject(cause), claude, { endpoint: 'http://127.0.0.1:9/secret-path' }))
    expect([error, error.message]).toEqual([expect.any(NetworkError), 'bedrock: could not reach 127.0.0.1:9: connect ECONNREFUSED.'])
  })

  it('through a client of the user is told apart from what is wrong with it', async () => {
    const failing = (thrown: unknown): Promise<Error> => errorOf(bedrock(claude, { client: { send: () => Promise.reject(thrown) } }))
    const reset = await failing(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }))
    expect([reset, reset.message]).toEqual([expect.any(NetworkError), 'bedrock: could not reach Amazon Bedrock: socket hang up.'])
    const slow = (await failing(
      Object.assign(new Error('slow'), {
        name: 'ThrottlingException',
        $metadata: { httpStatusCode: 429 },
        $response: { headers: { ':status': 429, 'retry-after': '3' } },
      }),
    )) as ThrottledError
    expect([slow.code, slow.message, slow.retryAfterMs]).toEqual(['throttled', 'bedrock: slow (HTTP 429)', 3000])
    const wrong = (await failing(new TypeError('x is not iterable'))) as ModelError
    expect([wrong.code, wrong.retryable, wrong.message]).toEqual(['model_error', false, 'bedrock: x is not iterable'])
  })
})
