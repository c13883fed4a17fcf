import type { ModelSettings } from '../../models/model.ts'
import type { JsonObject } from '../../util/json.ts'
import type { Family } from './families.ts'

/** The budgets, in tokens, that Google itself takes for an effort. */
const budgets = { low: 1024, medium: 8192, high: 24_576 } as const

/** `thinkingConfig` for what was asked. Thoughts are told only to those who want the model to think. */
export function thinkingConfig(wish: ModelSettings['thinking'], family: Family): JsonObject | undefined {
  if (wish === undefined) return undefined
  const takesLevels = family.thinking === 'level'
  if (wish === false) {
    if (family.thinking === 'none') return undefined
    // The least that all of them take; the level below it is refused by many.
    return takesLevels ? { thinkingLevel: 'LOW' } : { thinkingBudget: family.leastBudget }
  }
  const { budgetTokens, effort } = wish
  // Only one of the two may be set.
  if (effort && takesLevels) return { includeThoughts: true, thinkingLevel: effort.toUpperCase() }
  return { includeThoughts: true, thinkingBudget: budgetTokens ?? (effort && budgets[effort]) }
}
