import { describe, expect, it } from 'vitest'
import type { ModelRequest, ModelSettings } from '../../../src/models/model.ts'
import { assistant, bodyOf, called, history, result, user } from './support/ask.ts'

const fieldsOf = async (id: string, settings: ModelSettings, parts: Partial<ModelRequest> = {}): Promise<object> => {
  const { messages: _messages, model: _model, stream: _stream, ...fields } = await bodyOf({ settings, ...parts }, id)
  return fields
}
const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }] as const

describe('thinking is asked for as the model wants it', () => {
  const summarized = { type: 'adaptive', display: 'summarized' }
  const rows: readonly (readonly [id: string, thinking: ModelSettings['thinking'], fields: object])[] = [
    ['claude-sonnet-4-5', { budgetTokens: 2000 }, { max_tokens: 32_000, thinking: { type: 'enabled', budget_tokens: 2000 } }],
    ['claude-sonnet-4-5', { budgetTokens: 5 }, { max_tokens: 32_000, thinking: { type: 'enabled', budget_tokens: 1024 } }],
    ['claude-sonnet-4-5', { effort: 'high' }, { max_tokens: 32_000, thinking: { type: 'enabled', budget_tokens: 24_576 } }],
    ['claude-sonnet-4-5', { budgetTokens: 40_000 }, { max_tokens: 72_000, thinking: { type: 'enabled', budget_tokens: 40_000 } }],
    ['claude-sonnet-4-5', false, { max_tokens: 32_000 }],
    ['claude-sonnet-4-6', { budgetTokens: 2000 }, { max_tokens: 64_000, thinking: { type: 'enabled', budget_tokens: 2000 } }],
    ['claude-sonnet-4-6', { effort: 'low' }, { max_tokens: 64_000, thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
    ['claude-sonnet-4-6', {}, { max_tokens: 64_000, thinking: { type: 'adaptive' } }],
    ['claude-opus-4-8', { effort: 'medium' }, { max_tokens: 64_000, thinking: summarized, output_config: { effort: 'medium' } }],
    ['claude-opus-4-8', { budgetTokens: 10_000 }, { max_tokens: 64_000, thinking: summarized, output_config: { effort: 'medium' } }],
    ['claude-opus-5', false, { max_tokens: 64_000, thinking: { type: 'disabled' } }],
    ['claude-haiku-5-5', false, { max_tokens: 64_000, thinking: { type: 'disabled' } }],
    ['claude-opus-5-5', false, { max_tokens: 64_000 }],
    ['claude-fable-5', false, { max_tokens: 64_000 }],
    ['claude-3-5-haiku-latest', undefined, { max_tokens: 8192 }],
    ['claude-3-opus-20240229', undefined, { max_tokens: 4096 }],
    ['claude-3-7-sonnet-latest', undefined, { max_tokens: 32_000 }],
    ['anthropic/claude-haiku-4.5', undefined, { max_tokens: 32_000 }],
    ['glm-5', { budgetTokens: 2000 }, { max_tokens: 8192, thinking: { type: 'enabled', budget_tokens: 2000 } }],
  ]
  it.each(rows)('%s, %j', async (id, thinking, fields) => expect(await fieldsOf(id, { thinking })).toEqual(fields))

  it('and a budget leaves room for the answer', async () => {
    expect(await fieldsOf('claude-sonnet-4-5', { maxTokens: 500, thinking: { budgetTokens: 2000 } })).toEqual({
      max_tokens: 2500,
      thinking: { type: 'enabled', budget_tokens: 2000 },
    })
  })

  it('and what the user writes himself is not touched', async () => {
    const extra = { thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } } }
    expect(await fieldsOf('claude-opus-5-5', { temperature: 0, thinking: { effort: 'low' }, extra })).toEqual({
      max_tokens: 64_000,
      thinking: extra.thinking,
    })
  })
})

describe('what thinking does not go with', () => {
  it.each([
    ['claude-sonnet-4-5', { temperature: 0.2, topP: 0.5 }, { temperature: 0.2 }],
    ['claude-sonnet-4-5', { temperature: 0.2, topP: 0.97, thinking: {} }, { top_p: 0.97 }],
    ['claude-sonnet-4-5', { temperature: 0.2, topP: 0.5, thinking: {} }, {}],
    ['claude-3-5-haiku-latest', { temperature: 0.2, topP: 0.5 }, { temperature: 0.2, top_p: 0.5 }],
    ['claude-opus-4-8', { temperature: 0.2, topP: 0.97 }, {}],
    ['some-other-model', { temperature: 0.2, topP: 0.5 }, { temperature: 0.2, top_p: 0.5 }],
  ])('samplers: %s, %j', async (id, settings, expected) => {
    const { max_tokens: _limit, thinking: _thinking, ...samplers } = (await fieldsOf(id, settings)) as Record<string, unknown>
    expect(samplers).toEqual(expected)
  })

  it.each([
    ['claude-sonnet-4-5', { thinking: { effort: 'low' } }, 'auto'],
    ['claude-sonnet-4-5', { extra: { thinking: { type: 'enabled', budget_tokens: 1024 } } }, 'auto'],
    ['claude-sonnet-4-6', { thinking: {} }, 'auto'],
    ['claude-opus-5-5', {}, 'auto'],
    ['claude-sonnet-4-5', { thinking: false }, 'any'],
    ['claude-opus-5', { thinking: false }, 'any'],
  ] as const)('a forced choice: %s, %j → %s', async (id, settings, type) => {
    expect(await fieldsOf(id, settings, { tools, toolChoice: 'required' })).toMatchObject({ tool_choice: { type } })
  })

  it('a turn that began without it, where a budget is taken', async () => {
    const plainTurn = history(user('go'), assistant('Let me see.', called('call_1')), user(result('call_1')))
    const thought = { type: 'reasoning', text: 'hm', signature: 's', provider: { anthropic: { type: 'thinking' } } }
    const ownTurn = history(user('go'), assistant(thought, called('call_1')), user(result('call_1')))
    const thinking = { budgetTokens: 2000 }
    expect(await fieldsOf('claude-sonnet-4-5', { thinking }, { messages: plainTurn })).toEqual({ max_tokens: 32_000 })
    expect(await fieldsOf('claude-sonnet-4-5', { thinking }, { messages: ownTurn })).toMatchObject({ thinking: { type: 'enabled' } })
    expect(await fieldsOf('claude-sonnet-4-6', { thinking: {} }, { messages: plainTurn })).toMatchObject({ thinking: { type: 'adaptive' } })
  })
})
