import type { ModelSettings } from '../../models/model.ts'
import type { JsonObject, JsonValue } from '../../util/json.ts'
import { isObject } from '../../util/json.ts'
import type { Family } from './families.ts'

/**
 * `inferenceConfig`: what the model takes of the settings.
 *
 * @param fields the model's own fields, which tell whether it thinks.
 */
export function inferenceConfig(settings: ModelSettings, fields: JsonObject, thinks: boolean, { claude }: Family): JsonObject | undefined {
  const { maxTokens, stopSequences } = settings
  const { temperature, topP } = claude ? claudeSampling(settings, claude.samplers, thinks) : settings
  // Nova thinks hard only where none of these is set.
  const isFree = !(isObject(fields['reasoningConfig']) && fields['reasoningConfig']['maxReasoningEffort'] === 'high')
  const config: JsonObject = {
    ...(maxTokens !== undefined && isFree && { maxTokens: withBudget(maxTokens, fields['thinking']) }),
    ...(temperature !== undefined && isFree && { temperature }),
    ...(topP !== undefined && isFree && { topP }),
    ...(stopSequences?.length && { stopSequences }),
  }
  return Object.keys(config).length > 0 ? config : undefined
}

/** Thinking lets only a high top_p through. */
function claudeSampling({ temperature, topP }: ModelSettings, samplers: 'both' | 'one' | 'none', thinks: boolean): ModelSettings {
  if (samplers === 'none') return {}
  if (thinks) return topP !== undefined && topP >= 0.95 ? { topP } : {}
  return samplers === 'one' && temperature !== undefined ? { temperature } : { temperature, topP }
}

/** What is thought counts in the limit, so a budget must leave room for the answer. */
function withBudget(maxTokens: number, thinking: JsonValue | undefined): number {
  const budget = isObject(thinking) ? Number(thinking['budget_tokens'] ?? 0) : 0
  return budget >= maxTokens ? budget + maxTokens : maxTokens
}
