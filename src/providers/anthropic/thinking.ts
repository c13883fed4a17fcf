import type { SendableMessage } from '../../messages/normalise.ts'
import type { ModelSettings } from '../../models/model.ts'
import type { JsonObject, JsonValue } from '../../util/json.ts'
import { isObject } from '../../util/json.ts'
import type { Family } from './families.ts'
import { isOwnThinking } from './own-blocks.ts'

export type Effort = 'low' | 'medium' | 'high'
export type ThinkingFields = { readonly thinking?: JsonObject; readonly effort?: Effort | undefined }

/** What an effort is worth where only a budget is taken, in tokens. */
const budgets: Readonly<Record<Effort, number>> = { low: 4096, medium: 10_240, high: 24_576 }
const smallestBudget = 1024

/** The wish to think, as this family of models wants it said. */
export function thinkingFields(wish: ModelSettings['thinking'], { thinking, alwaysThinks }: Family): ThinkingFields {
  if (wish === undefined) return {}
  // Some think unless told not to, some refuse to be told, and where thinking needs a budget it is off without one.
  if (wish === false) return alwaysThinks || thinking === 'budget' ? {} : { thinking: { type: 'disabled' } }
  const { budgetTokens, effort } = wish
  if (thinking === 'budget' || (thinking === 'either' && effort === undefined && budgetTokens !== undefined)) {
    return {
      thinking: { type: 'enabled', budget_tokens: Math.max(smallestBudget, Math.floor(budgetTokens ?? budgets[effort ?? 'medium'])) },
    }
  }
  // From 4.7 on, what is thought is kept back unless it is asked for.
  const display = thinking === 'effort' ? { display: 'summarized' } : {}
  return {
    thinking: { type: 'adaptive', ...display },
    effort: effort ?? (budgetTokens === undefined ? undefined : effortWorth(budgetTokens)),
  }
}

const effortWorth = (budget: number): Effort => (budget <= budgets.low ? 'low' : budget <= budgets.medium ? 'medium' : 'high')

/** Does the request, whoever wrote this field, ask for thinking? */
export const asksToThink = (thinking: JsonValue | undefined): boolean =>
  isObject(thinking) && typeof thinking['type'] === 'string' && thinking['type'] !== 'disabled'

/**
 * Do these messages end amid a turn that began without thinking of this provider: another provider's, or one from before
 * thinking was switched on? With a budget the API refuses to begin it there.
 */
export function isAmidPlainTurn(messages: readonly SendableMessage[], signs: boolean): boolean {
  const last = messages.at(-1)
  const before = messages.at(-2)
  if (last?.role !== 'user' || before?.role !== 'assistant' || !last.content.some(({ type }) => type === 'tool_result')) return false
  const first = before.content.find((block) => block.type !== 'reasoning' || isOwnThinking(block, signs))
  return first?.type !== 'reasoning'
}
