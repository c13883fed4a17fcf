import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server as HttpServer } from 'node:http'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import type { Server } from '@modelcontextprotocol/server'
import { settle } from '../util/abort.ts'
import { settleBounded } from '../util/bounded.ts'
import type { Clock } from '../util/clock.ts'
import { readBody } from './read-body.ts'
import type { ServerSdk } from './sdk.ts'
import type { Exchange } from './served-sessions.ts'
import { ServedSessions } from './served-sessions.ts'

export type HttpOptions = {
  readonly sdk: ServerSdk
  readonly makeServer: () => Server
  readonly clock: Clock
  readonly port: number
  readonly maxBodyBytes: number
  readonly maxSessions: number
  readonly sessionIdleMs: number
  readonly resumeMs: number
}

export type HttpServing = { readonly url: string; close(): Promise<void> }

const host = '127.0.0.1'
/** Names under which this computer calls itself. A page of another site has neither as its origin, nor can it fake them. */
const ownNames = ['127.0.0.1', 'localhost', '[::1]']
/** How long those who are being answered when the service ends have to read the rest. */
const goodbyeMs = 1000
/** A body that has not come by then will not. */
const requestTimeoutMs = 60_000

/**
 * Serves streamable HTTP at `http://127.0.0.1:<port>/mcp`, to this computer alone: requests in the name of another host or from
 * pages of another origin are refused, before anything of them is read.
 */
export async function serveHttp(options: HttpOptions): Promise<HttpServing> {
  const { sdk, makeServer, clock, port, maxBodyBytes } = options
  const handler = sdk.createMcpHandler(makeServer)
  const { AsyncLocalStorage } = await import('node:async_hooks')
  const sessions = new ServedSessions({ ...options, taking: new AsyncLocalStorage() })
  const alone = async (request: Request, parsedBody?: unknown): Promise<Exchange> => ({
    response: await handler.fetch(request, parsedBody === undefined ? {} : { parsedBody }),
    over: () => {},
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const gone = new AbortController()
    response.once('close', () => {
      if (!response.writableFinished) gone.abort(new Error('The client closed the connection.'))
    })
    const asked = requestFrom(request, gone.signal)
    const refused = refusalOf(sdk, asked)
    if (refused) return await send(refused, response)
    const text = asked.method === 'POST' ? await readBody(request, maxBodyBytes) : ''
    if (text === undefined) return await send(tooLarge(maxBodyBytes), response)
    const body = jsonOf(text)
    const isOfSession = sessions.concerns(asked, body) && (await sdk.isLegacyRequest(asked, body))
    const exchange = isOfSession
      ? await sessions.answer(asked, body)
      : // What is no JSON is for the library to refuse.
        await (body === undefined && text !== '' ? alone(new Request(asked, { method: 'POST', body: text })) : alone(asked, body))
    const sent = await settle(send(exchange.response, response))
    exchange.over(sent.ok && !asked.signal.aborted)
  }
  const answering = new Set<Promise<unknown>>()
  const { createServer } = await import('node:http')
  const http = createServer({ requestTimeout: requestTimeoutMs }, (request, response) => {
    const answered = settle(answer(request, response)).then((outcome) => {
      answering.delete(answered)
      // Who was refused before all was read may still be sending, and would wait to be rid of the rest.
      request.resume()
      if (outcome.ok) return
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
    answering.add(answered)
  })
  await listen(http, port)
  const address = http.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no address.')
  return {
    url: `http://${host}:${address.port}/mcp`,
    close: async () => {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()))
      sessions.close()
      await settle(handler.close())
      await settleBounded(Promise.all(answering), { signal: AbortSignal.abort(), graceMs: goodbyeMs, clock })
      http.closeAllConnections()
      await closed
    },
  }
}

function refusalOf(sdk: ServerSdk, asked: Request): Response | undefined {
  const { pathname } = new URL(asked.url)
  return (
    sdk.hostHeaderValidationResponse(asked, ownNames) ??
    sdk.originValidationResponse(asked, ownNames) ??
    (pathname === '/mcp' ? undefined : new Response('Not found.\n', { status: 404 }))
  )
}

function tooLarge(maxBytes: number): Response {
  const error = { code: -32_000, message: `Payload Too Large: a request may have ${maxBytes} bytes.` }
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 413 })
}

/** `undefined` for what is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
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
  // The host is judged by its header; what stands in the address is of no account.
  return new Request(new URL(request.url ?? '/', `http://${host}`), { method: request.method ?? 'GET', headers, signal })
}

async function send(given: Response, response: ServerResponse): Promise<void> {
  const headers = new Headers(given.headers)
  // What becomes of the connection is agreed between the client and Node.
  headers.delete('connection')
  response.writeHead(given.status, Object.fromEntries(headers))
  // Ends the body when the client has gone, and the answer when the body breaks.
  if (!given.body) return void response.end()
  // Else who listens would know that he may only when the first thing is said.
  if (given.headers.get('content-type')?.startsWith('text/event-stream')) response.flushHeaders()
  const { Readable, promises } = await import('node:stream')
  await promises.pipeline(Readable.fromWeb(given.body as NodeReadableStream), response)
}
