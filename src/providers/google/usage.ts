import type { Usage } from '../../messages/usage.ts'

export type WireUsage = {
  readonly promptTokenCount?: number | null
  readonly candidatesTokenCount?: number | null
  readonly thoughtsTokenCount?: number | null
  readonly cachedContentTokenCount?: number | null
  readonly toolUsePromptTokenCount?: number | null
}

/** A later report over an earlier one, field by field: what it leaves out still holds. */
export function mergedUsage(before: WireUsage, report: WireUsage): WireUsage {
  return { ...before, ...Object.fromEntries(Object.entries(report).filter(([, value]) => typeof value === 'number')) }
}

/** The counts in our words: what tools of the server gave the model to read is input, too, and thinking is output. */
export function usageOf(wire: WireUsage): Partial<Usage> | undefined {
  const {
    promptTokenCount: prompt,
    candidatesTokenCount: answer,
    thoughtsTokenCount: thoughts,
    cachedContentTokenCount: cached,
    toolUsePromptTokenCount: tools,
  } = wire
  const usage = {
    ...(typeof prompt === 'number' && { inputTokens: prompt + (tools ?? 0) }),
    ...((typeof answer === 'number' || typeof thoughts === 'number') && { outputTokens: (answer ?? 0) + (thoughts ?? 0) }),
    ...(typeof cached === 'number' && { cacheReadTokens: cached }),
    ...(typeof thoughts === 'number' && { reasoningTokens: thoughts }),
  }
  return Object.keys(usage).length > 0 ? usage : undefined
}
