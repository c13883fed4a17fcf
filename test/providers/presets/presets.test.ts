import { afterEach, describe, expect, it, vi } from 'vitest'
import { InputError } from '../../../src/errors.ts'
import type { CompatibleOptions, PresetName } from '../../../src/providers/openai/index.ts'
import { compatible, presets } from '../../../src/providers/openai/index.ts'
import { answer, errorOf, request } from '../support/answer.ts'
import { chunk, chunks, fakeFetch } from '../support/fake-fetch.ts'

const saying = chunks(chunk({ content: 'hi' }, 'stop'))
afterEach(() => void vi.unstubAllEnvs())

/** Where a model sends a request, with which key, and which fields it has beside the prompt. */
async function sentBy(
  preset: PresetName,
  options: CompatibleOptions = {},
): Promise<{ readonly url: string; readonly key: unknown; readonly fields: unknown }> {
  const { fetch, asked } = fakeFetch(saying)
  const { error } = await answer(compatible(preset, 'm', { fetch, ...options }), request({ settings: { maxTokens: 5 } }))
  if (error) throw error
  const [{ url, headers, body }] = asked as [(typeof asked)[number]]
  const { messages: _messages, model: _model, stream: _stream, ...fields } = JSON.parse(body) as Record<string, unknown>
  return { url, key: headers['authorization'] ?? headers['api-key'], fields }
}

const usage = { stream_options: { include_usage: true } }
const old = { ...usage, max_tokens: 5 }
const newer = { ...usage, max_completion_tokens: 5 }

const table: readonly (readonly [PresetName, string, string | undefined, object])[] = [
  ['ollama', 'http://127.0.0.1:11434/v1', undefined, old],
  ['lmstudio', 'http://127.0.0.1:1234/v1', undefined, old],
  ['llamacpp', 'http://127.0.0.1:8080/v1', undefined, old],
  ['vllm', 'http://127.0.0.1:8000/v1', undefined, old],
  ['openrouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY', old],
  ['groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY', newer],
  ['deepseek', 'https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY', old],
  ['mistral', 'https://api.mistral.ai/v1', 'MISTRAL_API_KEY', { max_tokens: 5 }],
  ['xai', 'https://api.x.ai/v1', 'XAI_API_KEY', newer],
  ['together', 'https://api.together.xyz/v1', 'TOGETHER_API_KEY', old],
]

describe('a preset', () => {
  it.each(table)('knows the server, its key and its fields: %s', async (name, base, variable, fields) => {
    if (variable) vi.stubEnv(variable, 'secret')
    expect(await sentBy(name)).toEqual({ url: `${base}/chat/completions`, key: variable && 'Bearer secret', fields })
    const model = compatible(name, 'm')
    expect([model.provider, model.id]).toEqual([name, 'm'])
  })

  it('is in this table, or Azure', () => {
    expect([...table.map(([name]) => name), 'azure'].toSorted()).toEqual(Object.keys(presets).toSorted())
  })

  it('gives way to options', async () => {
    expect(await sentBy('mistral', { apiKey: 'mine', body: { safe_prompt: true } })).toEqual({
      url: 'https://api.mistral.ai/v1/chat/completions',
      key: 'Bearer mine',
      fields: { max_tokens: 5, safe_prompt: true },
    })
    expect(await sentBy('ollama', { baseURL: 'http://box:1/v1', apiKey: 'mine' })).toMatchObject({
      url: 'http://box:1/v1/chat/completions',
      key: 'Bearer mine',
    })
    expect(compatible('ollama', 'm', { provider: 'box', abilities: { images: false } })).toMatchObject({
      provider: 'box',
      abilities: { output: 'native', images: false, documents: false },
    })
  })

  it('speaks Responses when it is told to', async () => {
    const { fetch, asked } = fakeFetch('')
    await answer(compatible('xai', 'grok-4', { apiKey: 'k', api: 'responses', fetch }))
    expect(asked.map(({ url, headers }) => [url, headers['authorization']])).toEqual([['https://api.x.ai/v1/responses', 'Bearer k']])
  })
})

describe('the key of a preset', () => {
  it('is missed by the name of its variable, when the model is first used', async () => {
    vi.stubEnv('GROQ_API_KEY', undefined)
    const { fetch, asked } = fakeFetch()
    expect(await errorOf(compatible('groq', 'm', { fetch }))).toMatchObject({
      name: 'AuthenticationError',
      variable: 'GROQ_API_KEY',
      message: 'groq: no API key. Set the environment variable GROQ_API_KEY, or give `apiKey`.',
    })
    expect(asked).toEqual([])
  })

  it('goes to its own server alone', async () => {
    vi.stubEnv('GROQ_API_KEY', 'secret')
    expect(await sentBy('groq', { baseURL: 'https://proxy.test/v1' })).toMatchObject({ key: undefined })
    expect(await sentBy('groq', { baseURL: 'https://api.groq.com/other/v1' })).toMatchObject({ key: 'Bearer secret' })
  })
})

describe('Azure', () => {
  it.each<readonly [CompatibleOptions, string]>([
    [{ resource: 'here' }, 'https://here.openai.azure.com/openai/v1/chat/completions'],
    [
      { resource: 'here', apiVersion: '2024-10-21' },
      'https://here.openai.azure.com/openai/deployments/m/chat/completions?api-version=2024-10-21',
    ],
    [{}, 'https://from.environment.test/openai/v1/chat/completions'],
    [{ baseURL: 'https://gateway.test/openai/v1' }, 'https://gateway.test/openai/v1/chat/completions'],
  ])('is where its resource is: %j', async (options, url) => {
    vi.stubEnv('AZURE_OPENAI_API_KEY', 'secret')
    vi.stubEnv('AZURE_OPENAI_ENDPOINT', 'https://from.environment.test/')
    expect(await sentBy('azure', options)).toEqual({ url, key: 'secret', fields: newer })
  })

  it('takes a token of its own in the place of the key', async () => {
    vi.stubEnv('AZURE_OPENAI_API_KEY', undefined)
    expect(await sentBy('azure', { resource: 'here', headers: { Authorization: 'Bearer token' } })).toMatchObject({ key: 'Bearer token' })
  })

  it('must have a resource', () => {
    vi.stubEnv('AZURE_OPENAI_ENDPOINT', undefined)
    expect(() => compatible('azure', 'm')).toThrow(InputError)
    expect(() => compatible('azure', 'm')).toThrow(
      /Give `resource` \(its name\) or `baseURL`, or set the environment variable AZURE_OPENAI_ENDPOINT/,
    )
  })
})

describe('an option that is wrong', () => {
  it.each([
    [() => compatible('olama' as 'ollama', 'm'), /there is no preset "olama". Did you mean "ollama"\? Use one of ollama, /],
    [() => compatible('ollama', ''), /expected the name of a model, got ""/],
    [
      () => compatible('ollama', 'm', { baseURL: 'localhost' }),
      /expected a URL such as "http:\/\/127\.0\.0\.1:11434\/v1", got "localhost"/,
    ],
    [() => compatible('ollama', 'm', { api: 'x' as 'chat' }), /expected "chat" or "responses", got "x"/],
  ])('is told at once: %s', (make, message) => {
    expect(make).toThrow(InputError)
    expect(make).toThrow(message)
  })
})
