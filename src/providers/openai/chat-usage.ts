import type { Usage } from '../../messages/usage.ts'

/** Token counts under the names that OpenAI and its followers give them. */
export type WireUsage = {
  readonly prompt_tokens?: number | null
  readonly completion_tokens?: number | null
  readonly total_tokens?: number | null
  readonly prompt_tokens_details?: { readonly cached_tokens?: number | null; readonly cache_write_tokens?: number | null } | null
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null } | null
  readonly prompt_cache_hit_tokens?: number | null
  readonly cached_tokens?: number | null
  readonly cache_read_input_tokens?: number | null
  readonly cache_creation_input_tokens?: number | null
}

/** The counts as the provider reports them. */
export function usageOf(usage: WireUsage): Partial<Usage> {
  const { prompt_tokens: input, completion_tokens: output } = usage
  // Fields that are not OpenAI's own count when they say something.
  const cacheRead =
    usage.prompt_tokens_details?.cached_tokens ??
    (usage.prompt_cache_hit_tokens || usage.cached_tokens || usage.cache_read_input_tokens || undefined)
  const cacheWrite = usage.prompt_tokens_details?.cache_write_tokens || usage.cache_creation_input_tokens || undefined
  const reasoning = usage.completion_tokens_details?.reasoning_tokens
  const counts: { -readonly [K in keyof Usage]?: Usage[K] } = {}
  if (typeof input === 'number') counts.inputTokens = input
  if (typeof output === 'number') counts.outputTokens = output + thoughtBeside(usage)
  if (typeof cacheRead === 'number') counts.cacheReadTokens = cacheRead
  if (typeof cacheWrite === 'number') counts.cacheWriteTokens = cacheWrite
  if (typeof reasoning === 'number') counts.reasoningTokens = reasoning
  return counts
}

/** Tokens that were thought and are in the total, but not in what the model said: so xAI and Google count. */
function thoughtBeside({ prompt_tokens: input, completion_tokens: output, total_tokens: total, ...more }: WireUsage): number {
  const beside = (total ?? 0) - (input ?? 0) - (output ?? 0)
  if (beside <= 0) return 0
  const thought = more.completion_tokens_details?.reasoning_tokens
  // Where nothing else is told of, nothing else can be meant.
  const isTold = Object.values(more).some((value) => value !== null && value !== undefined)
  return thought === beside || !isTold ? beside : 0
}
