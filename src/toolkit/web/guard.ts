import { reasonOf, settleOrAbort } from '../../util/abort.ts'
import { bytesOf, isPublicAddress } from './addresses.ts'
import { bareHost, isLocalName } from './web-url.ts'

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** `true`: every host. Else the hosts, as `localhost`, `10.0.0.5:8080` or `wiki.internal`; without a port any port. */
export type AllowedHosts = boolean | readonly string[]

export type GuardOptions = {
  readonly allowPrivate: AllowedHosts
  readonly resolve: Resolve
  /** A proxy looks the name up: then the name alone is judged. */
  readonly byProxy: boolean
  readonly signal: AbortSignal
}

/**
 * Where a connection for this address may go: the addresses of its host, each of them looked at. The connection has to be made to
 * one of these, for the name may lead elsewhere a moment later. None for a proxy, which looks the name up itself.
 *
 * @throws {Error} that says why it may not.
 */
export async function placesFor(url: URL, { allowPrivate, resolve, byProxy, signal }: GuardOptions): Promise<readonly string[]> {
  const host = bareHost(url)
  const mayBePrivate = isAllowed(url, allowPrivate)
  const literal = bytesOf(host) !== undefined
  if (!mayBePrivate && (literal ? !isPublicAddress(host) : isLocalName(host)))
    throw refusal(url, literal ? 'It is no public address.' : 'It is a name of the local network.')
  if (byProxy) return []
  const addresses = literal ? [host] : await resolved(host, resolve, signal)
  const closed = addresses.find((address) => !isPublicAddress(address))
  if (closed !== undefined && !mayBePrivate) throw refusal(url, `Its name leads to ${closed}, which is no public address.`)
  return addresses
}

async function resolved(host: string, resolve: Resolve, signal: AbortSignal): Promise<readonly string[]> {
  const settled = await settleOrAbort(
    Promise.resolve().then(() => resolve(host)),
    signal,
  )
  if (!settled) throw reasonOf(signal)
  if (!settled.ok || settled.value.length === 0)
    throw new Error(`The host ${host} was not found (${settled.ok ? 'no address' : codeOf(settled.error)}). Is the name right?`)
  return settled.value
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException)?.code ?? String(error)

const refusal = (url: URL, why: string): Error =>
  new Error(`${url.host} was not asked: only hosts of the public network are. ${why} Ask the user to look there, or to allow this host.`)

const isAllowed = (url: URL, allowed: AllowedHosts): boolean =>
  typeof allowed === 'boolean'
    ? allowed
    : allowed.some((entry) => {
        const wanted = entry.toLowerCase()
        return wanted === bareHost(url) || wanted === url.host || wanted === url.hostname
      })

/** As the system looks names up, hosts files included. */
export async function systemResolve(host: string): Promise<readonly string[]> {
  const { lookup } = await import('node:dns/promises')
  return (await lookup(host, { all: true })).map(({ address }) => address)
}
