import { describe, expect, it } from 'vitest'
import { ModelNotFoundError } from '../../src/errors.ts'
import { resolveModel } from '../../src/models/resolve.ts'

describe('a name of no model', () => {
  const there = 'Use "offline", or "provider/model" with one of the providers'
  it.each<[string, string]>([
    ['opnai/gpt-5', `There is no model "opnai/gpt-5". Did you mean "openai"? ${there} openai`],
    ['ofline', `There is no model "ofline". Did you mean "offline"? ${there} openai`],
    ['gpt-5', `There is no model "gpt-5". ${there} openai`],
    ['', `There is no model "". ${there} openai`],
    ['/gpt-5', `There is no model "/gpt-5". ${there} openai`],
    ['toString/x', `There is no model "toString/x". ${there} openai`],
    ['openai', '"openai" names a provider but no model. Write it as "openai/model-id".'],
    ['openai/', '"openai/" names a provider but no model. Write it as "openai/model-id".'],
  ])('%j says what there is', async (name, said) => {
    const failing = resolveModel(name)
    await expect(failing).rejects.toThrow(ModelNotFoundError)
    await expect(failing).rejects.toMatchObject({ code: 'model_not_found', message: expect.stringContaining(said) as string })
  })
})
