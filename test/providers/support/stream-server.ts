import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll } from 'vitest'

export type Seen = {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** Resolves when the connection that the request came by is closed. */
  readonly closed: Promise<void>
}
export type Handler = (request: Seen, response: ServerResponse) => void

export type StreamServer = {
  readonly baseURL: string
  /** What was asked, in order. */
  readonly requests: Seen[]
  /** What the next requests are answered with. */
  handle: Handler
  /** How many connections were made. */
  readonly connections: () => number
}

/** A real HTTP server on loopback that lasts as long as the tests of the file. */
export async function streamServer(): Promise<StreamServer> {
  const closings = new WeakMap<Socket, Promise<void>>()
  let count = 0
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const seen = {
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(parts).toString(),
        closed: closings.get(request.socket)!,
      }
      made.requests.push(seen)
      made.handle(seen, response)
    })
  })
  server.on('connection', (socket) => {
    count++
    socket.on('error', () => {})
    closings.set(socket, new Promise((resolve) => socket.on('close', () => resolve())))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const made: StreamServer = {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: [],
    handle: (_request, response) => void response.writeHead(404).end(),
    connections: () => count,
  }
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return made
}

/** Answers with an event stream. */
export const sends =
  (body: string | Uint8Array, contentType = 'text/event-stream'): Handler =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': contentType }).end(body)

/** Begins an event stream, and breaks the connection off. */
export const breaksOffAfter =
  (body: string | Uint8Array): Handler =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(body, () => response.socket?.destroy())
  }

/** Begins an event stream, and leaves it open. */
export const hangsAfter =
  (body: string): Handler =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(body)
  }
