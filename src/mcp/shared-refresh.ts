import type { McpAuth } from './options.ts'

/** So many refresh tokens are remembered that were used. */
const remembered = 8

/**
 * A `fetch` for many calls that find out at the same time that their access token is good no more. A refresh token is good once, so
 * each is sent once, and who comes late gets what the first one got. A request that was sent with an access token that has been
 * replaced meanwhile is sent again with the new one.
 */
export function sharedRefresh(auth: McpAuth, send: typeof fetch): typeof fetch {
  const refreshes = new Map<string, Promise<Response>>()
  return async (input, init) => {
    const token = refreshTokenIn(init?.body)
    if (token === undefined) {
      const response = await send(input, init)
      const headers = response.status === 401 ? await newHeaders(auth, init) : undefined
      return headers ? await send(input, { ...init, headers }) : response
    }
    const known = refreshes.get(token)
    if (known) return (await known).clone()
    const answer = send(input, init)
    refreshes.set(token, answer)
    const forget = (): boolean => refreshes.delete(token)
    answer.then((response) => response.ok || forget(), forget)
    if (refreshes.size > remembered) refreshes.delete(refreshes.keys().next().value!)
    return (await answer).clone()
  }
}

function refreshTokenIn(body: unknown): string | undefined {
  if (!(body instanceof URLSearchParams) && !(typeof body === 'string' && body.includes('grant_type='))) return undefined
  const asked = new URLSearchParams(body)
  return asked.get('grant_type') === 'refresh_token' ? (asked.get('refresh_token') ?? undefined) : undefined
}

/** The headers with the access token of now, if that is another one. */
async function newHeaders(auth: McpAuth, init: RequestInit | undefined): Promise<Headers | undefined> {
  const headers = new Headers(init?.headers)
  const sent = headers.get('authorization')
  if (sent === null || !('tokens' in auth)) return undefined
  const now = (await auth.tokens())?.access_token
  if (now === undefined || sent === `Bearer ${now}`) return undefined
  headers.set('authorization', `Bearer ${now}`)
  return headers
}
