import type { StreamableHTTPClientTransport, Transport } from '@modelcontextprotocol/client'
import type { Clock } from '../util/clock.ts'
import type { McpClientOptions } from './options.ts'
import { within } from './within.ts'

export type LoginOptions = { readonly options: McpClientOptions; readonly clock: Clock; readonly signal: AbortSignal }

/** How long a person may take to log in. */
const loginMs = 300_000

/** Waits for the login that a request over this transport began, and finishes it. False: nobody can. */
export async function logIn({ options, signal, clock }: LoginOptions, transport: Transport): Promise<boolean> {
  const auth = 'url' in options ? options.auth : undefined
  if (!auth?.authorizationResponse || !('finishAuth' in transport)) return false
  const late = (): Error => new Error(`nobody logged in within ${loginMs / 60_000} minutes`)
  await within({ ms: loginMs, clock, signal, late }, async (until) => {
    const response = await auth.authorizationResponse!({ signal: until })
    // Who gave up meanwhile gets no token.
    if (!until.aborted) await (transport as StreamableHTTPClientTransport).finishAuth(response)
  })
  return true
}
