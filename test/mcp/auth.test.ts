import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { McpClient, terminalAuth } from 'lena-agent/mcp'
import type { McpLogin, TerminalAuth, TerminalAuthOptions } from 'lena-agent/mcp'

async function authOf(options: Partial<TerminalAuthOptions> = {}): Promise<TerminalAuth> {
  const auth = await terminalAuth({ openUrl: () => {}, ...options })
  onTestFinished(() => auth.close())
  return auth
}

const soon = { signal: AbortSignal.timeout(30_000) }

describe('a login from a terminal', () => {
  it('waits for the browser to come back with the state that it was sent with', async () => {
    const opened: string[] = []
    const auth = await authOf({ openUrl: (url) => void opened.push(url.href) })
    const state = await auth.state!()
    await auth.redirectToAuthorization(new URL(`https://login.example/authorize?state=${state}`))
    expect(opened).toEqual([`https://login.example/authorize?state=${state}`])
    const response = auth.authorizationResponse(soon)
    const comeBack = async (query: string): Promise<number> => (await fetch(`${String(auth.redirectUrl)}?${query}`)).status
    expect(await comeBack('code=stolen')).toBe(404)
    expect(await comeBack('code=stolen&state=guessed')).toBe(404)
    expect(await comeBack(`code=c1&state=${state}`)).toBe(200)
    expect((await response).get('code')).toBe('c1')
    await expect(comeBack(`code=c2&state=${state}`)).rejects.toThrow('fetch failed')
  })

  it('ends when nobody waits any more', async () => {
    const auth = await authOf()
    await auth.redirectToAuthorization(new URL('https://login.example/'))
    const controller = new AbortController()
    const response = auth.authorizationResponse({ signal: controller.signal })
    controller.abort(new Error('Never mind.'))
    await expect(response).rejects.toThrow('Never mind.')
    await expect(fetch(String(auth.redirectUrl))).rejects.toThrow('fetch failed')
  })

  it('is not disturbed by what is no address', async () => {
    const auth = await authOf()
    await auth.redirectToAuthorization(new URL('https://login.example/'))
    const socket = connect(Number(new URL(String(auth.redirectUrl)).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write('GET // HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(String(answer)).toMatch(/^HTTP\/1\.1 404 /)
  })

  it('ends when the page cannot be shown', async () => {
    const auth = await authOf({ openUrl: () => Promise.reject(new Error('No browser.')) })
    await expect(auth.redirectToAuthorization(new URL('https://login.example/'))).rejects.toThrow('No browser.')
    await expect(fetch(String(auth.redirectUrl))).rejects.toThrow('fetch failed')
  })

  it('keeps what it has for the next time, and the address it was registered with', async () => {
    let kept: McpLogin | undefined
    const store = { load: () => kept, save: (login: McpLogin) => void (kept = login) }
    const first = await authOf({ store })
    await first.saveClientInformation!({ client_id: 'c', redirect_uris: [String(first.redirectUrl)] })
    await first.saveTokens({ access_token: 't', token_type: 'Bearer' })
    const second = await authOf({ store })
    expect(String(second.redirectUrl)).toBe(String(first.redirectUrl))
    expect([await second.clientInformation(), await second.tokens()]).toMatchObject([{ client_id: 'c' }, { access_token: 't' }])
    await second.invalidateCredentials!('tokens')
    expect(kept).toEqual({ client: { client_id: 'c', redirect_uris: [String(first.redirectUrl)] } })
  })
})

describe('a server that wants a login', () => {
  it('is named when there is none to give', async () => {
    const server = createServer((_, response) => response.writeHead(401).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const client = new McpClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, name: 'shop' })
    await expect(client.connect()).rejects.toMatchObject({
      code: 'mcp_unauthorized',
      message: expect.stringMatching(/^The MCP server "shop" wants a login: .*Give the client `auth` or `headers`\.$/s) as string,
    })
  })

  it('gets the token that the client was given', async () => {
    const seen: (string | undefined)[] = []
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization)
      response.writeHead(500).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
    await expect(new McpClient({ url, auth: { token: async () => 'T1' } }).connect()).rejects.toMatchObject({ code: 'mcp_start_failed' })
    expect(seen[0]).toBe('Bearer T1')
  })
})
