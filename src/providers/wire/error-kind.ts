/** What a provider says is wrong, read out of whatever form it has. */
export type Complaint = {
  readonly message: string
  /** What it calls the error, in lower case: codes, types, reasons. */
  readonly codes: readonly string[]
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
}

type ErrorKind =
  | 'context_overflow'
  | 'content_filter'
  | 'authentication'
  | 'throttled'
  /** A budget is spent: no waiting brings it back. */
  | 'spent'
  | 'overloaded'
  | 'network'
  | 'invalid_request'

/** How providers say that a prompt is too long, each in words of its own. */
const overflowPhrases = [
  /context[ _-]?(length|window|size|limit)|maximum (context|prompt)|max_new_tokens.{0,20}must be/i,
  /(prompt|input|request|messages?) (is|are) too (long|large)|prompt too long|reduce the length of the (messages|prompt|input)/i,
  /input token count.{0,60}exceed|exceeds?.{0,40}input tokens|too many input tokens|token count (of \d+ )?exceeds|too many tokens: /i,
  /maximum model length|max_model_len|`inputs` must have less than|range of input length/i,
  /exceed(s|ed)? (the )?(max(imum)? (input )?length|model('s)? token limit|max(imum)? message tokens)/i,
  /(prompt|input|sequence) length.{0,40}exceed|tokens in the prompt.{0,40}exceed|payload size exceeds/i,
]
/** More than one request may bring, however long it waits. */
const tooMuchAtOnce = /request too large/i
const filterPhrases =
  /content[ _](management )?(filter|polic)|(input|prompt|request) was flagged|safety system|inappropriate content|content exists risk|violates.{0,20} (usage guidelines|polic)/i
const keyPhrases = /(invalid|incorrect|missing) api key|api key (is )?(not valid|invalid|missing)/i
const spentPhrases =
  /insufficient (account )?(balance|credits?|funds)|credit balance is too low|usage limit (has been )?reached|free-models-per-day/i

/** What kind of error it is; `undefined` where nothing tells. */
export function kindOf({ message, codes, status }: Complaint): ErrorKind | undefined {
  const has = (...parts: string[]): boolean => codes.some((code) => parts.some((part) => code.includes(part)))
  const overflows = overflowPhrases.some((phrase) => phrase.test(message))
  const isLimit =
    status === 429 || (status === undefined && has('rate_limit', 'too_many_requests', 'resource_exhausted', 'quota', 'usage_limit'))
  if (has('context_length', 'context_size', 'request_too_large', 'max_prompt_tokens')) return 'context_overflow'
  if (has('content_filter', 'content_policy', 'responsibleaipolicy', 'cyber_policy', 'data_inspection')) return 'content_filter'
  if (isLimit && tooMuchAtOnce.test(message)) return 'context_overflow'
  if (status === 402 || spentPhrases.test(message)) return 'spent'
  if (isLimit) return has('quota', 'billing', 'perday', 'usage_limit') ? 'spent' : 'throttled'
  if (status === 401 || (status === 403 && !filterPhrases.test(message))) return 'authentication'
  if (status === 400 && (keyPhrases.test(message) || has('api_key'))) return 'authentication'
  if (overflows) return 'context_overflow'
  if (status !== undefined && status >= 300 && status < 500) return ofRefusal(status, message)
  if (status !== undefined && status >= 500) return status === 501 || status === 505 ? undefined : 'overloaded'
  if (has('authentication', 'unauthenticated', 'invalid_api_key', 'permission')) return 'authentication'
  if (has('server_error', 'api_error', 'internal', 'overloaded', 'unavailable', 'timeout', 'deadline', 'slow_down')) return 'overloaded'
  if (!has('invalid', 'bad_request', 'not_found')) return undefined
  return filterPhrases.test(message) ? 'content_filter' : 'invalid_request'
}

function ofRefusal(status: number, message: string): ErrorKind {
  if (filterPhrases.test(message)) return 'content_filter'
  switch (status) {
    case 413:
      return 'context_overflow'
    case 408:
      return 'network'
    // A lock that is held, a server that is not ready, a request that the server gave up: soon it may be otherwise.
    case 409:
    case 425:
    case 499:
      return 'overloaded'
    default:
      return 'invalid_request'
  }
}
