import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { proxyFor, useProxies } from '../../src/cli/proxy.ts'
import { UsageError } from '../../src/cli/usage-error.ts'
import { lena, start } from '../terminal/support/lena.ts'

vi.setConfig({ testTimeout: 60_000 })

describe('proxyFor', () => {
  const env = {
    HTTPS_PROXY: 'http://secure.example:1',
    http_proxy: 'plain.example:2',
    NO_PROXY: 'internal.example, .corp.example,*.odd.example,exact.example:8080',
  }
  it.each<['http' | 'https', string, Record<string, string>, string | undefined]>([
    ['https', 'api.example', env, 'http://secure.example:1/'],
    ['http', 'api.example', env, 'http://plain.example:2/'],
    ['https', 'internal.example', env, undefined],
    ['https', 'deep.internal.example', env, undefined],
    ['https', 'notinternal.example', env, 'http://secure.example:1/'],
    ['https', 'a.corp.example', env, undefined],
    ['https', 'a.odd.example', env, undefined],
    ['http', 'exact.example', env, undefined],
    ['http', 'localhost', env, undefined],
    ['http', '127.0.0.1', env, undefined],
    ['http', '::1', env, undefined],
    ['https', 'api.example', { ALL_PROXY: 'http://all.example' }, 'http://all.example/'],
    ['https', 'api.example', { ...env, NO_PROXY: '*' }, undefined],
    ['https', 'api.example', { HTTPS_PROXY: ' ' }, undefined],
    ['https', 'api.example', {}, undefined],
  ])('%s://%s', (scheme, host, variables, expected) => expect(proxyFor(scheme, host, variables)?.href).toBe(expected))

  const ported = { ALL_PROXY: 'http://all.example', NO_PROXY: 'a.example:8080,[::2]:80,::3,.b.example:443' }
  it.each<[string, number, boolean]>([
    ['a.example', 8080, true],
    ['a.example', 80, false],
    ['x.b.example', 443, true],
    ['x.b.example', 80, false],
    ['[::2]', 80, true],
    ['::2', 81, false],
    ['::3', 81, true],
    ['[::1]', 81, true],
  ])('goes by the port of an entry of NO_PROXY: %s:%d', (host, port, isDirect) =>
    expect(proxyFor('http', host, ported, port) === undefined).toBe(isDirect),
  )

  it('refuses what is none, and does not say what came', () => {
    expect(() => proxyFor('https', 'api.example', { HTTPS_PROXY: 'socks5://me:secret@proxy.example' })).toThrow(
      new UsageError('HTTPS_PROXY must be the address of a proxy, such as http://proxy.example:3128.'),
    )
  })
})

const servers: Server[] = []
const sockets = new Set<Socket>()
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
  for (const socket of sockets) socket.destroy()
  sockets.clear()
})

async function listening(server: Server): Promise<number> {
  servers.push(server)
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

type Seen = { readonly method: string; readonly target: string; readonly authorization: string | undefined }

/** A proxy that opens a way to a port of this machine, whatever host is asked for; without one it refuses. */
async function tunnel(to: number | undefined, seen: Seen[]): Promise<number> {
  const proxy = http.createServer()
  proxy.on('connect', (request, socket, head) => {
    seen.push({ method: 'CONNECT', target: request.url!, authorization: request.headers['proxy-authorization'] })
    if (to === undefined) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const through = connect(to, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      through.write(head)
      through.pipe(socket).pipe(through)
    })
    sockets.add(through)
    for (const each of [through, socket]) each.on('error', () => {})
  })
  return await listening(proxy)
}

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
if (!hasOpenssl) console.warn('That a proxy is gone through to the end is not tried: it needs openssl for a certificate.')

it('plain HTTP is said to the proxy with the whole address, and to this machine without it', async () => {
  const asked: unknown[] = []
  const answering = (request: http.IncomingMessage, response: http.ServerResponse): void => {
    asked.push([request.url, request.headers.host, request.headers['proxy-authorization']])
    response.end('here')
  }
  const [proxy, own] = [await listening(http.createServer(answering)), await listening(http.createServer(answering))]
  const before = [http.globalAgent, https.globalAgent] as const
  const get = (url: string): Promise<void> =>
    new Promise((resolve, reject) => http.get(url, (answer) => answer.resume().on('end', resolve)).on('error', reject))
  try {
    useProxies({ HTTP_PROXY: `http://me:pass@127.0.0.1:${proxy}` })
    await get('http://models.example:8080/v1?x=1')
    await get(`http://127.0.0.1:${own}/direct`)
  } finally {
    http.globalAgent.destroy()
    ;[http.globalAgent, https.globalAgent] = before
  }
  expect(asked).toEqual([
    ['http://models.example:8080/v1?x=1', 'models.example:8080', `Basic ${Buffer.from('me:pass').toString('base64')}`],
    ['/direct', `127.0.0.1:${own}`, undefined],
  ])
})

describe('a model behind a proxy', () => {
  it.runIf(hasOpenssl)('is reached through its tunnel, and sees what is said; the proxy does not', async (test) => {
    const folder = mkdtempSync(join(tmpdir(), 'lena-proxy-'))
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-keyout',
        key,
        '-out',
        cert,
        '-days',
        '2',
        '-subj',
        '/CN=api.openai.com',
        '-addext',
        'subjectAltName=DNS:api.openai.com',
      ],
      { stdio: 'ignore' },
    )
    const asked: unknown[] = []
    const model = https.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
      asked.push([request.method, request.headers.host, request.headers.authorization])
      request
        .resume()
        .on('end', () => response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"not this key"}}'))
    })
    const seen: Seen[] = []
    const proxy = await tunnel(await listening(model), seen)
    const { code, stderr } = await lena(test, ['-p', '--model', 'openai/gpt-5.4-mini', 'hello'], {
      env: {
        HTTPS_PROXY: `http://me:pass@127.0.0.1:${proxy}`,
        OPENAI_API_KEY: 'a-key',
        NODE_EXTRA_CA_CERTS: cert,
        NO_PROXY: '',
        no_proxy: '',
      },
    })
    expect({ code, said: stderr.includes('not this key'), asked, seen }).toEqual({
      code: 1,
      said: true,
      asked: [['POST', 'api.openai.com', 'Bearer a-key']],
      seen: [{ method: 'CONNECT', target: 'api.openai.com:443', authorization: `Basic ${Buffer.from('me:pass').toString('base64')}` }],
    })
  })

  it('is asked again when the proxy refuses', async (test) => {
    const seen: Seen[] = []
    const proxy = await tunnel(undefined, seen)
    const started = start(test, ['-p', '--model', 'openai/gpt-5.4-mini', 'hello'], {
      env: { https_proxy: `http://127.0.0.1:${proxy}`, OPENAI_API_KEY: 'a-key', NO_PROXY: '', no_proxy: '' },
    })
    await started.shows('(network)')
    started.child.kill('SIGINT')
    expect({ code: (await started.ended).code, first: seen[0] }).toEqual({
      code: 130,
      first: { method: 'CONNECT', target: 'api.openai.com:443', authorization: undefined },
    })
  })
})
