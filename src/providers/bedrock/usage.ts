import type { TokenUsage } from '@aws-sdk/client-bedrock-runtime'
import type { Usage } from '../../messages/usage.ts'

/** The counts in our words. Bedrock counts apart what came out of a cache or went into one; with us the input is all of it. */
export function usageOf({
  inputTokens: fresh,
  outputTokens,
  cacheReadInputTokens: read,
  cacheWriteInputTokens: write,
}: TokenUsage): Partial<Usage> {
  return {
    ...(typeof fresh === 'number' && { inputTokens: fresh + (read ?? 0) + (write ?? 0) }),
    ...(typeof outputTokens === 'number' && { outputTokens }),
    ...(typeof read === 'number' && { cacheReadTokens: read }),
    ...(typeof write === 'number' && { cacheWriteTokens: write }),
  }
}
