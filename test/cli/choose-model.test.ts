import { describe, expect, it } from 'vitest'
import { chooseModel, findModel } from '../../src/cli/choose-model.ts'
import { modelNote } from '../../src/cli/named-model.ts'
import type { LocalServer } from '../../src/index.ts'

const key = { OPENAI_API_KEY: 'sk-test' }
const ollama: LocalServer = { name: 'ollama', baseURL: 'http://127.0.0.1:11434/v1', models: ['qwen3:8b'] }
const local = { name: 'ollama/qwen3:8b', by: 'ollama', at: 'http://127.0.0.1:11434/v1' }

describe('chooseModel', () => {
  it.each([
    ['--model before all', 'openai/x', { LENA_MODEL: 'offline', ...key }, { name: 'openai/x', by: '--model' }],
    ['LENA_MODEL before keys', undefined, { LENA_MODEL: ' openai/y ', ...key }, { name: 'openai/y', by: 'LENA_MODEL' }],
    ['a key before a server', undefined, key, { name: 'openai/gpt-6.1-terra', by: 'OPENAI_API_KEY' }],
    [
      'keys in the order of the providers',
      undefined,
      { OPENROUTER_API_KEY: 'c', GEMINI_API_KEY: 'b', ...key, ANTHROPIC_API_KEY: 'a' },
      { name: 'anthropic/claude-sonnet-5-5', by: 'ANTHROPIC_API_KEY' },
    ],
    ['either variable of Google', undefined, { GOOGLE_API_KEY: 'b' }, { name: 'google/gemini-3.8-flash', by: 'GOOGLE_API_KEY' }],
    ['a service by its key', undefined, { OPENROUTER_API_KEY: 'c' }, { name: 'openrouter/openrouter/auto', by: 'OPENROUTER_API_KEY' }],
    ['a server before nothing', undefined, {}, local],
    ['no provider without a default model', undefined, { GROQ_API_KEY: 'g', AWS_PROFILE: 'p' }, local],
    ['blank variables are none', undefined, { LENA_MODEL: ' ', OPENAI_API_KEY: '' }, local],
  ] as const)('%s', (_, given, env, chosen) => expect(chooseModel(given, env, [ollama])).toEqual(chosen))

  it('is offline without a server, or with one that has no model', () => {
    expect(chooseModel(undefined, {})).toEqual({ name: 'offline', by: 'nothing' })
    expect(chooseModel(undefined, {}, [{ ...ollama, models: [] }])).toEqual({ name: 'offline', by: 'nothing' })
  })
})

describe('findModel', () => {
  it.each([
    ['openai/x', {}],
    [undefined, { LENA_MODEL: 'offline' }],
    [undefined, key],
  ])('looks for no server with --model %s and %j', async (given, env) => {
    const find = (): never => {
      throw new Error('must not look')
    }
    expect(await findModel(given, env, find)).toEqual(chooseModel(given, env))
  })

  it('takes a server that answers, else offline', async () => {
    expect(await findModel(undefined, {}, async () => [ollama])).toEqual(local)
    expect(await findModel(undefined, {}, async () => [])).toEqual({ name: 'offline', by: 'nothing' })
  })
})

describe('modelNote', () => {
  const offline = 'plain requests about files and commands. For more give --model; `lena models` lists what there is.'
  it.each([
    [{ name: 'openai/x', by: '--model' }, undefined],
    [{ name: 'openai/x', by: 'LENA_MODEL' }, undefined],
    [{ name: 'openai/x', by: 'OPENAI_API_KEY' }, 'Model openai/x (OPENAI_API_KEY is set).'],
    [local, 'Model ollama/qwen3:8b (ollama answers at http://127.0.0.1:11434/v1).'],
    [{ name: 'offline', by: 'nothing' }, `Offline model (no key is set, no local server answers): ${offline}`],
    [{ name: 'offline', by: '--model' }, `Offline model: ${offline}`],
  ])('of %j is %j', (chosen, note) => expect(modelNote(chosen)).toBe(note))
})
