import type { StreamableHTTPClientTransport, Transport } from '@modelcontextprotocol/client'
import type { Clock } from '../util/clock.ts'
import type { McpAddress, McpClientOptions, McpProgram } from './options.ts'
import { ProcessTransport } from './process-transport.ts'
import type { ClientSdk } from './sdk.ts'
import { sharedRefresh } from './shared-refresh.ts'
import { tapTransport } from './tap-transport.ts'
import type { RequestListener } from './tap-transport.ts'

/** A way to the server, not yet tried. `legacy`: it is greeted as of old at once. */
export type Way = { readonly transport: Transport; readonly legacy: boolean; readonly progress: ProgressListeners }
export type ProgressListeners = Map<string | number, RequestListener>

export type WayOptions = {
  readonly options: McpClientOptions
  readonly sdk: ClientSdk
  readonly clock: Clock
  readonly onBadTool: (said: string) => void
}

/**
 * The ways to the server, in the order in which they are tried: a program, and the same one greeted as of old; an address over
 * streamable HTTP, and over its predecessor.
 */
export function waysTo({ options, sdk, clock, onBadTool }: WayOptions): readonly (() => Way)[] {
  const wayOver = (transport: Transport, legacy: boolean): Way => {
    const progress: ProgressListeners = new Map()
    return { transport: tapTransport(transport, { sdk, onBadTool, progress }), legacy, progress }
  }
  if ('url' in options && options.url !== undefined) {
    const http = (): Way => wayOver(httpTransport(options, sdk), false)
    const sse = (): Way => wayOver(sseTransport(options, sdk), true)
    return options.transport === 'sse' ? [sse] : options.transport === 'http' ? [http] : [http, sse]
  }
  const program = (legacy: boolean) => (): Way => wayOver(new ProcessTransport(options as McpProgram, clock), legacy)
  return options.protocolVersion === undefined ? [program(false), program(true)] : [program(false)]
}

function httpTransport(address: McpAddress, sdk: ClientSdk): StreamableHTTPClientTransport {
  const { url, headers, auth } = address
  const fetch = fetchOf(address)
  return new sdk.StreamableHTTPClientTransport(new URL(url), {
    ...(headers && { requestInit: { headers: { ...headers } } }),
    ...(auth && { authProvider: auth }),
    ...(fetch && { fetch }),
  })
}

function sseTransport(address: McpAddress, sdk: ClientSdk): Transport {
  const { url, headers, auth } = address
  const fetch = fetchOf(address)
  const transport = new sdk.SSEClientTransport(new URL(url), {
    ...(headers && { requestInit: { headers: { ...headers } } }),
    ...(auth && { authProvider: auth }),
    // The stream itself is asked for by another function, which knows nothing of `requestInit`.
    ...(headers && {
      eventSourceInit: {
        fetch: (address: string | URL, init?: RequestInit) => {
          const all = new Headers(headers)
          new Headers(init?.headers).forEach((value, key) => all.set(key, value))
          return (fetch ?? globalThis.fetch)(address, { ...init, headers: all })
        },
      },
    }),
    ...(fetch && { fetch }),
  })
  // The library would open another stream, which is a session that nobody has greeted, and what is under way would wait for its time limit.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no event target
  transport.onerror = (error) => {
    // Only then is there a timer to clear.
    if (error instanceof sdk.SseError) queueMicrotask(() => void transport.close())
  }
  return transport
}

const fetchOf = ({ auth, fetch }: McpAddress): typeof globalThis.fetch | undefined =>
  auth ? sharedRefresh(auth, fetch ?? globalThis.fetch) : fetch
