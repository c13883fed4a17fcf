import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ModelError, ThrottledError } from '../../../src/errors.ts'
import { AuthenticationError } from '../../../src/errors.ts'
import { google } from '../../../src/providers/google/index.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import { answer, errorOf, request } from '../support/answer.ts'
import type { Sent } from './support/ask.ts'
import { answerTo, eventStream, fetchOf } from './support/ask.ts'
import { ends, parts, saying, sse, text } from './support/sse.ts'

const said = (code: number, status: string, message: string, details?: readonly JsonObject[]): JsonObject => ({
  error: { code, message, status, ...(details && { details }) },
})
const refused = (status: number, body: unknown): typeof globalThis.fetch =>
  fetchOf(() => new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } }))
const wait = (retryDelay: string): JsonObject => ({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay })
const quota = (quotaId: string): JsonObject => ({ '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId }] })
const ask = async (fetch: typeof globalThis.fetch): Promise<ModelError> =>
  (await errorOf(google('m', { apiKey: 'k', fetch }))) as ModelError

describe('what the API refuses is a typed error', () => {
  const rows: readonly (readonly [code: number, status: string, message: string, kind: string, retryable: boolean])[] = [
    [400, 'INVALID_ARGUMENT', 'Invalid JSON payload received.', 'invalid_request', false],
    [400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', 'authentication', false],
    [
      400,
      'INVALID_ARGUMENT',
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      'context_overflow',
      false,
    ],
    [400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.', 'invalid_request', false],
    [401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.', 'authentication', false],
    [403, 'PERMISSION_DENIED', 'Your API key was reported as leaked.', 'authentication', false],
    [404, 'NOT_FOUND', 'models/gemini-9 is not found.', 'invalid_request', false],
    [429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', 'throttled', true],
    [499, 'CANCELLED', 'The operation was cancelled.', 'overloaded', true],
    [500, 'INTERNAL', 'An internal error has occurred.', 'overloaded', true],
    [503, 'UNAVAILABLE', 'The model is overloaded.', 'overloaded', true],
    [504, 'DEADLINE_EXCEEDED', 'Deadline expired before operation could complete.', 'overloaded', true],
  ]

  it.each(rows)('%i %s, %s', async (code, status, message, kind, retryable) => {
    const error = await ask(refused(code, said(code, status, message)))
    expect([error.code, error.status, error.retryable, error.provider]).toEqual([kind, code, retryable, 'google'])
    expect(error.message).toContain(`google: ${message} (HTTP ${code})`)
  })

  it.each(rows)('amid the stream: %i %s, %s', async (code, status, message, kind, retryable) => {
    const { error, partialText } = await answerTo(sse(parts(text('so far')), said(code, status, message), ends('STOP', text('no more'))))
    expect([(error as ModelError).code, (error as ModelError).retryable, partialText]).toEqual([kind, retryable, 'so far'])
  })

  it('in a list, as Vertex AI sends it', async () => {
    const error = await ask(refused(429, [said(429, 'RESOURCE_EXHAUSTED', 'Slow down.')]))
    expect([error.code, error.message]).toEqual(['throttled', 'google: Slow down. (HTTP 429)'])
  })

  it('by its name alone', async () => {
    const kindOf = async (status: string): Promise<unknown> =>
      ((await answerTo(sse({ error: { status, message: 'no' } }))).error as ModelError).code
    expect(
      await Promise.all(
        ['UNAUTHENTICATED', 'PERMISSION_DENIED', 'RESOURCE_EXHAUSTED', 'UNAVAILABLE', 'DEADLINE_EXCEEDED', 'INVALID_ARGUMENT'].map(kindOf),
      ),
    ).toEqual(['authentication', 'authentication', 'throttled', 'overloaded', 'overloaded', 'invalid_request'])
  })

  it('with the wait that it asks for, unless waiting is of no use', async () => {
    const waits = async (...details: readonly JsonObject[]): Promise<unknown> => {
      const { retryAfterMs, retryable } = (await ask(refused(429, said(429, 'RESOURCE_EXHAUSTED', 'slow', details)))) as ThrottledError
      return [retryAfterMs, retryable]
    }
    expect(await waits(quota('GenerateRequestsPerMinutePerProjectPerModel-FreeTier'), wait('34.4s'))).toEqual([34_400, true])
    expect(await waits(wait('7s'))).toEqual([7000, true])
    expect(await waits(wait('soon'))).toEqual([undefined, true])
    expect(await waits(quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier'), wait('40s'))).toEqual([40_000, false])
    const { error } = await answerTo(sse(said(429, 'RESOURCE_EXHAUSTED', 'slow', [wait('2s')])))
    expect((error as ThrottledError).retryAfterMs).toBe(2000)
  })

  it('by the reason beside its message', async () => {
    expect(
      (
        await ask(
          refused(400, said(400, 'INVALID_ARGUMENT', 'API key expired. Please renew the API key.', [{ reason: 'API_KEY_INVALID' }])),
        )
      ).code,
    ).toBe('authentication')
  })

  it('behind the events, as plain JSON', async () => {
    const body = `${saying('hi')}${JSON.stringify(said(503, 'UNAVAILABLE', 'gone'), null, 2)}`
    const { message, error, partialText } = await answerTo(body)
    expect([message, (error as ModelError).code, partialText]).toEqual([undefined, 'overloaded', 'hi'])
    const { error: cut } = await answerTo(body.slice(0, -20))
    expect((cut as ModelError).message).toBe('google: the stream ended amid its JSON.')
  })
})

describe('an answer that the API breaks off', () => {
  it.each([
    // Tried again as a connection that broke.
    ['MALFORMED_FUNCTION_CALL', 'incomplete_stream', true],
    ['UNEXPECTED_TOOL_CALL', 'incomplete_stream', true],
    ['OTHER', 'incomplete_stream', true],
    ['SOMETHING_NEW', 'incomplete_stream', true],
    ['MISSING_THOUGHT_SIGNATURE', 'model_error', false],
  ])('for %s is an error: %s', async (reason, code, retryable) => {
    const { message, error, partialText } = await answerTo(sse(parts(text('so far')), ends(reason)))
    expect([message, (error as ModelError).code, (error as ModelError).retryable, partialText]).toEqual([
      undefined,
      code,
      retryable,
      'so far',
    ])
    expect((error as ModelError).message).toBe(`google: the answer was broken off (finishReason "${reason}").`)
  })

  it('says what the API says of it', async () => {
    const { error } = await answerTo(
      sse({ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'Malformed function call: print(' }] }),
    )
    expect((error as ModelError).message).toBe(
      'google: the answer was broken off (finishReason "MALFORMED_FUNCTION_CALL"): Malformed function call: print(',
    )
  })

  it('is no JSON, or a page', async () => {
    const { error } = await answerTo('data: {"candidates":[\n\n')
    expect([(error as ModelError).code, (error as ModelError).message]).toEqual([
      'incomplete_stream',
      'google: expected JSON in the stream, got "{\\"candidates\\":[".',
    ])
    const page = await ask(fetchOf(() => new Response('<h1>Log in</h1>', { headers: { 'content-type': 'text/html' } })))
    expect(page.message).toBe('google: expected an event stream, got text/html: <h1>Log in</h1>')
  })
})

describe('the key', () => {
  afterEach(() => vi.unstubAllEnvs())
  const keyIn = async (variables: Record<string, string>, options: object = {}): Promise<string | undefined> => {
    for (const name of ['GEMINI_API_KEY', 'GOOGLE_API_KEY']) vi.stubEnv(name, variables[name] ?? '')
    const sent: Sent[] = []
    const { error } = await answer(google('m', { fetch: fetchOf(() => eventStream(saying('hi')), sent), ...options }), request())
    if (error) throw error
    return sent[0]!.headers['x-goog-api-key']
  }

  it('is of the one variable or the other', async () => {
    expect(await keyIn({ GEMINI_API_KEY: 'a', GOOGLE_API_KEY: 'b' })).toBe('a')
    expect(await keyIn({ GOOGLE_API_KEY: 'b' })).toBe('b')
    expect(await keyIn({ GEMINI_API_KEY: 'a' }, { apiKey: 'c' })).toBe('c')
  })

  it('of a variable goes to no other server', async () => {
    expect(await keyIn({ GEMINI_API_KEY: 'a' }, { baseURL: 'https://gate.example/v1beta' })).toBeUndefined()
    expect(await keyIn({ GEMINI_API_KEY: 'a' }, { baseURL: 'https://generativelanguage.googleapis.com/v1beta/' })).toBe('a')
  })

  it('may stand in a header', async () => expect(await keyIn({}, { headers: { 'X-Goog-Api-Key': 'h' } })).toBe('h'))

  it('that is missing says which variable to set', async () => {
    const error = await keyIn({}).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AuthenticationError)
    expect([(error as AuthenticationError).message, (error as AuthenticationError).variable]).toEqual([
      'google: no API key. Set the environment variable GEMINI_API_KEY or GOOGLE_API_KEY, or give `apiKey`.',
      'GEMINI_API_KEY',
    ])
  })

  it('that is refused says where to look', async () => {
    vi.stubEnv('GEMINI_API_KEY', '')
    vi.stubEnv('GOOGLE_API_KEY', 'old')
    const error = (await errorOf(google('m', { fetch: refused(401, said(401, 'UNAUTHENTICATED', 'no')) }))) as AuthenticationError
    expect([error.message, error.variable]).toEqual([
      'google: no (HTTP 401). Check the key in GOOGLE_API_KEY, or the option `apiKey`.',
      'GOOGLE_API_KEY',
    ])
  })
})
