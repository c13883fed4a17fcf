import { bareHost } from './web-url.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The proxy that the environment names for this address: `https_proxy` or `http_proxy` by its scheme, else `all_proxy`, in small or capital
 * letters; none for this computer itself, nor for hosts of `no_proxy`.
 *
 * @throws {Error} for a proxy of a kind that is not known.
 */
export function proxyFor(url: URL, env: Environment): URL | undefined {
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const given = valueOf(env, name) ?? valueOf(env, 'all_proxy')
  if (given === undefined || isExempt(url, valueOf(env, 'no_proxy') ?? '')) return undefined
  const written = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`
  const proxy = URL.canParse(written) ? new URL(written) : undefined
  if (!proxy || (proxy.protocol !== 'http:' && proxy.protocol !== 'https:'))
    throw new Error(`The variable ${name} must name a proxy such as http://proxy.example:3128; others than http: and https: are not known.`)
  return proxy
}

/** Small letters go first, as in other programs. */
function valueOf(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || env[name.toUpperCase()]?.trim() || undefined
}

/** Names in the list stand for what is below them, too: `example.com` for `www.example.com`, never for `badexample.com`. */
function isExempt(url: URL, list: string): boolean {
  const host = bareHost(url)
  if (/^(localhost|127(\.\d+){3}|::1)$/.test(host)) return true
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true
      const [, name = '', wantedPort] = /^\*?\.?(\[.*\]|[^:]*|[^[\]]*:[^[\]]*:[^[\]]*)(?::(\d+))?$/.exec(entry) ?? []
      const bare = name.replace(/^\[(.*)\]$/, '$1')
      if (bare === '' || (wantedPort !== undefined && wantedPort !== port)) return false
      return host === bare || host.endsWith(`.${bare}`)
    })
}

/** The header with the name and the password of a proxy, if it has any. */
export function proxyAuthorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}
