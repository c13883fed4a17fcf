import http from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import type { ConnectionOptions } from 'node:tls'
import type { Environment } from './io.ts'
import { UsageError } from './usage-error.ts'

const valueOf = (env: Environment, name: string): string | undefined => env[name.toLowerCase()]?.trim() || env[name]?.trim() || undefined

/**
 * The proxy for a host: `HTTPS_PROXY` or `HTTP_PROXY` by the scheme, else `ALL_PROXY`, in capital or small letters; none for this machine
 * itself, nor for hosts of `NO_PROXY`.
 *
 * @param port where it is asked for; an entry of `NO_PROXY` with another port is not about it. Default: any.
 * @throws {UsageError} for a proxy that is no http or https address.
 */
export function proxyFor(scheme: 'http' | 'https', host: string, env: Environment, port?: number): URL | undefined {
  const name = scheme === 'https' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const given = valueOf(env, name) ?? valueOf(env, 'ALL_PROXY')
  const bare = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  if (given === undefined || isDirect(bare, port, valueOf(env, 'NO_PROXY') ?? '')) return undefined
  const written = given.includes('://') ? given : `http://${given}`
  const proxy = URL.canParse(written) ? new URL(written) : undefined
  // It may hold a password, so it is not said what came.
  if (proxy?.protocol !== 'http:' && proxy?.protocol !== 'https:')
    throw new UsageError(`${name} must be the address of a proxy, such as http://proxy.example:3128.`)
  return proxy
}

/** An entry is a host, with what is below it, and may have a port: `corp.example`, `.corp.example:8080`, `[::1]:80`, `::1`. */
const isDirect = (host: string, port: number | undefined, list: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host) ||
  list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      // An IPv6 address without brackets has no port.
      const written = entry.split(':').length > 2 && !entry.startsWith('[') ? `[${entry}]` : entry
      const [, name = '', wanted] = /^(?:\*?\.)?(\[.*\]|[^:]*)(?::(\d+))?$/.exec(written) ?? []
      if (wanted !== undefined && port !== undefined && Number(wanted) !== port) return false
      const bare = name.replace(/^\[(.*)\]$/, '$1')
      return bare !== '' && (bare === '*' || host === bare || host.endsWith(`.${bare}`))
    })

/** The agents that go through the proxies that an environment names. */
export type ProxyAgents = { readonly http: http.Agent; readonly https: https.Agent }

const made = new WeakMap<Environment, ProxyAgents>()

/** One pair for an environment; `undefined` where it names no proxy. */
export function proxyAgents(env: Environment): ProxyAgents | undefined {
  if (!['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'].some((name) => valueOf(env, name) !== undefined)) return undefined
  const options = { keepAlive: true, scheduling: 'lifo', timeout: 5000 } as const
  const agents = made.get(env) ?? { https: new TunnelAgent(env, options), http: new ForwardAgent(env, options) }
  made.set(env, agents)
  return agents
}

/**
 * Sends what this process asks over HTTP through the proxies that the environment names. Node does not do so by itself; its `fetch`
 * is left as it is.
 */
export function useProxies(env: Environment): void {
  const agents = proxyAgents(env)
  if (!agents) return
  https.globalAgent = agents.https
  http.globalAgent = agents.http
}

/** Why a proxy could not be spoken to. It keeps the code, by which others tell whether to try again. */
export function unreachable(proxy: URL, error: Error): Error {
  const { code } = error as NodeJS.ErrnoException
  const why = new Error(`the proxy ${proxy.host} cannot be reached: ${error.message || code}`, { cause: error })
  return code === undefined ? why : Object.assign(why, { code })
}

type Destination = {
  readonly host?: string | null | undefined
  readonly port?: number | string | null | undefined
  readonly path?: string | null | undefined
}
/** As Node's agents say that there is a connection, or why there is none. */
type Connected = (error: Error | null, socket: Duplex) => void

const authorization = ({ username, password }: URL): Readonly<Record<string, string>> =>
  username === '' && password === ''
    ? {}
    : {
        'proxy-authorization': `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`,
      }

/** How long a proxy may take to open a way through. */
const connectMs = 30_000

/** HTTPS goes through a tunnel that the proxy opens: it sees the host, and nothing of what is said. */
class TunnelAgent extends https.Agent {
  readonly #env: Environment

  constructor(env: Environment, options: https.AgentOptions) {
    super(options)
    this.#env = env
  }

  override createConnection(options: https.RequestOptions, done?: Connected): Duplex | null | undefined {
    const host = options.host ?? 'localhost'
    try {
      const proxy = proxyFor('https', host, this.#env, Number(options.port ?? 443))
      if (!proxy) return super.createConnection(options, done)
      tunnelThrough(proxy, `${host.includes(':') ? `[${host}]` : host}:${Number(options.port ?? 443)}`, (error, socket) =>
        // Without an error there is a socket.
        error
          ? done?.(error, undefined!)
          : done?.(null, connectTls({ ...options, socket, servername: options.servername ?? host } as ConnectionOptions)),
      )
    } catch (error) {
      done?.(error as Error, undefined!)
    }
    return undefined
  }
}

function tunnelThrough(proxy: URL, target: string, tell: (error: Error | undefined, socket?: Socket) => void): void {
  let isTold = false
  const done: typeof tell = (error, socket) => {
    if (!isTold) tell(error, socket)
    isTold = true
  }
  const isSecure = proxy.protocol === 'https:'
  const asked = (isSecure ? https : http).request({
    host: hostOf(proxy),
    port: proxy.port || (isSecure ? 443 : 80),
    method: 'CONNECT',
    path: target,
    headers: { host: target, ...authorization(proxy) },
    // Not through the proxy once more.
    agent: isSecure ? new https.Agent() : new http.Agent(),
    timeout: connectMs,
  })
  const refused = ({ statusCode, statusMessage }: IncomingMessage): Error =>
    new Error(`the proxy ${proxy.host} refused the connection to ${target}: ${statusCode} ${statusMessage}`)
  asked.once('timeout', () => {
    done(new Error(`the proxy ${proxy.host} did not answer within ${connectMs / 1000} s`))
    asked.destroy()
  })
  asked.on('error', (error) => done(unreachable(proxy, error)))
  asked.once('response', (answer) => {
    answer.destroy()
    done(refused(answer))
  })
  asked.once('connect', (answer, socket) => {
    if (answer.statusCode === 200) {
      socket.setTimeout(0)
      return done(undefined, socket)
    }
    socket.destroy()
    done(refused(answer))
  })
  asked.end()
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

/** Plain HTTP is said to the proxy itself, with the whole address. */
class ForwardAgent extends http.Agent {
  readonly #env: Environment

  constructor(env: Environment, options: http.AgentOptions) {
    super(options)
    this.#env = env
  }

  // Not in the types of Node, and in its documentation for those who write agents.
  addRequest(request: ClientRequest, options: Destination): void {
    const add = (http.Agent.prototype as unknown as { addRequest(request: ClientRequest, options: object): void }).addRequest.bind(this)
    const [host, port] = [options.host ?? 'localhost', Number(options.port ?? 80)]
    const proxy = proxyFor('http', host, this.#env, port)
    if (!proxy) return add(request, options)
    request.path = `http://${host.includes(':') ? `[${host}]` : host}${port === 80 ? '' : `:${port}`}${request.path}`
    for (const [name, value] of Object.entries(authorization(proxy))) request.setHeader(name, value)
    const isSecure = proxy.protocol === 'https:'
    add(request, { ...options, host: hostOf(proxy), port: Number(proxy.port || (isSecure ? 443 : 80)), path: request.path, isSecure })
  }

  override createConnection(
    options: http.ClientRequestArgs & { readonly isSecure?: boolean },
    done?: Connected,
  ): Duplex | null | undefined {
    if (!options.isSecure) return super.createConnection(options, done)
    const host = options.host ?? 'localhost'
    return connectTls({ ...options, ...(isIP(host) === 0 && { servername: host }) } as ConnectionOptions)
  }
}
