import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../../src/models/model.ts'
import type { AiSdkLanguageModel, AiSdkOptions } from '../../../src/providers/ai-sdk/index.ts'
import { aiSdk } from '../../../src/providers/ai-sdk/index.ts'
import { answer, request } from '../support/answer.ts'
import { optionsOf, spec } from './support/ask.ts'
import { finish, scripted } from './support/scripted.ts'

const prompt: LanguageModelV4CallOptions['prompt'] = [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }]
const look = { type: 'function', name: 'look', description: 'The tool look.', inputSchema: { type: 'object' } } as const
const search = { type: 'provider', id: 'acme.search', name: 'search', args: { max: 3 } } as const

type Asked = Partial<LanguageModelV4CallOptions>
const table: readonly (readonly [what: string, request: Partial<ModelRequest>, options: AiSdkOptions, asked: Asked])[] = [
  ['nothing but the prompt', {}, {}, {}],
  [
    'settings',
    { settings: { maxTokens: 100, temperature: 0.5, topP: 0.9, stopSequences: ['END'] } },
    {},
    { maxOutputTokens: 100, temperature: 0.5, topP: 0.9, stopSequences: ['END'] },
  ],
  [
    'the model’s own settings, which a request’s override',
    { settings: { temperature: 1 } },
    { maxTokens: 5, temperature: 0, stopSequences: [] },
    { maxOutputTokens: 5, temperature: 1 },
  ],
  ['tools', { tools: [spec('look')] }, {}, { tools: [look], toolChoice: { type: 'auto' } }],
  [
    'a tool that must be called',
    { tools: [spec('look')], toolChoice: 'required' },
    {},
    { tools: [look], toolChoice: { type: 'required' } },
  ],
  ['that none may be called', { tools: [spec('look')], toolChoice: 'none' }, {}, { tools: [look], toolChoice: { type: 'none' } }],
  [
    'which tool must be called',
    { tools: [spec('look')], toolChoice: { name: 'look' } },
    {},
    { tools: [look], toolChoice: { type: 'tool', toolName: 'look' } },
  ],
  ['no choice where there are no tools', { toolChoice: 'required' }, {}, {}],
  [
    'a tool without a description',
    { tools: [{ ...spec('look'), description: '' }] },
    {},
    { tools: [{ type: 'function', name: 'look', inputSchema: { type: 'object' } }], toolChoice: { type: 'auto' } },
  ],
  [
    'the schema of an output',
    { output: { name: 'answer', schema: { type: 'object' } } },
    {},
    { responseFormat: { type: 'json', name: 'answer', schema: { type: 'object' } } },
  ],
  [
    'headers and provider options',
    { settings: { extra: { headers: { b: '2' }, providerOptions: { acme: { y: 2 }, other: { z: 3 } } } } },
    { headers: { a: '1', b: '1' }, providerOptions: { acme: { x: 1, y: 1 } }, extra: { providerOptions: { acme: { w: 0 } } } },
    { headers: { a: '1', b: '2' }, providerOptions: { acme: { w: 0, x: 1, y: 2 }, other: { z: 3 } } },
  ],
  [
    'more call options, which win',
    { settings: { temperature: 1, extra: { temperature: 0, topK: 4, seed: 7 } } },
    { extra: { topK: 3, presencePenalty: 0.1 } },
    { temperature: 0, topK: 4, seed: 7, presencePenalty: 0.1 },
  ],
  ['no prompt of another’s', { settings: { extra: { prompt: [], abortSignal: 'x' } } }, {}, {}],
  [
    'tools that the provider runs',
    { tools: [spec('look')], settings: { extra: { tools: [search] } } },
    {},
    { tools: [look, search], toolChoice: { type: 'auto' } },
  ],
  ['the wish to think', { settings: { thinking: {} } }, {}, { reasoning: 'medium' }],
  ['the wish to think little', { settings: { thinking: { effort: 'low' } } }, {}, { reasoning: 'low' }],
  ['the wish not to think', { settings: { thinking: false } }, { thinking: { effort: 'high' } }, { reasoning: 'none' }],
  ...([4096, 4097, 10_241] as const).map(
    (budgetTokens, i) =>
      [
        `a budget of ${budgetTokens} tokens`,
        { settings: { thinking: { budgetTokens } } },
        {},
        { reasoning: (['low', 'medium', 'high'] as const)[i]! },
      ] as const,
  ),
]

describe('a request tells a model of v4', () => {
  it.each(table)('%s', async (_what, asked, options, expected) => {
    expect(await optionsOf(asked, options)).toEqual({ ...expected, prompt })
  })
})

describe('a request tells a model of v3', () => {
  it.each(table)('%s', async (_what, asked, options, { reasoning: _none, ...expected }) => {
    expect(await optionsOf(asked, options, { version: 'v3' })).toEqual({ ...expected, prompt })
  })
})

describe('a request', () => {
  it('asks for raw chunks only when somebody wants them, and brings a signal of its own', async () => {
    const { model, asked } = scripted([[finish()]])
    const { signal } = new AbortController()
    await answer(aiSdk(model), request(), { raw: true, signal })
    await answer(aiSdk(model), request(), { signal })
    expect(asked.map(({ includeRawChunks }) => includeRawChunks)).toEqual([true, undefined])
    expect(asked.map(({ abortSignal }) => [abortSignal instanceof AbortSignal, abortSignal === signal, abortSignal!.aborted])).toEqual([
      [true, false, false],
      [true, false, false],
    ])
  })

  it('calls the model as its method', async () => {
    class OwnModel {
      readonly specificationVersion = 'v4'
      readonly provider = 'own'
      readonly modelId = 'm'
      readonly #stream = scripted([[finish()]]).model
      doStream(options: never): ReturnType<AiSdkLanguageModel['doStream']> {
        return this.#stream.doStream(options)
      }
    }
    expect((await answer(aiSdk(new OwnModel()))).message?.stopReason).toBe('end_turn')
  })
})
