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
import type { Complaint } from './error-kind.ts'
import { kindOf } from './error-kind.ts'
import { plainText } from './plain-text.ts'
import { waitInWords } from './retry-after.ts'
import { rpcDetails } from './rpc-details.ts'

/** Who said it, and what the message may name. */
export type ErrorSource = {
  readonly provider: string
  /** The environment variable that holds the key, when there is one. */
  readonly variable?: string | undefined
  /** The option that holds it. Default `apiKey`. */
  readonly credential?: string | undefined
  readonly retryAfterMs?: number | undefined
  /** The wait until a quota is full again: where nothing else says how long to wait. */
  readonly untilResetMs?: number | undefined
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
    case 'spent': {
      const retryAfterMs = source.retryAfterMs ?? complaint.retryAfterMs ?? waitInWords(complaint.message) ?? source.untilResetMs
      return new ThrottledError(message, { ...options, retryAfterMs, retryable: kind === 'throttled' })
    }
    case 'overloaded':
      return new OverloadedError(message, { ...options, retryAfterMs: source.retryAfterMs ?? complaint.retryAfterMs })
    case 'network':
      return new NetworkError(message, options)
    case 'invalid_request':
      // The model wrote a call that its provider refused to pass on: another try may go better.
      return new InvalidRequestError(message, { ...options, retryable: complaint.codes.includes('tool_use_failed') })
    default:
      return new ModelError(message, { ...options, retryable: true })
  }
}

function complaintOf(said: unknown, httpStatus: number | undefined): Complaint {
  const body = Array.isArray(said) ? (said as unknown[])[0] : said
  if (!isObject(body))
    return { message: typeof said === 'string' ? plainText(said) : '', codes: [], status: httpStatus, retryAfterMs: undefined }
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
