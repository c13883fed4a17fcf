import { createHash, randomUUID } from 'node:crypto'
import { json, listen } from './http-server.ts'

export type AuthorizationServer = {
  /** Of the MCP server that wants its tokens. */
  readonly url: string
  /** What was asked of it, in order. */
  readonly steps: string[]
  /** Tokens that it gave are good no more. */
  expire(): void
  /** Nor can they be refreshed. */
  revoke(): void
}

export type AuthorizationOddity = {
  /** The authorization server is another host than the MCP server. */
  readonly elsewhere?: boolean
  /** The resource that the MCP server says it is, in the place of its own address. */
  readonly resource?: string
  /** It registers nobody: says so, or has nowhere to ask. */
  readonly registration?: 'refused' | 'none'
  /** The MCP server takes no token, whoever gave it: each is for somebody else. */
  readonly takesNone?: boolean
}

/** An MCP server of 2025-11-25 that wants a login, and the authorization server that it trusts, in one: OAuth 2.1 with PKCE. */
export async function authorizationServer(odd: AuthorizationOddity = {}): Promise<AuthorizationServer> {
  const steps: string[] = []
  let [access, refresh] = ['', '']
  const codes = new Map<string, { challenge: string; redirect: string }>()
  const give = (): object => {
    access = randomUUID()
    refresh = randomUUID()
    return { access_token: access, refresh_token: refresh, token_type: 'Bearer', expires_in: 3600 }
  }
  const answer: Parameters<typeof listen>[0] = (request, response, body) => {
    const { origin } = new URL(url)
    const { pathname, searchParams } = new URL(request.url!, origin)
    const send = (status: number, body: object, headers: Record<string, string> = {}): void =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    if (pathname === '/.well-known/oauth-protected-resource/mcp')
      return send(200, { resource: odd.resource ?? url, authorization_servers: [issuer] })
    // What follows is asked of the authorization server alone, until a token is shown.
    if (`http://${request.headers.host}` !== issuer && /^\/(authorize|token|register|\.well-known)/.test(pathname)) return send(404, {})
    if (pathname !== '/mcp' && request.headers.authorization !== undefined) steps.push(`a token was shown to ${pathname}`)
    if (pathname === '/.well-known/oauth-authorization-server')
      return send(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        ...(odd.registration !== 'none' && { registration_endpoint: `${issuer}/register` }),
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      })
    if (pathname === '/register') {
      steps.push('register')
      if (odd.registration === 'refused') return send(403, { error: 'access_denied', error_description: 'Nobody is registered here.' })
      return send(201, { client_id: 'c1', ...body })
    }
    if (pathname === '/authorize') {
      steps.push('authorize')
      const code = randomUUID()
      const redirect = searchParams.get('redirect_uri')!
      codes.set(code, { challenge: searchParams.get('code_challenge')!, redirect })
      const back = new URL(redirect)
      back.searchParams.set('code', code)
      back.searchParams.set('state', searchParams.get('state')!)
      return send(302, {}, { location: back.href })
    }
    if (pathname === '/token') {
      const asked = new URLSearchParams(body as string)
      steps.push(asked.get('grant_type')!)
      if (asked.get('grant_type') === 'refresh_token')
        return asked.get('refresh_token') === refresh && refresh !== '' ? send(200, give()) : send(400, { error: 'invalid_grant' })
      const known = codes.get(asked.get('code') ?? '')
      const challenge = createHash('sha256')
        .update(asked.get('code_verifier') ?? '')
        .digest('base64url')
      codes.delete(asked.get('code') ?? '')
      const isGood = known?.challenge === challenge && known.redirect === asked.get('redirect_uri') && asked.get('resource') === url
      return isGood ? send(200, give()) : send(400, { error: 'invalid_grant' })
    }
    if (request.headers.authorization !== `Bearer ${access}` || access === '' || odd.takesNone) {
      const where = `${origin}/.well-known/oauth-protected-resource/mcp`
      const why = odd.takesNone && request.headers.authorization !== undefined ? 'error="invalid_token", ' : ''
      return send(401, {}, { 'www-authenticate': `Bearer ${why}resource_metadata="${where}"` })
    }
    if (request.method !== 'POST') return json(response, 405)
    const { id, method, params } = body as { id?: number; method: string; params: any }
    if (id === undefined) return json(response, 202)
    if (method === 'initialize') {
      const { protocolVersion } = params
      return json(response, 200, {
        id,
        result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'guarded', version: '1' } },
      })
    }
    if (method === 'tools/call') return json(response, 200, { id, result: { content: [{ type: 'text', text: 'Come in.' }] } })
    json(response, 200, { id, error: { code: -32601, message: 'Method not found' } })
  }
  const { url } = await listen(answer)
  const issuer = new URL(odd.elsewhere ? (await listen(answer)).url : url).origin
  return { url, steps, expire: () => void (access = ''), revoke: () => void (access = refresh = '') }
}
