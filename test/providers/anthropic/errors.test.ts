import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ModelError, ThrottledError } from '../../../src/errors.ts'
import { AuthenticationError } from '../../../src/errors.ts'
import { anthropic } from '../../../src/providers/anthropic/index.ts'
import { answer, errorOf, request } from '../support/answer.ts'
import { testClock } from '../../support/clock.ts'
import type { Sent } from './support/ask.ts'
import { fetchOf } from './support/ask.ts'
import { saying } from './support/sse.ts'

const refused = (status: number, type: string, message: string, headers: Record<string, string> = {}): typeof globalThis.fetch =>
  fetchOf(() => new Response(JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_1' }), { status, headers }))

describe('what the API refuses is a typed error', () => {
  it.each([
    [400, 'invalid_request_error', 'max_tokens: Field required', 'invalid_request', false],
    [400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum', 'context_overflow', false],
    [
      400,
      'invalid_request_error',
      'input length and `max_tokens` exceed context limit: 199211 + 20000 > 200000',
      'context_overflow',
      false,
    ],
    [400, 'invalid_request_error', 'Output blocked by content filtering policy', 'content_filter', false],
    // As other providers' spent budgets: no waiting helps, but another model may.
    [400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.', 'throttled', false],
    [401, 'authentication_error', 'invalid x-api-key', 'authentication', false],
    [403, 'permission_error', 'Your API key does not have permission to use this resource.', 'authentication', false],
    [404, 'not_found_error', 'model: claude-9', 'invalid_request', false],
    [413, 'request_too_large', 'Request exceeds the maximum size', 'context_overflow', false],
    [429, 'rate_limit_error', 'Number of request tokens has exceeded your rate limit', 'throttled', true],
    [500, 'api_error', 'Internal server error', 'overloaded', true],
    [529, 'overloaded_error', 'Overloaded', 'overloaded', true],
  ])('%i %s, %s → %s', async (status, type, message, code, retryable) => {
    const error = (await errorOf(anthropic('m', { apiKey: 'k', fetch: refused(status, type, message) }))) as ModelError
    expect([error.code, error.status, error.retryable, error.provider]).toEqual([code, status, retryable, 'anthropic'])
    expect(error.message).toContain(`anthropic: ${message} (HTTP ${status})`)
  })

  it('with the wait that it asks for', async () => {
    const clock = testClock(Date.UTC(2026, 10, 1))
    const waits = async (headers: Record<string, string>): Promise<unknown> =>
      ((await errorOf(anthropic('m', { apiKey: 'k', clock, fetch: refused(429, 'rate_limit_error', 'slow', headers) }))) as ThrottledError)
        .retryAfterMs
    expect([await waits({ 'retry-after': '7' }), await waits({ 'retry-after': 'Sun, 01 Nov 2026 00:00:30 GMT' }), await waits({})]).toEqual(
      [7000, 30_000, undefined],
    )
  })

  it('also when it is sent as a success, and no stream', async () => {
    const body = JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })
    const error = await errorOf(
      anthropic('m', { apiKey: 'k', fetch: fetchOf(() => new Response(body, { headers: { 'content-type': 'application/json' } })) }),
    )
    expect((error as ModelError).code).toBe('overloaded')
    const page = await errorOf(
      anthropic('m', { apiKey: 'k', fetch: fetchOf(() => new Response('<h1>Log in</h1>', { headers: { 'content-type': 'text/html' } })) }),
    )
    expect(page.message).toBe('anthropic: expected an event stream, got text/html: <h1>Log in</h1>')
  })
})

describe('the key', () => {
  let saved: string | undefined
  beforeEach(() => {
    saved = process.env['ANTHROPIC_API_KEY']
    delete process.env['ANTHROPIC_API_KEY']
  })
  afterEach(() => {
    if (saved === undefined) delete process.env['ANTHROPIC_API_KEY']
    else process.env['ANTHROPIC_API_KEY'] = saved
  })

  const seen: Sent[] = []
  const fetch = fetchOf(() => new Response(saying('ok'), { headers: { 'content-type': 'text/event-stream' } }), seen)

  it('that is missing names its variable, and nothing is sent', async () => {
    const error = await errorOf(anthropic('m', { fetch }))
    expect(error).toBeInstanceOf(AuthenticationError)
    expect([error.message, (error as AuthenticationError).variable, seen.length]).toEqual([
      'anthropic: no API key. Set the environment variable ANTHROPIC_API_KEY, or give `apiKey`.',
      'ANTHROPIC_API_KEY',
      0,
    ])
  })

  it('in the environment is read when it is needed, and goes to Anthropic alone', async () => {
    const [own, other] = [
      anthropic('m', { fetch, baseURL: 'https://api.anthropic.com/v1' }),
      anthropic('m', { fetch, baseURL: 'https://gate.example' }),
    ]
    process.env['ANTHROPIC_API_KEY'] = 'from-env'
    for (const model of [own, other]) await answer(model, request())
    expect(seen.splice(0).map(({ headers }) => headers['x-api-key'])).toEqual(['from-env', undefined])
  })

  it('may be a token in a header', async () => {
    await answer(anthropic('m', { fetch, headers: { Authorization: 'Bearer t' } }), request())
    expect(seen.splice(0).map(({ headers }) => [headers['authorization'], headers['x-api-key']])).toEqual([['Bearer t', undefined]])
  })

  it('that is refused is named', async () => {
    process.env['ANTHROPIC_API_KEY'] = 'stale'
    const error = await errorOf(anthropic('m', { fetch: refused(401, 'authentication_error', 'invalid x-api-key') }))
    expect(error.message).toBe('anthropic: invalid x-api-key (HTTP 401). Check the key in ANTHROPIC_API_KEY, or the option `apiKey`.')
  })
})
