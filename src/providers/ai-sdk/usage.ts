import type { Usage } from '../../messages/usage.ts'
import { isObject } from '../../util/json.ts'
import type { SpecUsage } from './spec.ts'

/** The counts in our words. What the provider does not know stays out, and so does the whole when it knows nothing. */
export function usageOf(said: SpecUsage | null | undefined): Partial<Usage> | undefined {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = said ?? {}
  const input = isObject(inputTokens) ? inputTokens : { total: inputTokens, cacheRead: cachedInputTokens }
  const output = isObject(outputTokens) ? outputTokens : { total: outputTokens, reasoning: reasoningTokens }
  const { noCache, cacheRead, cacheWrite } = input as { noCache?: unknown; cacheRead?: unknown; cacheWrite?: unknown }
  const counts = {
    // Where only the parts are told, the input is all of them.
    ...count('inputTokens', input.total ?? sum(noCache, cacheRead, cacheWrite)),
    ...count('outputTokens', output.total),
    ...count('cacheReadTokens', cacheRead),
    ...count('cacheWriteTokens', cacheWrite),
    ...count('reasoningTokens', output.reasoning),
  }
  return Object.keys(counts).length > 0 ? counts : undefined
}

function sum(...parts: readonly unknown[]): number | undefined {
  const known = parts.filter((part) => typeof part === 'number')
  return known.length > 0 ? known.reduce((total, part) => total + part, 0) : undefined
}

const count = (key: keyof Usage, value: unknown): Partial<Usage> => (Number.isFinite(value) ? { [key]: value } : {})
