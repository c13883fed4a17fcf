/** Tokens. `inputTokens` includes what was read from and written to a cache; `totalTokens` is input plus output. */
export type Usage = {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly totalTokens: number
  readonly cacheReadTokens?: number | undefined
  readonly cacheWriteTokens?: number | undefined
  readonly reasoningTokens?: number | undefined
}

export const noUsage: Usage = Object.freeze({ inputTokens: 0, outputTokens: 0, totalTokens: 0 })

const optional = ['cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens'] as const

/** What is no count was not told. Added to others it would be none either, and no limit or budget would ever be reached. */
const told = (count: unknown): number | undefined => (typeof count === 'number' && count >= 0 && Number.isFinite(count) ? count : undefined)

/** The sum of two usages. A part that neither reports stays absent. */
export function addUsage(a: Usage, b: Partial<Usage>): Usage {
  const inputTokens = a.inputTokens + (told(b.inputTokens) ?? 0)
  const outputTokens = a.outputTokens + (told(b.outputTokens) ?? 0)
  const sum: { -readonly [K in keyof Usage]: Usage[K] } = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }
  for (const key of optional) if (a[key] !== undefined || told(b[key]) !== undefined) sum[key] = (a[key] ?? 0) + (told(b[key]) ?? 0)
  return sum
}

/** The newer report where there is one, the older where not: for providers that repeat running totals. */
export function replaceUsage(a: Usage, b: Partial<Usage>): Usage {
  const inputTokens = told(b.inputTokens) ?? a.inputTokens
  const outputTokens = told(b.outputTokens) ?? a.outputTokens
  const merged: { -readonly [K in keyof Usage]: Usage[K] } = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }
  for (const key of optional) if (a[key] !== undefined || told(b[key]) !== undefined) merged[key] = told(b[key]) ?? a[key]
  return merged
}
