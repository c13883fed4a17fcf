import { AuthenticationError } from '../../errors.ts'
import { notNeeded, reasonOf, settleOrAbort } from '../../util/abort.ts'
import type { Clock } from '../../util/clock.ts'
import { headerKey } from '../wire/header-values.ts'
import type { GoogleOptions, VertexOptions } from './options.ts'
import { endpoint, keyVariables, providerName } from './options.ts'

export type Credentials = {
  readonly headers: Readonly<Record<string, string>>
  /** The environment variable that holds the key. */
  readonly variable: string | undefined
}

type Wait = { readonly signal: AbortSignal; readonly clock: Clock; readonly timeoutMs: number }

/**
 * What tells the API who asks. The variables are Google's own: a key of theirs is sent to no other server.
 *
 * @throws {AuthenticationError} that says which variable to set; what the signal was told.
 */
export async function credentials(
  id: string,
  options: GoogleOptions,
  own: Readonly<Record<string, string>>,
  wait: Wait,
): Promise<Credentials> {
  if (options.vertex) {
    const token = headerKey(await tokenOf(options.vertex, wait), { provider: providerName, credential: 'vertex.accessToken' })
    return { headers: { authorization: `Bearer ${token}` }, variable: undefined }
  }
  if (options.apiKey !== undefined) return keyed(options.apiKey, undefined)
  if (endpoint(id, options) !== endpoint(id, {})) return keyed('', undefined)
  const env = globalThis.process?.env ?? {}
  const variable = keyVariables.find((name) => env[name])
  if (variable) return keyed(env[variable]!, variable)
  if (own['x-goog-api-key'] !== undefined || own['authorization'] !== undefined) return keyed('', undefined)
  throw new AuthenticationError(
    `${providerName}: no API key. Set the environment variable ${keyVariables.join(' or ')}, or give \`apiKey\`.`,
    { provider: providerName, variable: keyVariables[0] },
  )
}

const keyed = (key: string, variable: string | undefined): Credentials => ({
  headers: key === '' ? {} : { 'x-goog-api-key': headerKey(key, { provider: providerName, variable }) },
  variable,
})

/** A token of the user's own source, which may be slow or fail. */
async function tokenOf({ accessToken }: VertexOptions, { signal, clock, timeoutMs }: Wait): Promise<string> {
  if (typeof accessToken === 'string') return accessToken
  const timer = new AbortController()
  const late = clock.sleep(Math.min(timeoutMs, 2_147_483_647), timer.signal).then(() => 'late' as const)
  try {
    const outcome = await Promise.race([settleOrAbort(Promise.resolve().then(accessToken), signal), late])
    if (outcome === undefined) throw reasonOf(signal)
    if (outcome === 'late') throw refused(`gave nothing within ${timeoutMs / 1000} s (headersTimeoutMs)`)
    if (!outcome.ok)
      throw refused(`failed: ${outcome.error instanceof Error ? outcome.error.message : String(outcome.error)}`, outcome.error)
    if (typeof outcome.value !== 'string' || outcome.value === '') throw refused(`gave no token but ${JSON.stringify(outcome.value)}`)
    return outcome.value
  } finally {
    timer.abort(notNeeded)
  }
}

const refused = (what: string, cause?: unknown): AuthenticationError =>
  new AuthenticationError(`${providerName}: \`vertex.accessToken\` ${what}.`, {
    provider: providerName,
    ...(cause !== undefined && { cause }),
  })
