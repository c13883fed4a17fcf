import {
  AgentError,
  AuthenticationError,
  IncompleteStreamError,
  InvalidRequestError,
  NetworkError,
  OverloadedError,
  ThrottledError,
} from '../../errors.ts'
import type { ModelError } from '../../errors.ts'
import { isObject } from '../../util/json.ts'
import { headOf } from '../../util/text.ts'
import { jsonOr, resetWait } from '../wire/http-error.ts'
import { providerError } from '../wire/provider-error.ts'
import { retryAfterMs } from '../wire/retry-after.ts'

/** What is read of the errors of the AI SDK and of its providers. They are known by what they hold, as many classes bear one name. */
type Thrown = {
  readonly name?: unknown
  readonly message?: unknown
  readonly type?: unknown
  readonly code?: unknown
  readonly cause?: unknown
  readonly statusCode?: unknown
  readonly responseBody?: unknown
  readonly responseHeaders?: unknown
  readonly isRetryable?: unknown
  /** What was no chunk that the provider knows. */
  readonly value?: unknown
}

export type ErrorPlace = {
  readonly provider: string
  /** Before the stream began, as a part of it, or by its breaking. */
  readonly when: 'opening' | 'part' | 'reading'
  readonly now: () => number
}

const refusals: readonly unknown[] = [
  'AI_InvalidPromptError',
  'AI_InvalidArgumentError',
  'AI_UnsupportedFunctionalityError',
  'AI_NoSuchModelError',
  'AI_NoSuchProviderReferenceError',
  'AI_LoadSettingError',
]
const unreadable: readonly unknown[] = [
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_EmptyResponseBodyError',
  'AI_NoContentGeneratedError',
]

/** The typed error for what an AI SDK model throws, or gives as the error of its stream. */
export function sdkError(thrown: unknown, place: ErrorPlace): AgentError {
  if (AgentError.isInstance(thrown)) return thrown
  const { provider, when } = place
  if (!isObject(thrown)) return when === 'reading' ? broken(thrown, provider) : providerError(String(thrown), { provider })
  const said: Thrown = thrown
  const message = headOf(String(said.message), 2000)
  const options = { provider, cause: keptCause(thrown) }
  if (typeof said.statusCode === 'number' && said.statusCode >= 400) return refused(said, said.statusCode, place)
  if (said.name === 'AI_LoadAPIKeyError')
    return new AuthenticationError(`${provider}: ${message}`, {
      ...options,
      variable: /\b([A-Z][A-Z0-9_]+) environment variable/.exec(message)?.[1],
    })
  if (refusals.includes(said.name)) return new InvalidRequestError(`${provider}: ${message}`, options)
  // An error that the server put in words that the provider's package does not know.
  if (isObject(said.value) && (isObject(said.value['error']) || said.value['object'] === 'error'))
    return providerError(said.value, { provider })
  if (unreadable.includes(said.name) || typeof said.statusCode === 'number') return broken(thrown, provider)
  if (isOfTransport(said))
    return when === 'opening' ? new NetworkError(`${provider}: ${reasonIn(thrown)}.`, options) : broken(thrown, provider)
  if (when === 'reading') return broken(thrown, provider)
  if (!(thrown instanceof Error)) return providerError(thrown, { provider })
  // A code of the runtime's (ERR_INVALID_ARG_TYPE) says nothing of the provider's.
  const code = typeof said.code === 'string' && said.code.startsWith('ERR_') ? undefined : said.code
  return caused(providerError({ message, code, type: said.type }, { provider }), thrown)
}

const broken = (cause: unknown, provider: string): IncompleteStreamError =>
  new IncompleteStreamError(`${provider}: the answer broke off: ${reasonIn(cause)}.`, { provider, cause: keptCause(cause) })

/** The error of a call holds the whole request, so what lies beneath it is kept instead. */
const keptCause = (thrown: unknown): unknown => (isObject(thrown) && 'requestBodyValues' in thrown ? (thrown as Thrown).cause : thrown)

/** An answer of the server that is no success. */
function refused(said: Thrown, status: number, { provider, now }: ErrorPlace): ModelError {
  const { responseBody, message, code, type } = said
  const body = typeof responseBody === 'string' && responseBody.trim() !== '' ? jsonOr(responseBody) : { message, code, type }
  const headers = waitHeaders(isObject(said.responseHeaders) ? said.responseHeaders : {})
  const wait = retryAfterMs(headers, now())
  const error = providerError(body, { provider, retryAfterMs: wait, untilResetMs: resetWait(headers, body, now()) }, status)
  // The provider knows its server: a conflict may pass, a spent budget does not come back.
  if (said.isRetryable === true && error instanceof InvalidRequestError)
    return new OverloadedError(error.message, { provider, status, retryAfterMs: wait })
  if (said.isRetryable === false && error instanceof ThrottledError)
    return new ThrottledError(error.message, { provider, status, retryAfterMs: error.retryAfterMs, retryable: false })
  return error
}

function waitHeaders(all: Record<string, unknown>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(all))
    if (typeof value === 'string' && /^(retry-after(-ms)?|x-ratelimit-(reset|remaining))$/i.test(name)) headers.set(name, value)
  return headers
}

const transportCode = /^(ECONN\w+|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_\w+)$/

/** Did the connection fail, rather than the request? */
function isOfTransport(said: Thrown): boolean {
  if (said.name === 'AI_APICallError' || said.name === 'AbortError' || said.name === 'TimeoutError') return true
  if (causesOf(said).some(({ code }) => typeof code === 'string' && transportCode.test(code))) return true
  return said.name === 'TypeError' && /fetch failed|failed to fetch|terminated/i.test(String(said.message))
}

/** What was thrown and its causes, the deepest last. */
function causesOf(said: Thrown): readonly Thrown[] {
  const chain = [said]
  for (let at = said.cause; isObject(at) && chain.length < 8; at = (at as Thrown).cause) chain.push(at)
  return chain
}

/** What is said, and the reason that lies beneath it. */
function reasonIn(thrown: unknown): string {
  const said = isObject(thrown)
    ? causesOf(thrown).flatMap(({ message }) => (typeof message === 'string' && message !== '' ? [message] : []))
    : [String(thrown)]
  const [first = 'no reason given'] = said
  const last = said.at(-1) ?? first
  return headOf(first.includes(last) ? first : `${first}: ${last}`, 2000).replace(/\.$/, '')
}

function caused<E extends Error>(error: E, cause: unknown): E {
  Object.defineProperty(error, 'cause', { value: cause, configurable: true, writable: true })
  return error
}
