import {
  AgentError,
  AuthenticationError,
  ContextOverflowError,
  IncompleteStreamError,
  ModelError,
  NetworkError,
  OverloadedError,
  ThrottledError,
} from '../../errors.ts'
import { isObject } from '../../util/json.ts'
import { headOf } from '../../util/text.ts'
import { brokenStream, httpError, jsonOr, networkError } from '../wire/http-error.ts'
import { providerError } from '../wire/provider-error.ts'
import { retryAfterMs } from '../wire/retry-after.ts'
import type { Credential } from './client.ts'
import { StrangerError, TransportError } from './fetch-handler.ts'
import { keyVariable, providerName } from './options.ts'

export type FailureContext = {
  readonly credential: Credential
  /** Had the answer begun? */
  readonly begun: boolean
  /** The time, for a wait that is given as a date. */
  readonly now: number
}

type Kind = 'throttled' | 'quota' | 'overloaded' | 'network' | 'incomplete' | 'authentication' | 'no_credentials' | 'invalid_request'

/**
 * What AWS calls its errors, in lower case and without the `Exception` behind: both spellings are met, thrown for a response
 * and inside a stream.
 */
const kinds: Readonly<Record<string, Kind>> = {
  throttling: 'throttled',
  throttled: 'throttled',
  toomanyrequests: 'throttled',
  requestlimitexceeded: 'throttled',
  requestthrottled: 'throttled',
  limitexceeded: 'throttled',
  slowdown: 'throttled',
  provisionedthroughputexceeded: 'throttled',
  // A model that is not in use is still being loaded.
  modelnotready: 'throttled',
  servicequotaexceeded: 'quota',
  serviceunavailable: 'overloaded',
  internalserver: 'overloaded',
  internalfailure: 'overloaded',
  modelerror: 'overloaded',
  modeltimeout: 'network',
  requesttimeout: 'network',
  timeout: 'network',
  modelstreamerror: 'incomplete',
  accessdenied: 'authentication',
  expiredtoken: 'authentication',
  incompletesignature: 'authentication',
  invalidaccesskeyid: 'authentication',
  invalidclienttokenid: 'authentication',
  invalidsignature: 'authentication',
  missingauthenticationtoken: 'authentication',
  notauthorized: 'authentication',
  optinrequired: 'authentication',
  requestexpired: 'authentication',
  signaturedoesnotmatch: 'authentication',
  unauthorized: 'authentication',
  unrecognizedclient: 'authentication',
  credentialsprovider: 'no_credentials',
  tokenprovider: 'no_credentials',
  validation: 'invalid_request',
  resourcenotfound: 'invalid_request',
}

/** What only models on Bedrock say of a prompt that is too long. */
const overflowPhrases = /too many total text bytes|input tokens exceed|too many tokens: size limit exceeded/i

/** The typed error for whatever the SDK or the service throws. */
export function converseError(thrown: unknown, context: FailureContext): ModelError {
  if (AgentError.isInstance(thrown)) return thrown as ModelError
  if (thrown instanceof TransportError) return networkError(thrown.cause, providerName, thrown.host)
  if (thrown instanceof StrangerError) return strangersError(thrown, context.now)
  const { name, message, status, waitMs } = complaintOf(thrown, context.now)
  const text = `${providerName}: ${headOf(message, 2000)}${status === undefined ? '' : ` (HTTP ${status})`}`
  const options = { provider: providerName, status, cause: thrown }
  switch (kindOf(name, thrown)) {
    case 'throttled':
      // A day's tokens do not come back by waiting.
      return new ThrottledError(text, { ...options, retryAfterMs: waitMs, retryable: !/per day|daily/i.test(message) })
    case 'quota':
      return new ThrottledError(text, { ...options, retryAfterMs: waitMs, retryable: false })
    case 'overloaded':
      return new OverloadedError(text, { ...options, retryAfterMs: waitMs })
    case 'network':
      return new NetworkError(text, options)
    case 'incomplete':
      return new IncompleteStreamError(text, options)
    case 'authentication':
      return new AuthenticationError(`${text}. ${advice[context.credential]}`, { ...options, variable: variableOf(context.credential) })
    case 'no_credentials':
      return new AuthenticationError(
        `${providerName}: no credentials (${message}). Set the environment variable ${keyVariable}, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, sign in with the AWS command line, or give \`apiKey\`, \`credentials\` or \`profile\`.`,
        { ...options, variable: keyVariable },
      )
    case 'invalid_request':
      if (overflowPhrases.test(message)) return new ContextOverflowError(text, options)
      return providerError({ message, code: 'invalid_request' }, { provider: providerName }, status)
    case undefined:
      if (status !== undefined && status >= 400)
        return providerError({ message, code: name }, { provider: providerName, retryAfterMs: waitMs }, status)
      if (context.begun || status !== undefined) return brokenStream(plainCause(thrown, message), providerName)
      return isNetworkFailure(thrown) ? networkError(thrown, providerName, 'Amazon Bedrock') : new ModelError(text, options)
  }
}

const advice: Readonly<Record<Credential, string>> = {
  api_key: 'Check the option `apiKey`, and that its owner may use this model.',
  environment_key: `Check the key in ${keyVariable}, or the option \`apiKey\`, and that its owner may use this model.`,
  credentials: 'Check the AWS credentials, and that they may use this model in this region.',
}

const variableOf = (credential: Credential): string | undefined => (credential === 'environment_key' ? keyVariable : undefined)

function strangersError({ message, status, headers, mediaType }: StrangerError, now: number): ModelError {
  if (status >= 300 || status === 0) return httpError({ status, headers }, message, { provider: providerName }, now)
  return new IncompleteStreamError(`${providerName}: expected a stream of events, got ${mediaType}: ${headOf(message, 200)}`, {
    provider: providerName,
  })
}

/** The model behind the service may have said why, in numbers. */
function kindOf(name: string, thrown: unknown): Kind | undefined {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
  const original = isObject(thrown) || thrown instanceof Error ? (thrown as { originalStatusCode?: unknown }).originalStatusCode : undefined
  if (kind !== 'incomplete' && name !== 'modelerror') return kind
  if (original === 429) return 'throttled'
  return original === 400 || original === 413 ? 'invalid_request' : kind
}

type Thrown = {
  readonly name?: unknown
  readonly message?: unknown
  readonly $metadata?: { readonly httpStatusCode?: number }
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> }
}

function complaintOf(
  thrown: unknown,
  now: number,
): { readonly name: string; readonly message: string; readonly status: number | undefined; readonly waitMs: number | undefined } {
  const { name, message, $metadata, $response } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as Thrown
  const status = $metadata?.httpStatusCode
  // Not all of them: those of HTTP/2 are no headers to others.
  const asksToWait = Object.entries($response?.headers ?? {}).filter(([header]) => header.startsWith('retry-after'))
  // What the SDK does not know it hands on unread.
  const said = typeof message === 'string' ? jsonOr(message) : undefined
  const inner = isObject(said) ? (said['message'] ?? said['Message']) : undefined
  return {
    name: String(name ?? '')
      .toLowerCase()
      .replace(/(exception|error)$/, ''),
    message: (typeof inner === 'string' ? inner : cleaned(typeof message === 'string' ? message : String(thrown))) || 'no reason given',
    status,
    waitMs: retryAfterMs(new Headers(asksToWait), now),
  }
}

/** Without what the SDK says about itself. */
const cleaned = (message: string): string => message.replace(/\n {2}Deserialization error: [^]*$/, '').replace(/^Unknown(Error)?$/, '')

const plainCause = (thrown: unknown, message: string): unknown =>
  thrown instanceof Error && thrown.message !== message ? new Error(message, { cause: thrown.cause }) : thrown

/** Did the connection fail, or is it something that we did wrong? Node names it by a code, somewhere in the causes. */
function isNetworkFailure(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const { code } = error as { code?: unknown }
    if (error.name === 'AbortError' || (typeof code === 'string' && /^(E[A-Z]|UND_ERR|ERR_(HTTP2|STREAM|TLS))/.test(code))) return true
    if (error.message.startsWith('Unexpected error: http2 request')) return true
  }
  return false
}
