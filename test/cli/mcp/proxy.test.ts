import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort, startEverything } from '../../mcp/support/reference.ts'
import { json, listen } from '../../mcp/support/http-server.ts'
import { lena } from '../../terminal/support/lena.ts'
import { loginServer } from './support/login-server.ts'
import { mcpWorld, write } from './support/mcp-world.ts'
import { proxyTo } from './support/proxy.ts'

const portOf = (url: string): number => Number(new URL(url).port)

/** What a server answers that greets and has one tool. */
const answers: Readonly<Record<string, object>> = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'far', version: '1' } },
  'tools/list': { tools: [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }] },
}

/** A server on this machine; who asked it for which host. */
async function farServer(): Promise<{ readonly port: number; readonly hosts: Set<string | undefined> }> {
  const hosts = new Set<string | undefined>()
  const { url } = await listen((request, response, body) => {
    hosts.add(request.headers.host)
    if (request.method !== 'POST') return json(response, 405)
    const { id, method } = body as { readonly id?: number; readonly method: string }
    if (id === undefined) return json(response, 202)
    const result = answers[method]
    json(response, 200, { id, ...(result ? { result } : { error: { code: -32601, message: 'Method not found' } }) })
  })
  return { port: portOf(url), hosts }
}

const server = (url: string, more: object = {}): object => ({ mcpServers: { far: { url, ...more } } })

describe('an MCP server behind a proxy', { timeout: 60_000 }, () => {
  it('is asked through it, with the name and the password of the proxy', async (test) => {
    const { port, hosts } = await farServer()
    const proxy = await proxyTo(test, { 'far.example:8080': port })
    const { mcp, userFile } = await mcpWorld({ env: { HTTP_PROXY: proxy.url.replace('//', '//me:p%40ss@') } })
    await write(userFile, server('http://far.example:8080/mcp'))
    const { code, stdout } = await mcp('test')
    expect([code, stdout]).toEqual([0, expect.stringContaining('mcp__far__look') as string])
    expect([...hosts]).toEqual(['far.example:8080'])
    expect(new Set(proxy.seen)).toContain('POST http://far.example:8080/mcp')
    expect(new Set(proxy.letIn)).toEqual(new Set(['me:p@ss']))
  })

  it.each(['far.example', '.example:8080', '*'])('is asked without it for a host of NO_PROXY (%s)', async (entry) => {
    const { port } = await farServer()
    const proxy = await proxyTo({ onTestFinished }, { 'far.example:8080': port })
    const env = { HTTP_PROXY: proxy.url, NO_PROXY: `other.example,${entry}` }
    const { mcp, userFile } = await mcpWorld({ env })
    await write(userFile, server('http://far.example:8080/mcp'))
    const { code, stdout } = await mcp('test')
    // There is no such host.
    expect([code, stdout, proxy.seen]).toEqual([1, expect.stringMatching(/could not be started: .*(ENOTFOUND|EAI_AGAIN)/) as string, []])
  })

  it('is asked without it on this machine, and for a host of NO_PROXY with another port through it', async (test) => {
    const { port, hosts } = await farServer()
    const proxy = await proxyTo(test, { 'far.example:8080': port })
    const { mcp, userFile } = await mcpWorld({ env: { http_proxy: proxy.url, no_proxy: 'far.example:81' } })
    await write(userFile, { mcpServers: { far: { url: 'http://far.example:8080/mcp' }, near: { url: `http://127.0.0.1:${port}/mcp` } } })
    expect((await mcp('test', 'near')).code).toBe(0)
    expect(proxy.seen).toEqual([])
    expect((await mcp('test', 'far')).code).toBe(0)
    expect(hosts).toEqual(new Set([`127.0.0.1:${port}`, 'far.example:8080']))
  })

  it.each(['streamableHttp', 'sse'] as const)('streams through it (%s)', async (mode) => {
    const port = await freePort()
    await startEverything(mode, port)
    const proxy = await proxyTo({ onTestFinished }, { 'every.example:80': port })
    const { mcp, userFile } = await mcpWorld({ env: { ALL_PROXY: proxy.url } })
    const url = `http://every.example/${mode === 'sse' ? 'sse' : 'mcp'}`
    await write(userFile, server(url, { headers: { 'X-Note': 'hello' }, ...(mode === 'sse' && { type: 'sse' }) }))
    const { code, stdout } = await mcp('test')
    expect([code, stdout]).toEqual([0, expect.stringContaining('mcp__far__echo') as string])
    expect(proxy.seen.some((line) => line === `GET ${url}`)).toBe(true)
  })

  it('is logged in to through it: every request of the login', async (test) => {
    const vault = await loginServer()
    const proxy = await proxyTo(test, { 'vault.localhost:80': portOf(vault.url) })
    const { mcp, atTerminal, userFile } = await mcpWorld({ env: { HTTP_PROXY: proxy.url } })
    await write(userFile, server('http://vault.localhost/mcp'))
    const { world, ended } = atTerminal('login', 'far')
    await world.stdout.shows('Open this page to log in')
    const [page] = /http:\/\/\S+\/authorize\S+/.exec(world.stdout.text)!
    expect(await vault.visit(page.replace('http://vault.localhost', new URL(vault.url).origin))).toBe(200)
    expect((await ended).code).toBe(0)
    // The browser is not Lena: its own request is the one that did not go through.
    expect(new Set(proxy.seen.map((line) => new URL(line.split(' ')[1]!).pathname))).toEqual(
      new Set(vault.asked.filter((path) => path !== '/authorize')),
    )
    expect(proxy.seen).toContain('POST http://vault.localhost/token')
    expect((await mcp('test')).code).toBe(0)
  })
})

describe('a proxy that cannot be used', { timeout: 60_000 }, () => {
  it.each([
    ['http://far.example/mcp', 'refused the request to far.example: 407 Proxy Authentication Required'],
    ['https://far.example/mcp', 'refused the connection to far.example:443: 407 Proxy Authentication Required'],
  ])('is named when it refuses (%s)', async (url, said) => {
    const proxy = await proxyTo({ onTestFinished }, 'refuses')
    const { mcp, userFile } = await mcpWorld({ env: { ALL_PROXY: proxy.url.replace('//', '//me:s3cret@') } })
    await write(userFile, server(url))
    const { code, stdout, stderr } = await mcp('test')
    expect([code, stdout]).toEqual([1, `x far: The MCP server "far" could not be started: the proxy ${new URL(proxy.url).host} ${said}\n`])
    expect(stdout + stderr).not.toContain('s3cret')
  })

  it.each(['http://far.example/mcp', 'https://far.example/mcp'])('is named when it is not there (%s)', async (url) => {
    const port = await freePort()
    const { mcp, userFile } = await mcpWorld({ env: { ALL_PROXY: `127.0.0.1:${port}` } })
    await write(userFile, server(url))
    const { code, stdout } = await mcp('test')
    expect([code, stdout]).toEqual([
      1,
      `x far: The MCP server "far" could not be started: the proxy 127.0.0.1:${port} cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}\n`,
    ])
  })

  it('is said to be none when its address is none, without its password', async () => {
    const { mcp, userFile } = await mcpWorld({ env: { HTTPS_PROXY: 'socks5://me:s3cret@proxy.example' } })
    await write(userFile, server('https://far.example/mcp'))
    const { code, stdout, stderr } = await mcp('test')
    expect([code, stdout]).toEqual([1, expect.stringContaining('HTTPS_PROXY must be the address of a proxy') as string])
    expect(stdout + stderr).not.toContain('s3cret')
  })
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
if (!hasOpenssl) console.warn('That an MCP server is reached through a tunnel is not tried: it needs openssl for a certificate.')

it.runIf(hasOpenssl)(
  'an MCP server over HTTPS is reached through a tunnel: the proxy sees its host alone',
  { timeout: 120_000 },
  async (test) => {
    const folder = mkdtempSync(join(tmpdir(), 'lena-proxy-'))
    test.onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const made = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=far.example -addext subjectAltName=DNS:far.example'
    execFileSync('openssl', [...made.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' })
    const methods: string[] = []
    const far = https.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
      let text = ''
      request.on('data', (chunk: Buffer) => (text += chunk.toString()))
      request.on('end', () => {
        if (request.method !== 'POST') return void response.writeHead(405).end()
        const { id, method } = JSON.parse(text) as { readonly id?: number; readonly method: string }
        methods.push(method)
        if (id === undefined) return void response.writeHead(202).end()
        const result = answers[method]
        json(response, 200, { id, ...(result ? { result } : { error: { code: -32601, message: 'Method not found' } }) })
      })
    })
    await new Promise<void>((resolve) => far.listen(0, '127.0.0.1', resolve))
    test.onTestFinished(() => {
      far.closeAllConnections()
      far.close()
    })
    const proxy = await proxyTo(test, { 'far.example:443': (far.address() as AddressInfo).port })
    writeFileSync(join(folder, 'mcp.json'), JSON.stringify(server('https://far.example/mcp')))
    const { code, stdout } = await lena(test, ['mcp', 'test'], {
      cwd: folder,
      env: { LENA_CONFIG_DIR: folder, HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: cert, NO_PROXY: '', no_proxy: '' },
    })
    expect([code, stdout]).toEqual([0, expect.stringContaining('mcp__far__look') as string])
    expect(methods).toContain('tools/list')
    expect(new Set(proxy.seen)).toEqual(new Set(['CONNECT far.example:443']))
  },
)
