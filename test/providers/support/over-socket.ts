import type { ServerResponse } from 'node:http'
import { nodeHttpFetch } from '../../../src/providers/wire/node-http.ts'
import type { StreamServer } from './stream-server.ts'

/** In the long run (`EVERY_CUT`) pieces travel over a real connection; in the short one a stream in memory gives the same bytes. */
export const travels = (): boolean => Boolean(process.env['EVERY_CUT'])

/**
 * A `fetch` whose answer comes from the server in these pieces, each written by itself.
 *
 * @param send what a provider sends with when it is given nothing.
 */
export function overSocket(
  server: StreamServer,
  bytes: Uint8Array,
  lengths: readonly number[],
  contentType = 'text/event-stream',
  send = nodeHttpFetch as unknown as typeof globalThis.fetch,
): typeof globalThis.fetch {
  server.handle = (_request, response) => void write(response, bytes, lengths, contentType)
  return (_url, init) => send(server.baseURL, init)
}

async function write(response: ServerResponse, bytes: Uint8Array, lengths: readonly number[], contentType: string): Promise<void> {
  response.writeHead(200, { 'content-type': contentType })
  let from = 0
  for (const [index, length] of lengths.entries()) {
    // Each piece is a chunk of its own on the wire, and comes as one, also when several go out together.
    response.write(bytes.subarray(from, (from += length)))
    if (index % 64 === 0) await new Promise((resolve) => setImmediate(resolve))
    if (response.destroyed) return
  }
  response.end()
}
