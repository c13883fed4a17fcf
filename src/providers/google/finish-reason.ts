import { IncompleteStreamError, ModelError } from '../../errors.ts'
import type { ModelStopReason } from '../../messages/stop-reason.ts'

const stopReasons: Readonly<Record<string, ModelStopReason>> = {
  STOP: 'end_turn',
  MAX_TOKENS: 'max_tokens',
  // The limit of one request: another may go on.
  CONTINUATION: 'max_tokens',
  SAFETY: 'content_filtered',
  RECITATION: 'content_filtered',
  BLOCKLIST: 'content_filtered',
  PROHIBITED_CONTENT: 'content_filtered',
  SPII: 'content_filtered',
  ESCALATION: 'content_filtered',
  LANGUAGE: 'content_filtered',
  MODEL_ARMOR: 'content_filtered',
  IMAGE_SAFETY: 'content_filtered',
  IMAGE_PROHIBITED_CONTENT: 'content_filtered',
  IMAGE_RECITATION: 'content_filtered',
}

/** What will be so the next time: the history itself is at fault, or the account is closed to this. */
const lasting: ReadonlySet<string> = new Set(['MISSING_THOUGHT_SIGNATURE', 'PUP_LIMITED_DISABLED'])

/**
 * Why the answer ended. What is none of an end is a failure: a call that the model wrote and the API could not read
 * (`MALFORMED_FUNCTION_CALL`, `UNEXPECTED_TOOL_CALL`), or something that it does not name (`OTHER`). Another try may go better,
 * and is made as for a connection that broke.
 *
 * @throws {IncompleteStreamError} that names the reason, and says what the API says of it; {ModelError} where that will be so
 *   the next time, too.
 */
export function stopReasonOf(reason: string, said: string | undefined, provider: string): ModelStopReason {
  const known = stopReasons[reason.toUpperCase()]
  if (known) return known
  const Failure = lasting.has(reason) ? ModelError : IncompleteStreamError
  throw new Failure(`${provider}: the answer was broken off (finishReason "${reason}")${said ? `: ${said}` : '.'}`, { provider })
}
