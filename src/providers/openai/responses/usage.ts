import type { Usage } from '../../../messages/usage.ts'

/** Token counts under the names of the Responses API. */
export type WireUsage = {
  readonly input_tokens?: number | null
  readonly output_tokens?: number | null
  readonly input_tokens_details?: { readonly cached_tokens?: number | null; readonly cache_write_tokens?: number | null } | null
  readonly output_tokens_details?: { readonly reasoning_tokens?: number | null } | null
}

/** The counts as the provider reports them. */
export function usageOf(usage: WireUsage): Partial<Usage> {
  const { input_tokens: input, output_tokens: output, input_tokens_details: inside } = usage
  const cacheRead = inside?.cached_tokens
  const cacheWrite = inside?.cache_write_tokens || undefined
  const reasoning = usage.output_tokens_details?.reasoning_tokens
  return {
    ...(typeof input === 'number' && { inputTokens: input }),
    ...(typeof output === 'number' && { outputTokens: output }),
    ...(typeof cacheRead === 'number' && { cacheReadTokens: cacheRead }),
    ...(typeof cacheWrite === 'number' && { cacheWriteTokens: cacheWrite }),
    ...(typeof reasoning === 'number' && { reasoningTokens: reasoning }),
  }
}
