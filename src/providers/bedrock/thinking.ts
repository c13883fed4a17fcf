import type { SendableMessage } from '../../messages/normalise.ts'
import type { ModelSettings } from '../../models/model.ts'
import type { JsonObject } from '../../util/json.ts'
import type { Effort } from '../anthropic/thinking.ts'
import { thinkingFields as claudeFields } from '../anthropic/thinking.ts'
import type { Family } from './families.ts'
import { isOwnThinking } from './own-blocks.ts'

/** The wish to think, as this family of models wants it said: in fields of its own, and as an effort of the Converse API. */
export type ThinkingWish = { readonly fields: JsonObject; readonly effort?: Effort | undefined }

export function thinkingWish(wish: ModelSettings['thinking'], family: Family): ThinkingWish {
  if (wish === undefined) return { fields: {} }
  switch (family.thinking) {
    case 'claude': {
      const { effort, ...fields } = claudeFields(wish, family.claude!)
      return { fields, effort }
    }
    case 'nova':
      if (wish === false) return { fields: { reasoningConfig: { type: 'disabled' } } }
      return { fields: { reasoningConfig: { type: 'enabled', maxReasoningEffort: effortOf(wish) } } }
    case 'gpt_oss':
      // It cannot stop.
      return { fields: { reasoning_effort: wish === false ? 'low' : effortOf(wish) } }
    case 'unknown':
      return { fields: {} }
  }
}

const effortOf = ({ effort, budgetTokens = 8192 }: Exclude<ModelSettings['thinking'], false | undefined>): Effort =>
  effort ?? (budgetTokens <= 4096 ? 'low' : budgetTokens <= 16_384 ? 'medium' : 'high')

/**
 * Do these messages end amid a turn that began without this model's thinking? With a budget Claude refuses to begin it there.
 */
export function isAmidPlainTurn(messages: readonly SendableMessage[], maker: string | undefined): boolean {
  const last = messages.at(-1)
  const before = messages.at(-2)
  if (last?.role !== 'user' || before?.role !== 'assistant' || !last.content.some(({ type }) => type === 'tool_result')) return false
  const first = before.content.find((block) => block.type !== 'reasoning' || isOwnThinking(block, maker))
  return first?.type !== 'reasoning'
}
