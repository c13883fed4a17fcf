import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server as HttpServer } from 'node:http'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import type { Server } from '@modelcontextprotocol/server'
import { settle } from '../util/abort.ts'
import type { ServerSdk } from './sdk.ts'

export type HttpServing = { readonly url: string; close(): Promise<void> }

const host = '127.0.0.1'
/** Names under which this computer calls itself. A page of another site has neither as its origin, nor can it fake them. */
const ownNames = ['127.0.0.1', 'localhost', '[::1]']

/**
 * Serves streamable HTTP at `http://127.0.0.1:<port>/mcp`, to this computer alone: requests in the name of another host or from
 * pages of another origin are refused.
 */
export async function serveHttp(sdk: ServerSdk, port: number, makeServer: () => Server): Promise<HttpServing> {
  const handler = sdk.createMcpHandler(makeServer)
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const gone = new AbortController()
    response.once('close', () => gone.abort(new Error('The client closed the connection.')))
    const asked = requestFrom(request, gone.signal)
    const { pathname } = new URL(asked.url)
    const given =
      sdk.hostHeaderValidationResponse(asked, ownNames) ??
      sdk.originValidationResponse(asked, ownNames) ??
      (pathname === '/mcp' ? await handler.fetch(asked) : new Response('Not found.\n', { status: 404 }))
    await send(given, response)
  }
  const { createServer } = await import('node:http')
  const http = createServer((request, response) => {
    void settle(answer(request, response)).then((outcome) => {
      if (outcome.ok) return
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  })
  await listen(http, port)
  const address = http.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no address.')
  return {
    url: `http://${host}:${address.port}/mcp`,
    close: async () => {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()))
      await settle(handler.close())
      http.closeAllConnections()
      await closed
    },
  }
}

function listen(http: HttpServer, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, host, () => {
      http.off('error', reject)
      resolve()
    })
  })
}

function requestFrom(request: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    for (const one of Array.isArray(value) ? value : value === undefined ? [] : [value]) headers.append(name, one)
  const method = request.method ?? 'GET'
  const hasBody = method !== 'GET' && method !== 'HEAD'
  // The host is judged by its header; what stands in the address is of no account.
  return new Request(new URL(request.url ?? '/', `http://${host}`), {
    method,
    headers,
    signal,
    ...(hasBody && { body: bodyOf(request), duplex: 'half' as const }),
  })
}

function bodyOf(request: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = request[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(new Uint8Array(value))
    },
    cancel: () => void request.destroy(),
  })
}

async function send(given: Response, response: ServerResponse): Promise<void> {
  response.writeHead(given.status, Object.fromEntries(given.headers))
  // Ends the body when the client has gone, and the answer when the body breaks.
  if (!given.body) return void response.end()
  const { Readable, promises } = await import('node:stream')
  await promises.pipeline(Readable.fromWeb(given.body as NodeReadableStream), response)
}
