import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { proxyFetch } from '../../src/cli/proxy-fetch.ts'
import { lena } from '../terminal/support/lena.ts'

async function portOf(server: http.Server | https.Server): Promise<number> {
  await new Promise<void>((resolve) => (server as Server).listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A `fetch` through a proxy that answers by itself. */
async function through(answer: http.RequestListener): Promise<typeof fetch> {
  return proxyFetch({ HTTP_PROXY: `http://127.0.0.1:${await portOf(http.createServer(answer))}` })!
}

describe('fetch through a proxy', { timeout: 30_000 }, () => {
  it('is not there where no proxy is named', () => {
    expect([proxyFetch({}), proxyFetch({ HTTP_PROXY: ' ', NO_PROXY: '*' })]).toEqual([undefined, undefined])
  })

  it('sends what it is given, and gives what it gets', async () => {
    const asked: unknown[] = []
    const send = await through((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        const { 'content-type': type, 'x-a': a, 'content-length': length } = request.headers
        asked.push([request.method, request.url, type, a, length, body])
        response.writeHead(201, 'Made', { 'set-cookie': ['a=1', 'b=2'], 'content-type': 'text/plain' }).end('gr\u00fc\u00df dich')
      })
    })
    const response = await send(new URL('http://far.example/a?b=c'), {
      method: 'POST',
      headers: { 'x-a': '1' },
      body: new URLSearchParams({ k: 'v w' }),
    })
    expect(asked).toEqual([['POST', 'http://far.example/a?b=c', 'application/x-www-form-urlencoded;charset=UTF-8', '1', '5', 'k=v+w']])
    expect([response.status, response.statusText, response.ok, response.url, response.headers.getSetCookie()]).toEqual([
      201,
      'Made',
      true,
      'http://far.example/a?b=c',
      ['a=1', 'b=2'],
    ])
    expect(await response.text()).toBe('gr\u00fc\u00df dich')
  })

  it.each([
    ['gzip', gzipSync('packed')],
    ['br', brotliCompressSync('packed')],
    ['identity', Buffer.from('packed')],
  ])('unpacks what something in between has packed (%s)', async (coding, body) => {
    const send = await through((_, response) => response.writeHead(200, { 'content-encoding': coding }).end(body))
    expect(await (await send('http://far.example/')).text()).toBe('packed')
  })

  it.each([204, 304])('takes an answer without a body (%d)', async (status) => {
    const send = await through((_, response) => response.writeHead(status).end())
    const { body, status: got } = await send('http://far.example/')
    expect([got, body]).toEqual([status, null])
  })

  it('follows no redirect', async () => {
    const send = await through((_, response) => response.writeHead(302, { location: 'http://evil.example/' }).end())
    const response = await send('http://far.example/')
    expect([response.status, response.headers.get('location')]).toEqual([302, 'http://evil.example/'])
    const near = await portOf(http.createServer((_, answer) => answer.writeHead(302, { location: '/next' }).end()))
    expect((await send(`http://127.0.0.1:${near}/`)).status).toBe(302)
  })

  it('streams, and ends when it is cancelled: before the answer, and in its middle', async () => {
    let closed = (): void => {}
    const isClosed = new Promise<void>((resolve) => (closed = resolve))
    const send = await through((request, response) => {
      if (request.url!.endsWith('silent')) return void response.on('close', closed)
      response.writeHead(200).write('first')
    })
    const reason = new Error('enough')
    const [before, during] = [new AbortController(), new AbortController()]
    const waiting = send('http://far.example/silent', { signal: before.signal })
    const response = await send('http://far.example/stream', { signal: during.signal })
    const reader = response.body!.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('first')
    const next = reader.read()
    before.abort(reason)
    during.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    await expect(next).rejects.toBe(reason)
    await isClosed
    await expect(send('http://far.example/', { signal: before.signal })).rejects.toBe(reason)
  })

  it('says what broke when the proxy ends in the middle of an answer', async () => {
    const send = await through((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half')
      setImmediate(() => response.destroy())
    })
    const response = await send('http://far.example/')
    await expect(response.text()).rejects.toThrow(/aborted|terminated|closed/)
  })
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
if (!hasOpenssl) console.warn('That a proxy may itself be spoken to over TLS is not tried: it needs openssl for a certificate.')

it.runIf(hasOpenssl)('a proxy with an https address is spoken to over TLS, for plain HTTP too', { timeout: 120_000 }, async (test) => {
  const folder = mkdtempSync(join(tmpdir(), 'lena-proxy-'))
  test.onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const made = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost'
  execFileSync('openssl', [...made.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const asked: unknown[] = []
  const proxy = https.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    asked.push(request.url)
    response.writeHead(403, { 'content-type': 'text/plain' }).end('not here')
  })
  const port = await portOf(proxy)
  const servers = { mcpServers: { far: { url: 'http://far.example/mcp', type: 'http' } } }
  const { code, stdout } = await lena(test, ['mcp', 'test', '--mcp-config', JSON.stringify(servers)], {
    env: { HTTP_PROXY: `https://localhost:${port}`, NODE_EXTRA_CA_CERTS: cert, NO_PROXY: '', no_proxy: '' },
  })
  expect([code, stdout]).toEqual([1, expect.stringContaining('(HTTP 403)') as string])
  expect(new Set(asked)).toEqual(new Set(['http://far.example/mcp']))
})
