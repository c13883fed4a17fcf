import type { LanguageModelV2, LanguageModelV3 as LanguageModelV3of4, LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createOpenAICompatible as createOpenAICompatible2 } from 'ai-sdk-openai-compatible-2'
import type { LanguageModelV3, LanguageModelV3StreamPart } from 'ai-sdk-provider-3'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { InputError } from '../../../src/errors.ts'
import type { AiSdkLanguageModel } from '../../../src/providers/ai-sdk/index.ts'
import { aiSdk } from '../../../src/providers/ai-sdk/index.ts'
import type { StreamPart } from '../../../src/providers/ai-sdk/spec.ts'
import { scripted } from './support/scripted.ts'

describe('a model', () => {
  it('of v4 or v3 fits, whichever package declares it, and one of v2 does not', () => {
    expectTypeOf<LanguageModelV4>().toExtend<AiSdkLanguageModel>()
    expectTypeOf<LanguageModelV3>().toExtend<AiSdkLanguageModel>()
    expectTypeOf<LanguageModelV3of4>().toExtend<AiSdkLanguageModel>()
    expectTypeOf<LanguageModelV2>().not.toExtend<AiSdkLanguageModel>()
    expectTypeOf<LanguageModelV4StreamPart>().toExtend<StreamPart>()
    expectTypeOf<LanguageModelV3StreamPart>().toExtend<StreamPart>()

    const settings = { name: 'acme', baseURL: 'http://localhost/v1' }
    const models = [createOpenAICompatible(settings)('big'), createOpenAICompatible2(settings)('big')] as const
    expect(models.map(({ specificationVersion }) => specificationVersion)).toEqual(['v4', 'v3'])
    expect(models.map((model) => aiSdk(model)).map(({ provider, id }) => [provider, id])).toEqual([
      ['ai-sdk.acme.chat', 'big'],
      ['ai-sdk.acme.chat', 'big'],
    ])
  })

  it.each([
    ['a name', 'openai/gpt-5.2', 'got "openai/gpt-5.2".'],
    ['nothing', undefined, 'got undefined.'],
    ['a provider', createOpenAICompatible({ name: 'acme', baseURL: 'http://localhost/v1' }), 'got a function.'],
    ['an object of another kind', { provider: 'acme' }, 'got an object.'],
    ['a model of v2', { ...scripted([]).model, specificationVersion: 'v2' }, 'got one of "v2". Update the package of test.chat.'],
  ])('that is %s is refused, with what is expected', (_what, model, said) => {
    const take = (): unknown => aiSdk(model as AiSdkLanguageModel)
    expect(take).toThrow(InputError)
    expect(take).toThrow('aiSdk(): expected a language model of the AI SDK, such as mistral("mistral-large-latest") of @ai-sdk/mistral')
    expect(take).toThrow(said)
  })
})

describe('what the model can do', () => {
  it('is bound to a schema, unless it says that it cannot be, or the options say otherwise', () => {
    const can = { images: true, documents: true }
    expect(aiSdk(scripted([]).model).abilities).toEqual({ output: 'native', ...can })
    const { model } = scripted([], { supportsStructuredOutputs: false })
    expect(aiSdk(model).abilities).toEqual({ output: 'forced_tool', ...can })
    expect(aiSdk(model, { abilities: { output: 'prompt', images: false } }).abilities).toEqual({
      output: 'prompt',
      images: false,
      documents: true,
    })
  })

  it('and its window are what the options say', () => {
    expect([aiSdk(scripted([]).model).contextWindow, aiSdk(scripted([]).model, { contextWindow: 1000, provider: 'mine' })]).toEqual([
      undefined,
      expect.objectContaining({ contextWindow: 1000, provider: 'mine', id: 'm-1' }),
    ])
  })
})
