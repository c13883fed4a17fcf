import { IncompleteStreamError, OverloadedError } from '../../errors.ts'
import type { ModelStopReason } from '../../messages/stop-reason.ts'
import type { FinishReason } from './spec.ts'

/** The specification's own words. */
const unifiedReasons: Readonly<Record<string, ModelStopReason>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'content-filter': 'content_filtered',
  'tool-calls': 'tool_use',
}

/** Words of providers that say more than the specification's do, or that their packages do not know. */
const rawReasons: Readonly<Record<string, ModelStopReason>> = {
  stop_sequence: 'stop_sequence',
  refusal: 'refusal',
  pause_turn: 'pause_turn',
  compaction: 'pause_turn',
  model_context_window_exceeded: 'context_window_exceeded',
  model_length: 'context_window_exceeded',
  guardrail_intervened: 'guardrail_intervened',
  max_tokens: 'max_tokens',
  tool_use: 'tool_use',
}
const failures: readonly (string | undefined)[] = ['error', 'insufficient_system_resource']

/**
 * Why the answer ended.
 *
 * @throws {ModelError} when it did not end, but was broken off. A stream that is cut ends with `interrupted`, or with
 *   `other` and without a word of the provider's.
 */
export function stopReasonOf(reason: FinishReason | undefined, provider: string): ModelStopReason {
  const isWord = typeof reason === 'string'
  const unified = isWord ? reason : reason?.unified
  const raw = isWord ? undefined : reason?.raw
  const word = raw?.toLowerCase()
  if (unified === 'error' || failures.includes(word)) {
    const said = raw === undefined ? '"error"' : JSON.stringify(raw)
    throw new OverloadedError(`${provider}: the answer was broken off (finish reason ${said}).`, { provider })
  }
  // So models of the OpenAI kind say that they refused.
  if (unified === 'content-filter' && word === 'stop') return 'refusal'
  const known = rawReasons[word ?? ''] ?? unifiedReasons[unified ?? '']
  const isCut = unified === 'interrupted'
  if (known && !isCut) return known
  if (!isCut && (raw !== undefined || (isWord && reason === 'other'))) return 'end_turn'
  throw new IncompleteStreamError(
    `${provider}: the stream ended without a finish reason${unified === undefined ? '' : ` ("${unified}")`}.`,
    { provider },
  )
}
