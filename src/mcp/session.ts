import type { Client } from '@modelcontextprotocol/client'
import type { ClientSdk } from './sdk.ts'
import type { RequestListener } from './tap-transport.ts'

/** One connection to a server, from the first request to its end. */
export interface Session {
  readonly sdk: ClientSdk
  readonly client: Client
  /** Fires when the connection has ended; the reason is an `McpError`. */
  readonly ended: AbortSignal
  /** Finishes a login that the last request began, if somebody can; false when not. */
  logIn(signal: AbortSignal): Promise<boolean>
  /** Does the server know this connection by an id? */
  hasId(): boolean
  /** Listens to how a request goes that is sent with this token. */
  listen(listener: RequestListener): { readonly token: string; stop(): void }
  close(): Promise<void>
}
