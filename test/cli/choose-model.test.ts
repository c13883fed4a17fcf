import { describe, expect, it } from 'vitest'
import { chooseModel, offlineNote } from '../../src/cli/choose-model.ts'

const key = { OPENAI_API_KEY: 'sk-test' }

describe('chooseModel', () => {
  it.each([
    ['--model before all', 'openai/x', { LENA_MODEL: 'offline', ...key }, { name: 'openai/x', by: '--model' }],
    ['LENA_MODEL before keys', undefined, { LENA_MODEL: ' openai/y ', ...key }, { name: 'openai/y', by: 'LENA_MODEL' }],
    ['a key before nothing', undefined, key, { name: 'openai/gpt-5.4-mini', by: 'OPENAI_API_KEY' }],
    ['nothing', undefined, {}, { name: 'offline', by: 'nothing' }],
    ['blank variables are none', undefined, { LENA_MODEL: ' ', OPENAI_API_KEY: '' }, { name: 'offline', by: 'nothing' }],
  ] as const)('%s', (_, given, env, chosen) => expect(chooseModel(given, env)).toEqual(chosen))
})

describe('offlineNote', () => {
  it('says why, and what to do about it', () => {
    expect(offlineNote({ name: 'offline', by: 'nothing' })).toBe(
      'Offline model (no key is set): plain requests about files and commands. For more set OPENAI_API_KEY or give --model.',
    )
    expect(offlineNote({ name: 'offline', by: '--model' })).toBe(
      'Offline model: plain requests about files and commands. For more set OPENAI_API_KEY or give --model.',
    )
  })
  it('says nothing of any other model', () => expect(offlineNote({ name: 'openai/x', by: '--model' })).toBeUndefined())
})
