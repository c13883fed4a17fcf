import { afterEach, describe, expect, it, vi } from 'vitest'
import { anthropic } from '../../../src/providers/anthropic/index.ts'
import { google } from '../../../src/providers/google/index.ts'
import { compatible, openai } from '../../../src/providers/openai/index.ts'
import type { Model } from '../../../src/models/model.ts'
import { answer, errorOf } from '../support/answer.ts'
import { streamServer } from '../support/stream-server.ts'

const server = await streamServer()
server.handle = (_request, response) => void response.writeHead(400).end('{}')

type Options = { readonly apiKey: string; readonly baseURL: string; readonly fetch?: typeof globalThis.fetch }
const models: Readonly<Record<string, readonly [header: string, begins: string, make: (options: Options) => Model]>> = {
  'openai chat': ['authorization', 'Bearer ', (options) => openai('m', options)],
  'openai responses': ['authorization', 'Bearer ', (options) => openai('m', { ...options, api: 'responses' })],
  'a preset': ['authorization', 'Bearer ', (options) => compatible('vllm', 'm', options)],
  anthropic: ['x-api-key', '', (options) => anthropic('m', options)],
  google: ['x-goog-api-key', '', (options) => google('m', options)],
}

describe.each(Object.entries(models))('the key of %s', (_name, [header, begins, make]) => {
  const { baseURL } = server

  it('is sent without the line end that a file left behind it', async () => {
    await answer(make({ apiKey: ' sk-secret\r\n', baseURL }))
    expect(server.requests.at(-1)!.headers[header]).toBe(`${begins}sk-secret`)
  })

  // A client's own words for such a key are the key.
  it.each([undefined, globalThis.fetch])('is told to be wrong where no header carries it, and is not shown', async (fetch) => {
    const before = server.requests.length
    for (const apiKey of ['sk-secret\nsecond', 'sk-“secret”', 'sk-секрет']) {
      const error = await errorOf(make({ apiKey, baseURL, ...(fetch && { fetch }) }))
      expect([error.name, (error as { retryable?: unknown }).retryable]).toEqual(['AuthenticationError', false])
      expect(error.message).toContain('Check the option `apiKey`.')
      expect(`${error.message} ${String(error.cause)}`).not.toMatch(/secret|секрет/)
    }
    expect(server.requests.length).toBe(before)
  })
})

describe('of the environment', () => {
  afterEach(() => void vi.unstubAllEnvs())

  it('it names the variable', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-“secret”')
    const error = await errorOf(anthropic('m', { fetch: () => Promise.reject(new Error('not to be asked')) }))
    expect(error.message).toBe(
      'anthropic: character 4 of the key is none that a key has: was more than the key copied, or a line broken? Check the key in ANTHROPIC_API_KEY.',
    )
  })
})

it.each([undefined, globalThis.fetch])('another header that cannot be sent is named, and its value is not shown', async (fetch) => {
  const error = await errorOf(openai('m', { baseURL: server.baseURL, headers: { 'X-Tenant': 'secret\nname' }, ...(fetch && { fetch }) }))
  expect([error.name, error.message, error.cause]).toEqual([
    'InvalidRequestError',
    'openai: the header "x-tenant" has a character that no header carries. Check `headers`.',
    undefined,
  ])
})
