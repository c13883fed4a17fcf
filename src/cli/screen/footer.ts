import type { AgentResult } from '../../index.ts'
import { duration } from '../duration.ts'

// Made at its first use: to load what it knows of languages takes longer than all else at the start.
let format: Intl.NumberFormat | undefined
const numbers = { format: (value: number): string => (format ??= new Intl.NumberFormat('en-US')).format(value) }

/** What a turn has used, in one line. Says so when the cost is not known, and nothing of tokens that nobody counted. */
export function footerOf({ usage, metrics, message }: Pick<AgentResult, 'usage' | 'metrics' | 'message'>): string {
  const parts: string[] = []
  if (usage.totalTokens > 0) {
    const cached = usage.cacheReadTokens ? ` (${numbers.format(usage.cacheReadTokens)} cached)` : ''
    parts.push(`${numbers.format(usage.inputTokens)} tokens in${cached}`, `${numbers.format(usage.outputTokens)} out`)
  } else parts.push('tokens not counted')
  const isFree = /^offline\b/.test(message.metadata?.model ?? '') && metrics.cost === undefined
  if (!isFree) parts.push(metrics.cost === undefined ? 'cost not known' : cost(metrics.cost))
  const calls = Object.values(metrics.tools).reduce((sum, tool) => sum + tool.calls, 0)
  if (calls > 0) parts.push(`${calls} call${calls === 1 ? '' : 's'}`)
  parts.push(duration(metrics.durationMs))
  return parts.join(' · ')
}

/** Cents are too coarse for most turns. */
function cost(dollars: number): string {
  if (dollars === 0) return '$0'
  return dollars < 0.0001 ? 'less than $0.0001' : `$${dollars < 1 ? dollars.toFixed(4) : dollars.toFixed(2)}`
}
