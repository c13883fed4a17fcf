import type { Readable, Writable } from 'node:stream'
import type { Server } from '@modelcontextprotocol/server'
import type { ServerSdk } from './sdk.ts'

export type StreamServing = { readonly url: undefined; close(): Promise<void> }

/**
 * Serves the client at the other end of two streams.
 *
 * @param gone called when the connection has ended without `close()`: the client has gone, or sent a line that is too long to be a message.
 */
export function serveStreams(sdk: ServerSdk, makeServer: () => Server, stdin: Readable, stdout: Writable, gone: () => void): StreamServing {
  const transport = new sdk.StdioServerTransport(stdin, stdout)
  const handle = sdk.serveStdio(makeServer, { transport })
  const told = transport.onclose
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the library's transport is no event target
  transport.onclose = () => {
    told?.()
    gone()
  }
  return { url: undefined, close: () => handle.close() }
}
