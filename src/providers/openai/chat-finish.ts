import { IncompleteStreamError, OverloadedError } from '../../errors.ts'
import type { ModelStopReason } from '../../messages/stop-reason.ts'

/** Words of OpenAI and of those who speak its API, many of which pass on what the model's own API says. */
const stopReasons: ReadonlyMap<string, ModelStopReason> = new Map([
  ['stop', 'end_turn'],
  ['tool_calls', 'tool_use'],
  ['tool_use', 'tool_use'],
  ['function_call', 'tool_use'],
  ['length', 'max_tokens'],
  ['max_tokens', 'max_tokens'],
  ['max_output_tokens', 'max_tokens'],
  ['max_length', 'max_tokens'],
  ['model_length', 'context_window_exceeded'],
  ['model_context_window_exceeded', 'context_window_exceeded'],
  ['content_filter', 'content_filtered'],
  ['sensitive', 'content_filtered'],
  ['safety', 'content_filtered'],
  ['recitation', 'content_filtered'],
  ['blocklist', 'content_filtered'],
  ['prohibited_content', 'content_filtered'],
  ['spii', 'content_filtered'],
  ['guardrail_intervened', 'guardrail_intervened'],
  ['refusal', 'refusal'],
  ['stop_sequence', 'stop_sequence'],
])
/** The server gave up, for reasons of its own. */
const brokenOff = new Set([
  'error',
  'insufficient_system_resource',
  'network_error',
  'abort',
  'aborted',
  'cancelled',
  'canceled',
  'timeout',
])
/** The model wrote a call that the server could not read. */
const unreadable = new Set(['function_call_filter', 'malformed_function_call', 'unexpected_tool_call'])

/**
 * Why the answer ended. A word that is not known is a good end.
 *
 * @param finish may have a reason behind a colon: `content_filter: PROHIBITED_CONTENT`.
 * @param native what the model's own API said, where a router tells.
 * @throws {OverloadedError} when it did not end, but was broken off; {IncompleteStreamError} at a call that the server could not
 *   read. Both are tried again.
 */
export function stopReasonOf(finish: string, native: string | null | undefined, provider: string): ModelStopReason {
  const word = finish.split(':')[0]!.trim().toLowerCase()
  const said = `finish_reason ${JSON.stringify(finish)}${native && native !== finish ? `, ${JSON.stringify(native)}` : ''}`
  if (unreadable.has(word) || (brokenOff.has(word) && unreadable.has(native?.toLowerCase() ?? '')))
    throw new IncompleteStreamError(`${provider}: the model wrote a call that could not be read (${said}).`, { provider })
  if (brokenOff.has(word)) throw new OverloadedError(`${provider}: the answer was broken off (${said}).`, { provider })
  return stopReasons.get(word) ?? 'end_turn'
}
