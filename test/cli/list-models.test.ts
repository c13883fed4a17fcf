import { describe, expect, it } from 'vitest'
import { modelTable, modelsShown } from '../../src/cli/list-models.ts'
import type { LocalServer } from '../../src/index.ts'
import { lena } from './support/world.ts'

const ollama: LocalServer = { name: 'ollama', baseURL: 'http://127.0.0.1:11434/v1', models: ['qwen3:8b', 'gemma3:4b'] }

describe('the table of models', () => {
  it('lists what --model takes, what answers, and what is used', () => {
    expect(modelTable(modelsShown(undefined, { GOOGLE_API_KEY: 'x' }, [ollama, { ...ollama, name: 'vllm', models: [] }])))
      .toBe(`MODEL             READY                                WHAT IT IS
offline           always                               the built-in model: no key, no network; plain requests about files and commands
anthropic/MODEL   ANTHROPIC_API_KEY is not set         Claude, such as anthropic/claude-sonnet-5-5
openai/MODEL      OPENAI_API_KEY is not set            GPT, such as openai/gpt-6.1-terra
google/MODEL      GOOGLE_API_KEY is set                Gemini, such as google/gemini-3.8-flash
mistral/MODEL     MISTRAL_API_KEY is not set           Mistral, such as mistral/mistral-medium-3.5
xai/MODEL         XAI_API_KEY is not set               Grok, such as xai/grok-4.7
deepseek/MODEL    DEEPSEEK_API_KEY is not set          DeepSeek, such as deepseek/deepseek-flash
openrouter/MODEL  OPENROUTER_API_KEY is not set        models of all makers, such as openrouter/openrouter/auto
groq/MODEL        GROQ_API_KEY is not set              open models, served fast
together/MODEL    TOGETHER_API_KEY is not set          open models
azure/MODEL       AZURE_OPENAI_API_KEY is not set      deployments of Azure OpenAI
bedrock/MODEL     AWS_BEARER_TOKEN_BEDROCK is not set  models on Amazon Bedrock
ollama/MODEL      answers                              Ollama on this machine
lmstudio/MODEL    does not answer                      LM Studio on this machine
llamacpp/MODEL    does not answer                      llama.cpp on this machine
vllm/MODEL        answers                              vLLM on this machine

ollama at http://127.0.0.1:11434/v1: qwen3:8b, gemma3:4b
vllm at http://127.0.0.1:11434/v1: no model
Used: google/gemini-3.8-flash (chosen by GOOGLE_API_KEY).
`)
  })

  it.each<[string | undefined, Record<string, string>, readonly LocalServer[] | undefined, string]>([
    ['openai/x', {}, [ollama], 'Used: openai/x (chosen by --model).'],
    [undefined, {}, [ollama], 'Used: ollama/qwen3:8b (ollama answers).'],
    [undefined, {}, [], 'Used: offline (no --model, no LENA_MODEL and no key is given, and no server with a model answers).'],
    [undefined, {}, undefined, 'Used: offline (no --model, no LENA_MODEL and no key is given).'],
  ])('says why with --model %s, %j and servers %j', (given, env, servers, said) => {
    expect(
      modelTable(modelsShown(given, env, servers))
        .split('\n')
        .at(-2),
    ).toBe(said)
  })

  it('says nothing of servers that nobody looked for', () => {
    const { models } = modelsShown(undefined, {})
    expect(models.filter(({ variable }) => variable === null).map(({ name }) => name)).toEqual(['offline'])
  })
})

describe('lena models', () => {
  it('prints the table', async () => {
    const { code, stdout, stderr } = await lena(['models', '--model', 'openai/x'], { env: {} })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('\nanthropic/MODEL')
    expect(stdout.endsWith('\nUsed: openai/x (chosen by --model).\n')).toBe(true)
  })

  it('lists the servers that answer', async () => {
    const { stdout } = await lena(['models'], { env: {}, servers: [ollama] })
    expect(stdout.split('\n').slice(-4)).toEqual([
      '',
      'ollama at http://127.0.0.1:11434/v1: qwen3:8b, gemma3:4b',
      'Used: ollama/qwen3:8b (ollama answers).',
      '',
    ])
  })

  it('gives the same as JSON, without a key', async () => {
    const { stdout } = await lena(['models', '--output', 'json'], { env: { OPENAI_API_KEY: 'sk-test' } })
    const shown = JSON.parse(stdout) as ReturnType<typeof modelsShown>
    expect(shown.used).toEqual({ name: 'openai/gpt-6.1-terra', by: 'OPENAI_API_KEY' })
    expect(shown.models.slice(0, 3)).toEqual([
      {
        name: 'offline',
        about: 'the built-in model: no key, no network; plain requests about files and commands',
        variable: null,
        ready: true,
        default: null,
      },
      { name: 'anthropic/MODEL', about: 'Claude', variable: 'ANTHROPIC_API_KEY', ready: false, default: 'anthropic/claude-sonnet-5-5' },
      { name: 'openai/MODEL', about: 'GPT', variable: 'OPENAI_API_KEY', ready: true, default: 'openai/gpt-6.1-terra' },
    ])
    expect(stdout).not.toContain('sk-test')
  })
})
