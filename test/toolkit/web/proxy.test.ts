import http, { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { webFetch } from '../../../src/toolkit/index.ts'
import { proxyAuthorization, proxyFor } from '../../../src/toolkit/web/proxy.ts'
import { failureOf } from '../support/workspace.ts'
import { fetcher, siteWith, within } from './support/site.ts'

describe('which proxy', () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    ['http://a.example/', { http_proxy: 'http://p.example:1' }, 'http://p.example:1/'],
    ['http://a.example/', { HTTP_PROXY: 'p.example:1' }, 'http://p.example:1/'],
    ['http://a.example/', { https_proxy: 'http://p.example:1' }, undefined],
    ['https://a.example/', { HTTPS_PROXY: 'https://p.example' }, 'https://p.example/'],
    ['https://a.example/', { https_proxy: 'http://small.example', HTTPS_PROXY: 'http://large.example' }, 'http://small.example/'],
    ['https://a.example/', { HTTPS_PROXY: ' ' }, undefined],
    ...(
      [
        ['*', true],
        ['a.example', true],
        ['.a.example', true],
        ['example', true],
        ['*.example', true],
        ['A.EXAMPLE', true],
        ['x.example, a.example', true],
        ['x.example a.example', true],
        ['a.example:443', true],
        ['a.example:8443', false],
        ['b.a.example', false],
        ['aa.example', false],
        ['ample', false],
        ['', false],
      ] as const
    ).map(
      ([list, isExempt]) =>
        ['https://a.example/', { https_proxy: 'http://p.example', no_proxy: list }, isExempt ? undefined : 'http://p.example/'] as [
          string,
          Record<string, string>,
          string | undefined,
        ],
    ),
    ['http://[::2]:8080/', { http_proxy: 'http://p.example', NO_PROXY: '[::2]' }, undefined],
    ['https://a.example/', { ALL_PROXY: 'http://all.example', http_proxy: 'http://p.example' }, 'http://all.example/'],
    ['http://localhost:3000/', { http_proxy: 'http://p.example' }, undefined],
    ['http://127.0.0.1/', { http_proxy: 'http://p.example' }, undefined],
    ['http://[::1]/', { all_proxy: 'http://p.example' }, undefined],
    // Only begins so.
    ['http://localhost.example/', { http_proxy: 'http://p.example' }, 'http://p.example/'],
    ['http://127.0.0.1.example/', { http_proxy: 'http://p.example' }, 'http://p.example/'],
    ['http://[::2]:8080/', { http_proxy: 'http://p.example', NO_PROXY: '::2' }, undefined],
    ['http://10.0.0.1:8080/', { http_proxy: 'http://p.example', NO_PROXY: '10.0.0.1:8080' }, undefined],
  ])('%s with %j: %s', (url, env, proxy) => {
    expect(proxyFor(new URL(url), env)?.href).toBe(proxy)
  })

  test('one of a kind that is not known is an error', () => {
    expect(() => proxyFor(new URL('http://a.example/'), { http_proxy: 'socks5://p.example' })).toThrow(
      'The variable http_proxy must name a proxy such as http://proxy.example:3128; others than http: and https: are not known.',
    )
  })
})

/** `web_fetch` with the proxies of the environment, which are on this computer. */
const through = (port: number, resolve = async (): Promise<readonly string[]> => Promise.reject(new Error('not to be looked up'))) =>
  webFetch({ env: { http_proxy: `http://me:s%20t@127.0.0.1:${port}`, https_proxy: `http://127.0.0.1:${port}` }, web: { resolve } })

test.each([
  ['http://p.example', {}],
  ['http://me@p.example', { 'proxy-authorization': `Basic ${btoa('me:')}` }],
  ['http://:word@p.example', { 'proxy-authorization': `Basic ${btoa(':word')}` }],
  ['http://m%40e:w%3Ard@p.example', { 'proxy-authorization': `Basic ${btoa('m@e:w:rd')}` }],
])('the name and the password in %s', (proxy, header) => {
  expect(proxyAuthorization(new URL(proxy))).toEqual(header)
})

test('a page by http goes through it whole; the proxy looks the name up', async () => {
  let authorization: string | undefined
  const { port, seen } = await siteWith((request, answer) => {
    authorization = request.headers['proxy-authorization']
    answer.writeHead(200, { 'content-type': 'text/plain' }).end('by proxy')
  })
  expect(within(await through(port)({ url: 'http://site.example/a?b' })).text).toBe('by proxy')
  expect({ seen, authorization }).toEqual({
    seen: ['GET site.example http://site.example/a?b'],
    authorization: `Basic ${Buffer.from('me:s t').toString('base64')}`,
  })
})

test.each([
  'http://127.0.0.1/',
  'http://[::ffff:10.0.0.1]/',
  'http://0x7f.1/',
  'http://localhost/',
  'http://printer.local/',
  'https://169.254.169.254/',
])('%s is not asked for through it either', async (url) => {
  const { port, seen } = await siteWith((_, answer) => answer.end('secret'))
  expect(await failureOf(through(port)({ url }))).toMatch(/was not asked: only hosts of the public network are/)
  expect(seen).toEqual([])
})

test('a redirect to such an address is not followed either', async () => {
  const { port, seen } = await siteWith((_, answer) => answer.writeHead(302, { location: 'http://site.example@127.0.0.1/' }).end())
  expect(await failureOf(through(port)({ url: 'http://site.example/' }))).toMatch(/user name or a password/)
  expect(seen).toHaveLength(1)
})

/** A proxy that knows CONNECT. */
async function connecting(onConnect: (target: string, socket: Duplex) => void): Promise<number> {
  const server = createServer()
  const sockets = new Set<Duplex>()
  server.on('connect', (request, socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onConnect(request.url ?? '', socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return (server.address() as AddressInfo).port
}

test('for https a way to the host is asked for, on which the host is spoken to by its name', async () => {
  const hello = new Promise<string>((resolve) => {
    void connecting((target, socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.once('data', (data: Buffer) => {
        resolve(`${target} ${data[0] === 0x16 && data.includes('secure.example') ? 'hello to secure.example' : 'something else'}`)
        socket.destroy()
      })
    }).then(async (port) => {
      await failureOf(through(port)({ url: 'https://secure.example/a' }))
    })
  })
  expect(await hello).toBe('secure.example:443 hello to secure.example')
})

test('what is behind the way must prove who it is', async () => {
  const port = await connecting((_, socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\nplain'))
  expect(await failureOf(through(port)({ url: 'https://secure.example/' }))).toMatch(
    /^secure\.example could not be reached through the proxy/,
  )
})

test('a way that is refused', async () => {
  const refusing = await connecting((_, socket) => void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'))
  const { port: plain } = await siteWith((_, answer) => answer.writeHead(405).end())
  expect(await failureOf(through(refusing)({ url: 'https://secure.example:8443/' }))).toBe(
    `secure.example:8443 could not be reached through the proxy 127.0.0.1:${refusing}: The proxy 127.0.0.1:${refusing} answered 403 when it was asked for a way to secure.example:8443.`,
  )
  const unknowing = await connecting((_, socket) => void socket.end('HTTP/1.1 405 Method Not Allowed\r\ncontent-length: 2\r\n\r\nno'))
  expect(await failureOf(through(unknowing)({ url: 'https://secure.example/' }))).toBe(
    `secure.example could not be reached through the proxy 127.0.0.1:${unknowing}: The proxy 127.0.0.1:${unknowing} answered 405 when it was asked for a way to secure.example:443.`,
  )
  // A server that knows no CONNECT closes the connection.
  expect(await failureOf(through(plain)({ url: 'https://secure.example/' }))).toMatch(/could not be reached through the proxy/)
})

test('what all of the program shares is not used: it may be sent elsewhere', async () => {
  const shared = http.globalAgent
  onTestFinished(() => void (http.globalAgent = shared))
  class Elsewhere extends http.Agent {
    override createConnection(): never {
      throw new Error('elsewhere')
    }
  }
  http.globalAgent = new Elsewhere()
  const { port } = await siteWith((_, answer) => answer.writeHead(200, { 'content-type': 'text/plain' }).end('here'))
  expect(within(await fetcher()({ url: `http://site.example:${port}/` })).text).toBe('here')
  expect(within(await through(port)({ url: 'http://site.example/' })).text).toBe('here')
})
