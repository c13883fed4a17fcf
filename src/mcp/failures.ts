import type { ClientSdk } from './sdk.ts'
import type { Session } from './session.ts'
import { streamEndedCode } from './tap-transport.ts'

/** Errors of the library may be wrapped in others of its own. */
export function* causesOf(error: unknown): Generator<unknown, void, void> {
  for (let depth = 0, inner = error; inner !== undefined && depth < 8; depth++) {
    yield inner
    inner = inner instanceof Error ? (inner.cause ?? (inner as { data?: { cause?: unknown } }).data?.cause) : undefined
  }
}

export const isUnauthorized = (error: unknown, sdk: ClientSdk): boolean =>
  [...causesOf(error)].some((inner) => inner instanceof sdk.UnauthorizedError)

/** The status of the HTTP answer that an error tells of. */
export function statusOf(error: unknown, sdk: ClientSdk): number | undefined {
  for (const inner of causesOf(error)) {
    if (inner instanceof sdk.SdkHttpError) return inner.status
    const status = (inner as { data?: { status?: unknown } }).data?.status ?? (inner as { code?: unknown }).code
    if (typeof status === 'number' && status >= 400 && status < 600) return status
  }
  return undefined
}

const hasCode = (error: unknown, pattern: RegExp): boolean =>
  [...causesOf(error)].some((inner) => {
    const { code } = inner as { code?: unknown }
    return typeof code === 'string' && pattern.test(code)
  })

/** Did the request surely not reach a server that could act on it? */
export function neverArrived(error: unknown, session: Session): boolean {
  if (error instanceof Error && /^not connected$/i.test(error.message)) return true
  if (hasCode(error, /^ECONNREFUSED$/)) return true
  const status = statusOf(error, session.sdk)
  // A server that was restarted does not know the session any more. 404 is what the protocol says, 400 what many do.
  return session.hasId() && (status === 404 || (status === 400 && /session/i.test((error as Error).message)))
}

/** Was the line cut under a request? So it is when a server closes an idle connection just as it is used again. */
export const wasCut = (error: unknown): boolean => hasCode(error, /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/)

/** Did the connection break on the way? */
export function isBroken(error: unknown): boolean {
  if (hasCode(error, /^(CONNECTION_CLOSED|ECONNRESET|EPIPE|ETIMEDOUT|UND_ERR_\w+)$/)) return true
  return [...causesOf(error)].some((inner) => {
    const { code, message } = inner as { code?: unknown; message?: unknown }
    return code === streamEndedCode || message === 'fetch failed' || message === 'terminated'
  })
}
