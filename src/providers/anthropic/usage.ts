import type { Usage } from '../../messages/usage.ts'

/** Token counts as Anthropic names them. `input_tokens` is what came neither out of a cache nor went into one. */
export type WireUsage = {
  readonly input_tokens?: number | null
  readonly output_tokens?: number | null
  readonly cache_read_input_tokens?: number | null
  readonly cache_creation_input_tokens?: number | null
  readonly output_tokens_details?: { readonly thinking_tokens?: number | null } | null
}

/** A later report over an earlier one, field by field: what it leaves out or gives as null still holds. */
export function mergedUsage(before: WireUsage, report: WireUsage): WireUsage {
  return { ...before, ...Object.fromEntries(Object.entries(report).filter(([, value]) => value !== null && value !== undefined)) }
}

/** The counts in our words: the input is all of it. */
export function usageOf(wire: WireUsage): Partial<Usage> {
  const { input_tokens: fresh, output_tokens: output, cache_read_input_tokens: read, cache_creation_input_tokens: write } = wire
  const reasoning = wire.output_tokens_details?.thinking_tokens
  return {
    ...(typeof fresh === 'number' && { inputTokens: fresh + (read ?? 0) + (write ?? 0) }),
    ...(typeof output === 'number' && { outputTokens: output }),
    ...(typeof read === 'number' && { cacheReadTokens: read }),
    ...(typeof write === 'number' && { cacheWriteTokens: write }),
    ...(typeof reasoning === 'number' && { reasoningTokens: reasoning }),
  }
}
