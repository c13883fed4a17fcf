import { describe, expect, it } from 'vitest'
import type { ModelRequest, ModelSettings } from '../../../src/models/model.ts'
import { assistant, bodyOf, called, history, result, user } from './support/ask.ts'
import { useOwnEnvironment } from './support/env.ts'

useOwnEnvironment()

const fieldsOf = async (id: string, settings: ModelSettings, parts: Partial<ModelRequest> = {}): Promise<object> => {
  const { messages: _messages, toolConfig: _tools, ...fields } = await bodyOf({ settings, ...parts }, id)
  return fields
}
const model = (fields: object): object => ({ additionalModelRequestFields: fields })
const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }] as const
const [sonnet45, sonnet46, opus48, opus55] = [
  'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  'global.anthropic.claude-sonnet-4-6',
  'anthropic.claude-opus-4-8',
  'anthropic.claude-opus-5-5',
] as const
const nova2 = 'us.amazon.nova-2-lite-v1:0'

describe('thinking is asked for as the model wants it', () => {
  const rows: readonly (readonly [id: string, thinking: ModelSettings['thinking'], fields: object])[] = [
    [sonnet45, { budgetTokens: 2000 }, model({ thinking: { type: 'enabled', budget_tokens: 2000 } })],
    [sonnet45, { effort: 'high' }, model({ thinking: { type: 'enabled', budget_tokens: 24_576 } })],
    [sonnet45, false, {}],
    [sonnet46, { effort: 'low' }, { ...model({ thinking: { type: 'adaptive' } }), outputConfig: { effort: 'low' } }],
    [sonnet46, {}, model({ thinking: { type: 'adaptive' } })],
    [
      opus48,
      { effort: 'medium' },
      { ...model({ thinking: { type: 'adaptive', display: 'summarized' } }), outputConfig: { effort: 'medium' } },
    ],
    [opus48, false, model({ thinking: { type: 'disabled' } })],
    [opus55, false, {}],
    [nova2, { effort: 'low' }, model({ reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' } })],
    [nova2, { budgetTokens: 20_000 }, model({ reasoningConfig: { type: 'enabled', maxReasoningEffort: 'high' } })],
    [nova2, false, model({ reasoningConfig: { type: 'disabled' } })],
    ['openai.gpt-oss-120b-1:0', { effort: 'high' }, model({ reasoning_effort: 'high' })],
    ['openai.gpt-oss-120b-1:0', false, model({ reasoning_effort: 'low' })],
    ['us.amazon.nova-pro-v1:0', { effort: 'high' }, {}],
    ['deepseek.v3-v1:0', { effort: 'high' }, {}],
  ]
  it.each(rows)('%s, %j', async (id, thinking, fields) => expect(await fieldsOf(id, { thinking })).toEqual(fields))

  it('and a budget leaves room for the answer', async () =>
    expect(await fieldsOf(sonnet45, { maxTokens: 500, thinking: { budgetTokens: 2000 } })).toEqual({
      inferenceConfig: { maxTokens: 2500 },
      ...model({ thinking: { type: 'enabled', budget_tokens: 2000 } }),
    }))

  it('and what the user writes himself is not touched', async () => {
    const thinking = { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } }
    expect(await fieldsOf(opus55, { temperature: 0, thinking: { effort: 'low' }, extra: { thinking } })).toEqual(model({ thinking }))
  })

  it('and an effort stands beside an output', async () => {
    const { outputConfig } = (await fieldsOf(
      sonnet46,
      { thinking: { effort: 'low' } },
      { output: { name: 'o', schema: { type: 'object' } } },
    )) as {
      readonly outputConfig: object
    }
    expect(outputConfig).toMatchObject({ effort: 'low', textFormat: { type: 'json_schema' } })
  })
})

describe('what thinking does not go with', () => {
  it.each<readonly [string, ModelSettings, object | undefined]>([
    [sonnet45, { temperature: 0.2, topP: 0.5 }, { temperature: 0.2 }],
    [sonnet45, { temperature: 0.2, topP: 0.97, thinking: {} }, { topP: 0.97 }],
    [sonnet45, { temperature: 0.2, topP: 0.5, thinking: {} }, undefined],
    [opus48, { temperature: 0.2, topP: 0.97 }, undefined],
    ['anthropic.claude-3-5-haiku-20241022-v1:0', { temperature: 0.2, topP: 0.5 }, { temperature: 0.2, topP: 0.5 }],
    [nova2, { temperature: 0.2, topP: 0.5, maxTokens: 9, thinking: { effort: 'high' } }, undefined],
    [nova2, { temperature: 0.2, topP: 0.5, maxTokens: 9, thinking: { effort: 'medium' } }, { temperature: 0.2, topP: 0.5, maxTokens: 9 }],
    ['us.meta.llama3-3-70b-instruct-v1:0', { temperature: 0.2, topP: 0.5 }, { temperature: 0.2, topP: 0.5 }],
  ])('settings: %s, %j', async (id, settings, expected) =>
    expect(((await fieldsOf(id, settings)) as { readonly inferenceConfig?: object }).inferenceConfig).toEqual(expected),
  )

  it.each([
    [sonnet45, { thinking: { effort: 'low' } }, undefined],
    [sonnet45, { extra: { thinking: { type: 'enabled', budget_tokens: 1024 } } }, undefined],
    [opus55, {}, undefined],
    [sonnet45, { thinking: false }, { any: {} }],
    [nova2, { thinking: { effort: 'low' } }, { any: {} }],
  ] as const)('a forced choice: %s, %j → %j', async (id, settings, choice) => {
    const { toolConfig } = (await bodyOf({ settings, tools, toolChoice: 'required' }, id)) as unknown as {
      readonly toolConfig: { readonly toolChoice?: object }
    }
    expect(toolConfig.toolChoice).toEqual(choice)
  })

  it('a turn that began without it, where a budget is taken', async () => {
    const plainTurn = history(user('go'), assistant('Let me see.', called('call_1')), user(result('call_1')))
    const thought = { type: 'reasoning', text: 'hm', signature: 's', provider: { bedrock: { maker: 'anthropic' } } }
    const ownTurn = history(user('go'), assistant(thought, called('call_1')), user(result('call_1')))
    const asked = model({ thinking: { type: 'enabled', budget_tokens: 2000 } })
    const thinking = { budgetTokens: 2000 }
    expect(await fieldsOf(sonnet45, { thinking }, { messages: plainTurn })).toEqual({})
    expect(await fieldsOf(sonnet45, { thinking }, { messages: ownTurn })).toEqual(asked)
    expect(await fieldsOf(sonnet46, { thinking: {} }, { messages: plainTurn })).toEqual(model({ thinking: { type: 'adaptive' } }))
  })
})
