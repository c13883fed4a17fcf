import type { Server } from 'node:http'
import { onAbort, reasonOf } from '../util/abort.ts'

/** A page of this computer to which a browser comes back from a login. */
export interface RedirectListener {
  readonly url: string
  /** The query it came with. */
  response(signal: AbortSignal): Promise<URLSearchParams>
  close(): void
}

const path = '/callback'
const base = 'http://127.0.0.1'

/**
 * Listens on 127.0.0.1 alone. Only a response that carries the `state` of the login that was begun counts: any page may send a
 * browser here.
 *
 * @param port 0 for any that is free.
 */
export async function listenForRedirect(port: number, isState: (state: string | null) => boolean): Promise<RedirectListener> {
  const { createServer } = await import('node:http')
  let arrive: (response: URLSearchParams) => void = () => {}
  const arrived = new Promise<URLSearchParams>((resolve) => (arrive = resolve))
  const server: Server = createServer((request, answer) => {
    const asked = request.url ?? '/'
    // Anything may knock here, and what is no address must not end the process.
    const { pathname, searchParams } = new URL(URL.canParse(asked, base) ? asked : '/', base)
    const isOurs = request.method === 'GET' && pathname === path && isState(searchParams.get('state'))
    answer.writeHead(isOurs ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
    answer.end(isOurs ? 'Logged in. You can close this page and go back.\n' : 'Not found.\n')
    if (isOurs) arrive(searchParams)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The listener for the login has no address.')
  return {
    url: `${base}:${address.port}${path}`,
    response: (signal) =>
      new Promise((resolve, reject) => {
        const off = onAbort(signal, () => reject(reasonOf(signal)))
        void arrived.then((response) => {
          off()
          resolve(response)
        })
      }),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
