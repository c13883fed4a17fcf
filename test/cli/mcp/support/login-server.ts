import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type LoginServer = {
  readonly url: string
  /** Paths that were asked for. */
  readonly asked: readonly string[]
  /** Tokens that are accepted. */
  readonly tokens: Set<string>
  /** What a browser does that is sent to this page: it comes back with a code. */
  visit(page: string): Promise<number>
}

/** A server of one tool that wants a login, and hands it out itself; spoken by hand. */
export async function loginServer(): Promise<LoginServer> {
  const asked: string[] = []
  const tokens = new Set<string>()
  let given = 0
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const base = `http://${request.headers.host}`
    const url = new URL(request.url!, base)
    asked.push(url.pathname)
    const json = (value: unknown, status = 200): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    const body = await bodyOf(request)
    switch (url.pathname) {
      case '/.well-known/oauth-protected-resource/mcp':
        return json({ resource: `${base}/mcp`, authorization_servers: [base] })
      case '/.well-known/oauth-authorization-server':
        return json({
          issuer: base,
          authorization_endpoint: `${base}/authorize`,
          token_endpoint: `${base}/token`,
          registration_endpoint: `${base}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
        })
      case '/register':
        return json({ client_id: 'client-1', ...(JSON.parse(body) as object) }, 201)
      case '/authorize': {
        const back = new URL(url.searchParams.get('redirect_uri')!)
        back.searchParams.set('code', 'code-1')
        back.searchParams.set('state', url.searchParams.get('state')!)
        response.writeHead(302, { location: back.href }).end()
        return
      }
      case '/token': {
        const token = `token-${++given}`
        tokens.add(token)
        return json({ access_token: token, token_type: 'Bearer' })
      }
      case '/mcp': {
        const token = request.headers.authorization?.replace('Bearer ', '')
        if (token === undefined || !tokens.has(token)) {
          const where = `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`
          response.writeHead(401, { 'www-authenticate': where }).end()
          return
        }
        if (request.method !== 'POST') return void response.writeHead(405).end()
        const { id, method } = JSON.parse(body) as { readonly id?: number; readonly method: string }
        if (id === undefined) return void response.writeHead(202).end()
        const result = results[method]
        return json({ jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'Method not found' } }) })
      }
      default:
        response.writeHead(404).end()
    }
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  return { url, asked, tokens, visit: async (page) => (await fetch(page)).status }
}

const results: Record<string, object> = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'vault', version: '1' } },
  'tools/list': { tools: [{ name: 'open', description: 'Opens.', inputSchema: { type: 'object' } }] },
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
