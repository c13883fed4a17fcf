import type { AssistantBlock } from '../messages/content.ts'
import type { ModelStopReason } from '../messages/stop-reason.ts'

/**
 * Corrects the stop reason where a provider's contradicts its message: calls mean `tool_use`, none means that the turn has
 * ended. The one place for all providers.
 */
export function correctedStopReason(reported: ModelStopReason, content: readonly AssistantBlock[]): ModelStopReason {
  const calls = content.some((block) => block.type === 'tool_use')
  if (calls && (reported === 'end_turn' || reported === 'pause_turn')) return 'tool_use'
  if (!calls && reported === 'tool_use') return 'end_turn'
  return reported
}
