import { afterEach, describe, expect, it, vi } from 'vitest'
import { ModelNotFoundError } from '../../src/errors.ts'
import { providers } from '../../src/index.ts'
import type { LocalServer } from '../../src/index.ts'
import { resolveModel } from '../../src/models/resolve.ts'
import type { Model } from '../../src/models/model.ts'
import { presets } from '../../src/providers/openai/index.ts'

afterEach(() => vi.unstubAllEnvs())

const known = ({ provider, id, contextWindow, abilities }: Model) => ({ provider, id, contextWindow, abilities })
const nobody = (): Promise<readonly LocalServer[]> => Promise.reject(new Error('must not be asked'))

describe('a name', () => {
  it.each([
    ['anthropic/claude-sonnet-5-5', 'anthropic', 'claude-sonnet-5-5'],
    ['openai/gpt-6.1-terra', 'openai', 'gpt-6.1-terra'],
    ['google/gemini-3.8-flash', 'google', 'gemini-3.8-flash'],
    ['bedrock/us.anthropic.claude-sonnet-4-6', 'bedrock', 'us.anthropic.claude-sonnet-4-6'],
    ['openrouter/openrouter/auto', 'openrouter', 'openrouter/auto'],
    ['openrouter/vendor/model:free', 'openrouter', 'vendor/model:free'],
    ['ollama/qwen3:8b', 'ollama', 'qwen3:8b'],
    ['groq/openai/gpt-oss-120b', 'groq', 'openai/gpt-oss-120b'],
    ['offline', 'offline', 'offline'],
  ])('%s is one of the provider', async (name, provider, id) => {
    expect(await resolveModel(name, { findServers: nobody })).toMatchObject({ provider, id })
  })

  it('is taken for each provider, whose presets have the same names and variables', async () => {
    vi.stubEnv('AZURE_OPENAI_ENDPOINT', 'https://mine.openai.azure.com')
    const found = await Promise.all(providers.map(async ({ name }) => (await resolveModel(`${name}/some/model`)).provider))
    expect(found).toEqual(providers.map(({ name }) => name))
    const variables = new Map(providers.map(({ name, variables }) => [name, variables]))
    expect(Object.keys(presets).map((name) => [name, variables.get(name)])).toEqual(
      Object.entries(presets).map(([name, { variable }]) => [name, variable === undefined ? [] : [variable]]),
    )
  })

  it('brings what is known of the model', async () => {
    expect(known(await resolveModel('openai/gpt-6.1-terra'))).toMatchObject({ contextWindow: 1_050_000, abilities: { images: true } })
    // What the preset says of the server stays.
    expect(known(await resolveModel('deepseek/deepseek-v4-pro'))).toEqual({
      provider: 'deepseek',
      id: 'deepseek-v4-pro',
      contextWindow: 1_000_000,
      abilities: { output: 'prompt', images: false, documents: true },
    })
    expect((await resolveModel('openrouter/anthropic/claude-haiku-4.5')).contextWindow).toBe(200_000)
    expect((await resolveModel('anthropic/claude-haiku-4-5')).contextWindow).toBe(200_000)
  })

  it('of an unknown model works as well', async () => {
    expect(known(await resolveModel('openai/of-tomorrow'))).toMatchObject({ id: 'of-tomorrow', contextWindow: undefined })
  })

  it('without a key is taken; the first request says which variable to set', async () => {
    vi.stubEnv('OPENROUTER_API_KEY', '')
    const model = await resolveModel('openrouter/vendor/model')
    const request = { system: [], messages: [], tools: [], toolChoice: 'auto', settings: {} } as const
    const asking = model.stream(request, { signal: new AbortController().signal })[Symbol.asyncIterator]().next()
    await expect(asking).rejects.toMatchObject({ code: 'authentication', variable: 'OPENROUTER_API_KEY' })
  })
})

describe('local', () => {
  const server = (name: LocalServer['name'], port: number, ...models: string[]): LocalServer => ({
    name,
    baseURL: `http://127.0.0.1:${port}/v1`,
    models,
  })
  const resolve = (name: string, ...servers: LocalServer[]): Promise<Model> => resolveModel(name, { findServers: async () => servers })

  it.each([
    ['local', 'ollama', 'qwen3:8b'],
    ['local/gemma-3', 'vllm', 'gemma-3'],
    ['local/org/model', 'ollama', 'org/model'],
  ])('%s is a model of a server that answers', async (name, provider, id) => {
    const servers = [server('ollama', 11434, 'qwen3:8b'), server('vllm', 8000, 'gemma-3')]
    expect(await resolve(name, ...servers)).toMatchObject({ provider, id, abilities: { images: true, documents: false } })
  })

  it('says how to get one when none answers', async () => {
    await expect(resolve('local')).rejects.toThrow(
      new ModelNotFoundError(
        'No server of models answers on this machine. Start Ollama, LM Studio, llama.cpp or vLLM on its usual port; or use "offline", or "provider/model".',
      ),
    )
  })

  it('says which one answers when it has no model', async () => {
    await expect(resolve('local', server('lmstudio', 1234))).rejects.toThrow(
      new ModelNotFoundError('lmstudio at http://127.0.0.1:1234/v1 answers, but has no model to talk to. Load one there, and try again.'),
    )
  })
})

describe('a name of no model', () => {
  const there = `Use "offline", "local", or "provider/model" with one of the providers ${providers.map(({ name }) => name).join(', ')}; or pass a model object.`
  it.each<[string, string]>([
    ['opnai/gpt-5', `There is no model "opnai/gpt-5". Did you mean "openai"? ${there}`],
    ['ofline', `There is no model "ofline". Did you mean "offline"? ${there}`],
    ['gpt-6.1-terra', `There is no model "gpt-6.1-terra". Did you mean "openai/gpt-6.1-terra"? ${there}`],
    ['some-model', `There is no model "some-model". ${there}`],
    ['', `There is no model "". ${there}`],
    ['/gpt-5', `There is no model "/gpt-5". ${there}`],
    ['toString/x', `There is no model "toString/x". ${there}`],
    ['openai', '"openai" names a provider but no model. Write it as "openai/model-id", for example "openai/gpt-6.1-terra".'],
    ['ollama/', '"ollama/" names a provider but no model. Write it as "ollama/model-id".'],
  ])('%j says what there is', async (name, said) => {
    const failing = resolveModel(name, { findServers: nobody })
    await expect(failing).rejects.toThrow(ModelNotFoundError)
    await expect(failing).rejects.toMatchObject({ code: 'model_not_found', message: said })
  })
})
