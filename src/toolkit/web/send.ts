import type { Agent, ClientRequest, IncomingMessage, RequestOptions, request as httpRequest } from 'node:http'
import type { LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'
import { onAbort, reasonOf } from '../../util/abort.ts'
import { bytesOf } from './addresses.ts'
import { proxyAuthorization } from './proxy.ts'

export type WebRequest = {
  readonly url: URL
  readonly method?: 'GET' | 'POST' | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** The connection goes to one of these, whatever the name leads to by now. Without them the name is looked up. */
  readonly addresses?: readonly string[] | undefined
  readonly proxy?: URL | undefined
  readonly signal: AbortSignal
}

/** Sends one request and gives the answer, its body still to be read. Redirects are not followed; the connection is not kept. */
export async function send({ url, method = 'GET', headers, body, addresses = [], proxy, signal }: WebRequest): Promise<IncomingMessage> {
  const all = {
    ...headers,
    host: url.host,
    connection: 'close',
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
  }
  if (!proxy) {
    const lookup = addresses.length > 0 && { lookup: pinnedTo(addresses) }
    const { request, agent } = await clientFor(url)
    return await exchange(request, url, { method, headers: all, agent, ...lookup }, body, signal)
  }
  const client = await clientFor(proxy)
  if (url.protocol === 'http:') {
    const path = `${url.origin}${url.pathname}${url.search}`
    return await exchange(
      client.request,
      proxy,
      { method, path, headers: { ...all, ...proxyAuthorization(proxy) }, agent: client.agent },
      body,
      signal,
    )
  }
  const socket = await tunnel(client, proxy, url, signal)
  const { connect } = await import('node:tls')
  const servername = bytesOf(url.hostname) ? '' : url.hostname
  const secure = connect({ socket, host: url.hostname.replace(/^\[(.*)\]$/, '$1'), servername, ALPNProtocols: ['http/1.1'] })
  const { request } = await import('node:http')
  return await exchange(request, url, { protocol: 'http:', method, headers: all, createConnection: () => secure }, body, signal)
}

type Client = { readonly request: typeof httpRequest; readonly agent: Agent }

/** With an agent of its own: the one that all of the program shares may be somebody's who sends requests elsewhere. */
async function clientFor({ protocol }: URL): Promise<Client> {
  const { request, Agent } = protocol === 'https:' ? await import('node:https') : await import('node:http')
  return { request, agent: new Agent({ keepAlive: false }) }
}

const familyOf = (address: string): 4 | 6 => (address.includes(':') ? 6 : 4)

const pinnedTo =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, callback) => {
    const found = addresses.map((address) => ({ address, family: familyOf(address) }))
    if (options.all) callback(null, found)
    else callback(null, found[0]!.address, found[0]!.family)
  }

function exchange(
  request: typeof httpRequest,
  url: URL,
  options: RequestOptions,
  body: string | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(reasonOf(signal))
    const sent: ClientRequest = request(url, options)
    const off = onAbort(signal, () => sent.destroy(reasonOf(signal)))
    sent.once('close', off)
    sent.once('response', resolve)
    sent.once('error', reject)
    sent.end(body)
  })
}

/** A way through the proxy to the host, on which the connection is then made secure. */
function tunnel({ request, agent }: Client, proxy: URL, url: URL, signal: AbortSignal): Promise<Duplex> {
  const target = `${url.hostname}:${url.port || 443}`
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(reasonOf(signal))
    const headers = { host: target, ...proxyAuthorization(proxy) }
    const sent = request(proxy, { method: 'CONNECT', path: target, headers, agent })
    const off = onAbort(signal, () => sent.destroy(reasonOf(signal)))
    sent.once('close', off)
    // Whatever the proxy answers comes here, also where it does not know CONNECT.
    sent.once('connect', ({ statusCode = 0 }: IncomingMessage, socket: Duplex, head: Buffer) => {
      off()
      if (head.length > 0) socket.unshift(head)
      if (statusCode === 200) return resolve(socket)
      socket.destroy()
      reject(new Error(`The proxy ${proxy.host} answered ${statusCode} when it was asked for a way to ${target}.`))
    })
    sent.once('error', reject)
    sent.end()
  })
}
