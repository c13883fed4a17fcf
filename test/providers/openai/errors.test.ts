import { afterEach, describe, expect, it, vi } from 'vitest'
import { InputError } from '../../../src/errors.ts'
import { openai } from '../../../src/providers/openai/index.ts'
import { answer, errorOf } from '../support/answer.ts'
import { chunk, chunks, fakeFetch } from '../support/fake-fetch.ts'
import { sends, streamServer } from '../support/stream-server.ts'

const server = await streamServer()
const model = openai('gpt', { baseURL: server.baseURL, provider: 'p' })

describe('a key that is missing', () => {
  afterEach(() => void vi.unstubAllEnvs())

  it('is told when the model is first used, with the variable to set, and nothing is sent', async () => {
    vi.stubEnv('OPENAI_API_KEY', undefined)
    const { fetch, asked } = fakeFetch()
    const keyless = openai('gpt', { api: 'chat', fetch })
    expect(await errorOf(keyless)).toMatchObject({
      name: 'AuthenticationError',
      variable: 'OPENAI_API_KEY',
      message: 'openai: no API key. Set the environment variable OPENAI_API_KEY, or give `apiKey`.',
    })
    expect(asked).toEqual([])
  })

  it('is read from the environment', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'from the environment')
    const { fetch, asked } = fakeFetch()
    await answer(openai('gpt', { api: 'chat', fetch }))
    expect(asked[0]?.headers['authorization']).toBe('Bearer from the environment')
  })

  it('is not sought for a server of others: the key of the environment is not theirs', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'from the environment')
    server.handle = sends(chunks(chunk({}, 'stop')))
    await answer(model)
    expect(server.requests.at(-1)!.headers.authorization).toBe(undefined)
  })
})

describe('an option that is wrong', () => {
  it.each([
    [() => openai(''), /expected the name of a model/],
    [() => openai(undefined as unknown as string), /expected the name of a model/],
    [() => openai('gpt', { baseURL: 'localhost' }), /expected a URL such as "https:\/\/api\.openai\.com\/v1", got "localhost"/],
  ])('is told at once: %s', (make, message) => {
    expect(make).toThrow(InputError)
    expect(make).toThrow(message)
  })
})

describe('an error of the server', () => {
  it('has its type, its words and its wait', async () => {
    server.handle = (_request, response) =>
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '3' }).end('{"error":{"message":"Slow down."}}')
    expect(await errorOf(model)).toMatchObject({ name: 'ThrottledError', retryAfterMs: 3000, message: 'p: Slow down. (HTTP 429)' })
  })

  it('inside the stream ends it, after what came before', async () => {
    server.handle = sends(
      `${chunks(chunk({ content: 'Hel' })).replace('data: [DONE]\n\n', '')}data: {"error":{"message":"oops","type":"server_error"}}\n\n`,
    )
    const { error, partialText } = await answer(model)
    expect(error).toMatchObject({ name: 'OverloadedError', message: 'p: oops' })
    expect(partialText).toBe('Hel')
  })

  it('inside the stream may have a name of its own, and be no JSON', async () => {
    server.handle = sends('event: error\ndata: out of memory\n\n')
    expect(await errorOf(model)).toMatchObject({ name: 'ModelError', retryable: true, message: 'p: out of memory' })
  })

  it('inside the stream may be the whole chunk', async () => {
    server.handle = sends('data: {"object":"error","message":"too long","code":400,"type":"BadRequestError"}\n\n')
    expect(await errorOf(model)).toMatchObject({ name: 'InvalidRequestError', status: 400 })
  })

  it('may come as plain JSON with a good status', async () => {
    server.handle = sends('{"error":{"message":"no such model","code":404}}', 'application/json')
    expect(await errorOf(model)).toMatchObject({ name: 'InvalidRequestError', message: 'p: no such model (HTTP 404)' })
  })
})

describe('an answer that is no event stream', () => {
  it('is shown', async () => {
    server.handle = sends('<html>Please log in</html>', 'text/html')
    expect(await errorOf(model)).toMatchObject({
      name: 'IncompleteStreamError',
      message: 'p: expected an event stream, got text/html: <html>Please log in</html>',
    })
  })

  it('is shown when it holds what is no JSON', async () => {
    server.handle = sends('data: {"choices":\n\n')
    expect(await errorOf(model)).toMatchObject({
      name: 'IncompleteStreamError',
      retryable: true,
      message: 'p: expected JSON in the stream, got "{\\"choices\\":".',
    })
  })

  it('is read all the same when only its type is wrong', async () => {
    for (const type of ['text/plain', 'application/json', 'text/html']) {
      server.handle = sends(chunks(chunk({ content: 'a' }, 'stop')), type)
      expect((await answer(model)).message?.content).toEqual([{ type: 'text', text: 'a' }])
    }
  })
})
