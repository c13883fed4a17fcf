import { IncompleteStreamError, InvalidRequestError, NetworkError } from '../../errors.ts'
import type { ModelError } from '../../errors.ts'
import { isObject } from '../../util/json.ts'
import type { ErrorSource } from './provider-error.ts'
import { providerError } from './provider-error.ts'
import { retryAfterMs, untilReset } from './retry-after.ts'

/** The typed error for an HTTP response that is none of success. `body` is its text, as much as was read of it. */
export function httpError(
  response: { readonly status: number; readonly headers: Headers },
  body: string,
  source: ErrorSource,
  now: number,
): ModelError {
  // 0 is how a browser hides where it was sent.
  if (response.status === 0 || (response.status >= 300 && response.status < 400)) return redirected(response, source.provider)
  const said = jsonOr(body)
  const waits = { retryAfterMs: retryAfterMs(response.headers, now), untilResetMs: resetWait(response.headers, said, now) }
  return providerError(said, { ...source, ...waits }, response.status)
}

/** When a quota is full again, by the headers of a refusal or by those that a router wrote into its body. */
export function resetWait(headers: Pick<Headers, 'get'>, said: unknown, now: number): number | undefined {
  const error = isObject(said) && isObject(said['error']) ? said['error'] : {}
  const inside = isObject(error['metadata']) && isObject(error['metadata']['headers']) ? error['metadata']['headers'] : {}
  const named = new Map(Object.entries(inside).map(([name, value]) => [name.toLowerCase(), String(value)]))
  return untilReset((name) => headers.get(name), now) ?? untilReset((name) => named.get(name), now)
}

/** Not followed: the key would go to a host that nobody named. */
function redirected({ status, headers }: { readonly status: number; readonly headers: Headers }, provider: string): InvalidRequestError {
  const location = headers.get('location') ?? ''
  // Without its query, which may hold a key.
  const place = URL.canParse(location) ? `${new URL(location).origin}${new URL(location).pathname}` : location.replace(/[?#].*$/, '')
  return new InvalidRequestError(
    `${provider}: the server sends the request on to ${place || 'another address'} (HTTP ${status}), which is not followed, as the key would go along. Give the right address.`,
    { provider, status },
  )
}

/** The request did not get through. */
export function networkError(cause: unknown, provider: string, host: string): NetworkError {
  return new NetworkError(`${provider}: could not reach ${host}: ${reasonIn(cause)}.`, { provider, cause })
}

/** The connection broke while the answer came. */
export function brokenStream(cause: unknown, provider: string): IncompleteStreamError {
  return new IncompleteStreamError(`${provider}: the connection broke before the answer was complete: ${reasonIn(cause)}.`, {
    provider,
    cause,
  })
}

/** JSON as its value, anything else as the text that it is. */
export function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** `fetch` says "fetch failed" and keeps the reason in a cause. */
function reasonIn(thrown: unknown): string {
  let reason = thrown
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause
  if (!(reason instanceof Error)) return String(reason)
  const { code } = reason as { code?: unknown }
  if (reason.message !== '') return reason.message
  return typeof code === 'string' ? code : reason.name
}
