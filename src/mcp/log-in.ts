import type { StreamableHTTPClientTransport, Transport } from '@modelcontextprotocol/client'
import { childController, notNeeded } from '../util/abort.ts'
import type { Clock } from '../util/clock.ts'
import { orAborted } from './or-aborted.ts'
import type { McpClientOptions } from './options.ts'

export type LoginOptions = { readonly options: McpClientOptions; readonly clock: Clock; readonly signal: AbortSignal }

/** How long a person may take to log in. */
const loginMs = 300_000

/** Waits for the login that a request over this transport began, and finishes it. False: nobody can. */
export async function logIn({ options, signal, clock }: LoginOptions, transport: Transport): Promise<boolean> {
  const auth = 'url' in options ? options.auth : undefined
  if (!auth?.authorizationResponse || !('finishAuth' in transport)) return false
  const { controller, release } = childController(signal)
  const timer = new AbortController()
  void clock.sleep(loginMs, timer.signal).then(() => {
    if (!timer.signal.aborted) controller.abort(new Error(`nobody logged in within ${loginMs / 60_000} minutes`))
  })
  try {
    const response = await orAborted(auth.authorizationResponse({ signal: controller.signal }), controller.signal)
    await orAborted((transport as StreamableHTTPClientTransport).finishAuth(response), controller.signal)
    return true
  } finally {
    timer.abort(notNeeded)
    release()
  }
}
