import { describe, expect, it } from 'vitest'
import type { ModelError } from '../../../src/errors.ts'
import { httpError } from '../../../src/providers/wire/http-error.ts'
import { providerError } from '../../../src/providers/wire/provider-error.ts'

const outline = ({ name, code, retryable, status, message }: ModelError): unknown => ({ name, code, retryable, status, message })
const asked = (status: number, body: unknown, headers: Record<string, string> = {}): ModelError =>
  httpError(
    { status, headers: new Headers(headers) },
    typeof body === 'string' ? body : JSON.stringify(body),
    { provider: 'openai', variable: 'OPENAI_API_KEY' },
    0,
  )

describe('an HTTP error', () => {
  it.each<readonly [string, number, unknown, string, boolean]>([
    [
      'a limit of requests',
      429,
      { error: { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' } },
      'ThrottledError',
      true,
    ],
    [
      'a spent budget',
      429,
      { error: { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' } },
      'ThrottledError',
      false,
    ],
    ['a server at fault', 500, { error: { message: 'oops', type: 'server_error' } }, 'OverloadedError', true],
    ['a bad gateway with a page', 502, '<html>Bad gateway</html>', 'OverloadedError', true],
    ['no room', 503, '', 'OverloadedError', true],
    ['a slow gateway', 504, '', 'OverloadedError', true],
    ['an overload', 529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'OverloadedError', true],
    ['a wrong key', 401, { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, 'AuthenticationError', false],
    [
      'a wrong key, said with 400',
      400,
      { error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } },
      'AuthenticationError',
      false,
    ],
    ['a key without the right', 403, { error: { message: 'Project does not have access' } }, 'AuthenticationError', false],
    ['a long prompt, by code', 400, { error: { message: 'too much', code: 'context_length_exceeded' } }, 'ContextOverflowError', false],
    [
      'a long prompt, by words',
      400,
      {
        object: 'error',
        message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
        type: 'BadRequestError',
        code: 400,
      },
      'ContextOverflowError',
      false,
    ],
    [
      'a long prompt, in other words',
      400,
      { error: { message: "This model's maximum prompt length is 131072 but the request contains 200000 tokens." } },
      'ContextOverflowError',
      false,
    ],
    [
      'a long prompt, of a local server',
      500,
      {
        error: {
          code: 500,
          message: 'the request exceeds the available context size. try increasing the context size',
          type: 'server_error',
        },
      },
      'ContextOverflowError',
      false,
    ],
    [
      'a long prompt, of a router',
      400,
      {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: { raw: '{"message":"prompt is too long: 210000 tokens > 200000 maximum"}' },
        },
      },
      'ContextOverflowError',
      false,
    ],
    ['a body that is too large', 413, 'Request Entity Too Large', 'ContextOverflowError', false],
    [
      'too many output tokens',
      400,
      { error: { message: 'max_tokens is too large: 99999. This model supports at most 16384 completion tokens' } },
      'InvalidRequestError',
      false,
    ],
    [
      'a filter',
      400,
      { error: { message: 'The response was filtered', code: 'content_filter', innererror: { code: 'ResponsibleAIPolicyViolation' } } },
      'ContentFilterError',
      false,
    ],
    ['a filter, with 403', 403, { error: { message: 'Your input was flagged', code: 403 } }, 'ContentFilterError', false],
    ['a bad request', 400, { error: { message: "Unknown parameter: 'foo'", type: 'invalid_request_error' } }, 'InvalidRequestError', false],
    [
      'a call that the model got wrong',
      400,
      { error: { message: 'Failed to call a function', type: 'invalid_request_error', code: 'tool_use_failed' } },
      'InvalidRequestError',
      true,
    ],
    ['an unknown model', 404, { error: { message: 'The model does not exist', code: 'model_not_found' } }, 'InvalidRequestError', false],
    ['a refusal of fields', 422, { detail: [{ loc: ['body', 'x'], msg: 'Extra inputs are not permitted' }] }, 'InvalidRequestError', false],
    ['a slow request', 408, '', 'NetworkError', true],
  ])('%s (%i)', (_what, status, body, name, retryable) => {
    const error = asked(status, body)
    expect({ name: error.name, status: error.status, retryable: error.retryable }).toEqual({ name, status, retryable })
  })

  it("holds the provider's words, whatever they are wrapped in", () => {
    expect(asked(400, { error: { message: 'No such field' } }).message).toBe('openai: No such field (HTTP 400)')
    expect(asked(400, { error: 'No such field' }).message).toBe('openai: No such field (HTTP 400)')
    expect(asked(400, { message: 'No such field' }).message).toBe('openai: No such field (HTTP 400)')
    expect(asked(400, { detail: 'No such field' }).message).toBe('openai: No such field (HTTP 400)')
    expect(asked(400, [{ error: { message: 'No such field' } }]).message).toBe('openai: No such field (HTTP 400)')
    expect(asked(400, 'No such field\n').message).toBe('openai: No such field (HTTP 400)')
    expect(asked(400, '').message).toBe('openai: no reason given (HTTP 400)')
    expect(asked(400, { error: { message: 'Provider returned error', metadata: { raw: 'No such field' } } }).message).toBe(
      'openai: Provider returned error: No such field (HTTP 400)',
    )
    expect(asked(500, 'x'.repeat(5000)).message.length).toBeLessThan(2100)
  })

  it('of the key names the variable', () => {
    const error = asked(401, { error: { message: 'Wrong key' } })
    expect(error).toMatchObject({
      variable: 'OPENAI_API_KEY',
      message: 'openai: Wrong key (HTTP 401). Check the key in OPENAI_API_KEY, or the option `apiKey`.',
    })
  })

  it('of throttling says how long to wait', () => {
    expect(asked(429, '', { 'retry-after': '3' })).toMatchObject({ retryAfterMs: 3000 })
    expect(asked(429, '', { 'retry-after': new Date(9000).toUTCString() })).toMatchObject({ retryAfterMs: 9000 })
    expect(asked(429, '', { 'retry-after-ms': '20' })).toMatchObject({ retryAfterMs: 20 })
    expect(asked(429, '')).toMatchObject({ retryAfterMs: undefined })
  })
})

describe('an error inside a stream', () => {
  it.each<readonly [unknown, string, boolean]>([
    [{ error: { message: 'The server had an error', type: 'server_error', param: null, code: null } }, 'OverloadedError', true],
    [{ error: { message: 'Slow down', type: 'rate_limit_error' } }, 'ThrottledError', true],
    [{ error: { message: 'x', code: 502 } }, 'OverloadedError', true],
    [{ error: { message: 'x', code: '429' } }, 'ThrottledError', true],
    [{ error: { message: 'x', type: 'invalid_request_error', code: 'tool_use_failed', status_code: 400 } }, 'InvalidRequestError', true],
    [{ error: { message: 'x', code: 'context_length_exceeded' } }, 'ContextOverflowError', false],
    [{ error: { message: 'x', code: 'content_filter' } }, 'ContentFilterError', false],
    [{ error: { message: 'x', type: 'authentication_error' } }, 'AuthenticationError', false],
    [{ error: { message: 'x', type: 'invalid_request_error' } }, 'InvalidRequestError', false],
    [{ error: 'x' }, 'ModelError', true],
    ['x', 'ModelError', true],
  ])('%j', (said, name, retryable) => expect(outline(providerError(said, { provider: 'p' }))).toMatchObject({ name, retryable }))
})
