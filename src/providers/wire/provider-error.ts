import {
  AuthenticationError,
  ContentFilterError,
  ContextOverflowError,
  InvalidRequestError,
  ModelError,
  NetworkError,
  OverloadedError,
  ThrottledError,
} from '../../errors.ts'
import { isObject } from '../../util/json.ts'
import { headOf } from '../../util/text.ts'
import { rpcDetails } from './rpc-details.ts'

/** Who said it, and what the message may name. */
export type ErrorSource = {
  readonly provider: string
  /** The environment variable that holds the key, when there is one. */
  readonly variable?: string | undefined
  /** The option that holds it. Default `apiKey`. */
  readonly credential?: string | undefined
  readonly retryAfterMs?: number | undefined
}

/** What a provider says is wrong, read out of whatever form it has. */
type Complaint = {
  readonly message: string
  readonly codes: readonly string[]
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
}

/**
 * The typed error for what a provider says, in the body of an HTTP error or inside its stream.
 *
 * @param said the parsed body or chunk; text when it is no JSON.
 * @param status of the HTTP response; left out inside a stream, where the provider may name one itself.
 */
export function providerError(said: unknown, source: ErrorSource, status?: number): ModelError {
  const complaint = complaintOf(said, status)
  const { provider, variable, credential = 'apiKey' } = source
  const { codes } = complaint
  const text = headOf(complaint.message, 2000)
  const options = { provider, status: complaint.status }
  const kind = kindOf(complaint)
  const message = `${provider}: ${text === '' ? 'no reason given' : text}${complaint.status === undefined ? '' : ` (HTTP ${complaint.status})`}`
  switch (kind) {
    case 'context_overflow':
      return new ContextOverflowError(message, options)
    case 'content_filter':
      return new ContentFilterError(message, options)
    case 'authentication':
      return new AuthenticationError(
        `${message}. ${variable ? `Check the key in ${variable}, or` : 'Check'} the option \`${credential}\`.`,
        { ...options, variable },
      )
    case 'throttled':
      // A spent budget does not come back by waiting.
      return new ThrottledError(message, {
        ...options,
        retryAfterMs: source.retryAfterMs ?? complaint.retryAfterMs,
        retryable: !codes.some((code) => /quota|billing|perday/.test(code)),
      })
    case 'overloaded':
      return new OverloadedError(message, { ...options, retryAfterMs: source.retryAfterMs })
    case 'network':
      return new NetworkError(message, options)
    case 'invalid_request':
      // The model wrote a call that its provider refused to pass on: another try may go better.
      return new InvalidRequestError(message, { ...options, retryable: codes.includes('tool_use_failed') })
    default:
      return new ModelError(message, { ...options, retryable: true })
  }
}

const overflowPhrases =
  /context[ _-]?(length|window|size|limit)|maximum (context|prompt)|(prompt|input|request|messages?) (is|are) too (long|large)|input token count.{0,60}exceed|exceeds?.{0,40}input tokens|too many input tokens|reduce the length of the (messages|prompt|input)|max_new_tokens.{0,20}must be/i
const filterPhrases = /content[ _](management )?(filter|polic)|(input|prompt|request) was flagged|safety system/i
const keyPhrases = /(invalid|incorrect|missing) api key|api key (is )?(not valid|invalid|missing)/i

function kindOf({
  message,
  codes,
  status,
}: Complaint):
  | 'context_overflow'
  | 'content_filter'
  | 'authentication'
  | 'throttled'
  | 'overloaded'
  | 'network'
  | 'invalid_request'
  | undefined {
  const has = (...parts: string[]): boolean => codes.some((code) => parts.some((part) => code.includes(part)))
  if (has('context_length', 'context_size', 'request_too_large')) return 'context_overflow'
  if (has('content_filter', 'content_policy', 'responsibleaipolicy')) return 'content_filter'
  if (status === 429) return 'throttled'
  if (status === 401 || (status === 403 && !filterPhrases.test(message))) return 'authentication'
  if (status === 400 && (keyPhrases.test(message) || has('api_key'))) return 'authentication'
  if (overflowPhrases.test(message)) return 'context_overflow'
  if (status !== undefined && status >= 400 && status < 500) {
    if (filterPhrases.test(message)) return 'content_filter'
    if (status === 413) return 'context_overflow'
    // 499: the server gave the request up.
    if (status === 499) return 'overloaded'
    return status === 408 ? 'network' : 'invalid_request'
  }
  if (status !== undefined && status >= 500) return status === 501 || status === 505 ? undefined : 'overloaded'
  if (has('rate_limit', 'too_many_requests', 'resource_exhausted', 'quota')) return 'throttled'
  if (has('authentication', 'unauthenticated', 'invalid_api_key', 'permission')) return 'authentication'
  if (has('server_error', 'api_error', 'internal', 'overloaded', 'unavailable', 'timeout', 'deadline')) return 'overloaded'
  return has('invalid', 'bad_request', 'not_found') ? 'invalid_request' : undefined
}

function complaintOf(said: unknown, httpStatus: number | undefined): Complaint {
  const body = Array.isArray(said) ? (said as unknown[])[0] : said
  if (!isObject(body))
    return { message: typeof said === 'string' ? said.trim() : '', codes: [], status: httpStatus, retryAfterMs: undefined }
  const error = isObject(body['error']) ? body['error'] : body
  const inner = isObject(error['innererror']) ? error['innererror'] : {}
  const named = [error['code'], error['type'], error['status'], inner['code']]
  const status =
    httpStatus ?? [error['status_code'], ...named].map(Number).find((value) => Number.isInteger(value) && value >= 400 && value < 600)
  const { codes, retryAfterMs } = rpcDetails(error['details'])
  return {
    message: messageOf(body, error),
    codes: [...named, ...codes].filter((name) => typeof name === 'string').map((name) => name.toLowerCase()),
    status,
    retryAfterMs,
  }
}

function messageOf(body: Record<string, unknown>, error: Record<string, unknown>): string {
  const said = [error['message'], body['error'], body['message'], body['detail']].find((value) => typeof value === 'string' && value !== '')
  const message = typeof said === 'string' ? said : JSON.stringify(error)
  // A router in between says only that its provider failed; the reason stands beside it.
  const raw = isObject(error['metadata']) ? error['metadata']['raw'] : undefined
  return typeof raw === 'string' && raw !== '' ? `${message}: ${headOf(raw, 1000)}` : message
}
