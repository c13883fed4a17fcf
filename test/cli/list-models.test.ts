import { describe, expect, it } from 'vitest'
import { lena } from './support/world.ts'

describe('lena models', () => {
  it('lists what --model takes, and what is used', async () => {
    expect(await lena(['models'], { env: {} })).toEqual({
      code: 0,
      stderr: '',
      stdout: `MODEL         READY                      WHAT IT IS
offline       always                     the built-in model: no key, no network; plain requests about files and commands
openai/MODEL  OPENAI_API_KEY is not set  any model of OpenAI, for example openai/gpt-5.4

Used: offline (no --model, no LENA_MODEL and no key is given).
`,
    })
  })

  it('gives the same as JSON', async () => {
    const { stdout } = await lena(['models', '--output', 'json'], { env: { OPENAI_API_KEY: 'sk-test' } })
    expect(JSON.parse(stdout)).toEqual({
      used: { name: 'openai/gpt-5.4-mini', by: 'OPENAI_API_KEY' },
      models: [
        {
          name: 'offline',
          about: 'the built-in model: no key, no network; plain requests about files and commands',
          variable: null,
          ready: true,
        },
        { name: 'openai/MODEL', about: 'any model of OpenAI, for example openai/gpt-5.4', variable: 'OPENAI_API_KEY', ready: true },
      ],
    })
    expect(stdout).not.toContain('sk-test')
  })
})
