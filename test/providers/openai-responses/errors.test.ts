import { afterEach, describe, expect, it, vi } from 'vitest'
import { InputError } from '../../../src/errors.ts'
import { openai } from '../../../src/providers/openai/index.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import { answer, errorOf } from '../support/answer.ts'
import { sends, streamServer } from '../support/stream-server.ts'
import type { Sent } from './support/ask.ts'
import { answerTo, fetchOf } from './support/ask.ts'
import { adds, begins, call, completed, message, passes, saying, says, sse } from './support/sse.ts'

const server = await streamServer()
const model = openai('gpt', { baseURL: server.baseURL, provider: 'p', api: 'responses' })

describe('a key that is missing', () => {
  afterEach(() => void vi.unstubAllEnvs())

  it('is told when the model is first used, with the variable to set, and nothing is sent', async () => {
    vi.stubEnv('OPENAI_API_KEY', undefined)
    const seen: Sent[] = []
    expect(await errorOf(openai('gpt', { fetch: fetchOf('', seen) }))).toMatchObject({
      name: 'AuthenticationError',
      variable: 'OPENAI_API_KEY',
      message: 'openai: no API key. Set the environment variable OPENAI_API_KEY, or give `apiKey`.',
    })
    expect(seen).toEqual([])
  })

  it('is read from the environment, at each request', async () => {
    const seen: Sent[] = []
    const keyless = openai('gpt', { fetch: fetchOf(saying('ok'), seen) })
    for (const key of ['one', 'two']) {
      vi.stubEnv('OPENAI_API_KEY', key)
      await answer(keyless)
    }
    expect(seen.map(({ headers }) => headers['authorization'])).toEqual(['Bearer one', 'Bearer two'])
  })

  it('is not sought for a server of others: the key of the environment is not theirs', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'from the environment')
    server.handle = sends(saying('ok'))
    await answer(model)
    expect(server.requests.at(-1)!.headers.authorization).toBe(undefined)
  })
})

describe('an option that is wrong', () => {
  it.each([
    [() => openai(''), /expected the name of a model/],
    [
      () => openai('gpt', { baseURL: 'localhost', api: 'responses' }),
      /expected a URL such as "https:\/\/api\.openai\.com\/v1", got "localhost"/,
    ],
    [() => openai('gpt', { api: 'completions' as 'chat' }), /expected "responses" or "chat", got "completions"/],
  ])('is told at once: %s', (make, text) => {
    expect(make).toThrow(InputError)
    expect(make).toThrow(text)
  })
})

const failed = (error: JsonObject | null): JsonObject => ({ type: 'response.failed', response: { status: 'failed', error } })

describe('an error inside the stream', () => {
  it.each<readonly [what: string, event: JsonObject, error: object]>([
    [
      'too many requests',
      { type: 'error', code: 'rate_limit_exceeded', message: 'Slow.' },
      { name: 'ThrottledError', retryable: true, message: 'openai: Slow.' },
    ],
    [
      'a broken server',
      { type: 'error', code: 'server_error', message: 'Oops.' },
      { name: 'OverloadedError', retryable: true, message: 'openai: Oops.' },
    ],
    [
      'a spent budget',
      { type: 'error', error: { type: 'insufficient_quota', code: 'insufficient_quota', message: 'Spent.' } },
      { name: 'ThrottledError', retryable: false },
    ],
    ['a response that failed', failed({ code: 'server_error', message: 'Oops.' }), { name: 'OverloadedError', message: 'openai: Oops.' }],
    [
      'too long a prompt',
      failed({ code: 'context_length_exceeded', message: 'Too long.' }),
      { name: 'ContextOverflowError', retryable: false },
    ],
    ['too many requests, in a response', failed({ code: 'rate_limit_exceeded', message: 'Slow.' }), { name: 'ThrottledError' }],
    ['a prompt that was refused', failed({ code: 'invalid_prompt', message: 'No.' }), { name: 'InvalidRequestError', retryable: false }],
    ['nothing said', failed(null), { name: 'OverloadedError', message: 'openai: the answer was broken off (failed)' }],
    [
      'a response that was cancelled',
      { type: 'response.cancelled', response: { status: 'cancelled' } },
      { name: 'OverloadedError', message: 'openai: the answer was broken off (cancelled)' },
    ],
    ['an error without a type', { error: { message: 'Oops.', code: 'server_error' } }, { name: 'OverloadedError' }],
  ])('has its type: %s', async (_what, event, expected) => {
    const { error, partialText } = await answerTo(sse(begins(), adds(0, message('')), says(0, 'Hel'), event))
    expect(error).toMatchObject(expected)
    expect(partialText).toBe('Hel')
  })

  it('may be no JSON', async () => {
    expect((await answerTo('event: error\ndata: out of memory\n\n')).error).toMatchObject({
      name: 'ModelError',
      message: 'openai: out of memory',
    })
    expect((await answerTo('data: {"type":\n\n')).error).toMatchObject({
      name: 'IncompleteStreamError',
      message: 'openai: expected JSON in the stream, got "{\\"type\\":".',
    })
  })
})

describe('a stream that ends without the end of the response', () => {
  it.each([
    ['after nothing', []],
    ['after a text', [begins(), adds(0, message('')), says(0, 'hi')]],
    [
      'after a call',
      [begins(), adds(0, call('')), passes(0, '{"a":1}'), { type: 'response.output_item.done', output_index: 0, item: call('{"a":1}') }],
    ],
  ])('is no message: %s', async (_when, events) => {
    for (const mark of ['', 'data: [DONE]\n\n'])
      expect((await answerTo(sse(...events) + mark)).error).toMatchObject({ name: 'IncompleteStreamError', retryable: true })
  })
})

describe('an error of the server', () => {
  it('has its type, its words and its wait', async () => {
    server.handle = (_request, response) =>
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '3' }).end('{"error":{"message":"Slow down."}}')
    expect(await errorOf(model)).toMatchObject({ name: 'ThrottledError', retryAfterMs: 3000, message: 'p: Slow down. (HTTP 429)' })
  })

  it('names what holds the key that was refused', async () => {
    const refused = (): Response => new Response('{"error":{"message":"Bad key."}}', { status: 401 })
    expect((await errorOf(openai('gpt', { apiKey: 'k', fetch: fetchOf(refused) }))).message).toBe(
      'openai: Bad key. (HTTP 401). Check the option `apiKey`.',
    )
    vi.stubEnv('OPENAI_API_KEY', 'k')
    expect((await errorOf(openai('gpt', { fetch: fetchOf(refused) }))).message).toBe(
      'openai: Bad key. (HTTP 401). Check the key in OPENAI_API_KEY, or the option `apiKey`.',
    )
    vi.unstubAllEnvs()
  })

  it('may come as plain JSON with a good status, and so may a page', async () => {
    server.handle = sends('{"error":{"message":"no such model","code":404}}', 'application/json')
    expect(await errorOf(model)).toMatchObject({ name: 'InvalidRequestError', message: 'p: no such model (HTTP 404)' })
    server.handle = sends('<html>Please log in</html>', 'text/html')
    expect(await errorOf(model)).toMatchObject({
      name: 'IncompleteStreamError',
      message: 'p: expected an event stream, got text/html: <html>Please log in</html>',
    })
  })

  it('is no error when only the type of the answer is wrong', async () => {
    server.handle = sends(sse(begins(), adds(0, message('')), says(0, 'hi'), completed()), 'application/json')
    expect((await answer(model)).partialText).toBe('hi')
  })
})
