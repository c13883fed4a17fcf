import http from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import https from 'node:https'
import { pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createUnzip } from 'node:zlib'
import type { Environment } from './io.ts'
import { proxyAgents, proxyFor, unreachable } from './proxy.ts'

/**
 * A `fetch` that goes through the proxies that an environment names, as Node's own does not; `undefined` where it names none. What
 * goes to no proxy goes over the platform's. Redirects are not followed: whoever asks decides about each, and gets it as it came.
 */
export function proxyFetch(env: Environment): typeof fetch | undefined {
  const agents = proxyAgents(env)
  if (!agents) return undefined
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const isSecure = url.protocol === 'https:'
    const scheme = isSecure ? 'https' : 'http'
    const proxy = proxyFor(scheme, url.hostname, env, Number(url.port || (isSecure ? 443 : 80)))
    if (!proxy) return await fetch(input, { ...init, redirect: 'manual' })
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    // Without the signal: a request of the platform may lose sight of it.
    const request = new Request(input, { ...init, signal: null })
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer())
    const send = (): ClientRequest =>
      (isSecure ? https : http).request(url, {
        method: request.method,
        agent: isSecure ? agents.https : agents.http,
        headers: {
          accept: '*/*',
          'user-agent': 'lena',
          ...Object.fromEntries(request.headers),
          ...(body && { 'content-length': String(body.length) }),
        },
      })
    const message = await answerTo(send, { body, signal, proxy })
    if (message.statusCode === 407) {
      message.destroy()
      // A server never says this: the request did not reach it.
      throw new Error(`the proxy ${proxy.host} refused the request to ${url.host}: 407 ${message.statusMessage}`)
    }
    return responseOf(message, url, signal)
  }
}

type Sending = { readonly body: Buffer | undefined; readonly signal: AbortSignal | undefined; readonly proxy: URL }

function answerTo(send: () => ClientRequest, { body, signal, proxy }: Sending): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error)
    const sent = send()
    const abort = (): void => void sent.destroy(signal!.reason as Error)
    signal?.addEventListener('abort', abort, { once: true })
    sent.once('close', () => signal?.removeEventListener('abort', abort))
    sent.once('response', resolve)
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (signal?.aborted) reject(signal.reason as Error)
      else reject(error.syscall === 'connect' || error.syscall === 'getaddrinfo' ? unreachable(proxy, error) : error)
    })
    sent.end(body)
  })
}

/** Answers with these have no body, and may be given none. */
const bodiless: readonly (number | undefined)[] = [204, 205, 304]

function responseOf(message: IncomingMessage, url: URL, signal: AbortSignal | undefined): Response {
  const headers = new Headers()
  const { rawHeaders, statusCode: status = 0, statusMessage: statusText = '' } = message
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!)
  const abort = (): void => void message.destroy(signal!.reason as Error)
  signal?.addEventListener('abort', abort, { once: true })
  message.once('close', () => signal?.removeEventListener('abort', abort))
  const isEmpty = bodiless.includes(status)
  if (isEmpty) message.resume()
  const body = isEmpty ? null : (Readable.toWeb(decoded(message)) as ReadableStream<Uint8Array>)
  return Object.defineProperty(new Response(body, { status, statusText, headers }), 'url', { value: url.href })
}

/** No compression is asked for, but something in between may not care. */
function decoded(message: IncomingMessage): Readable {
  const coding = message.headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (coding === 'identity') return message
  // That either broke is told by the other.
  return pipeline(message, coding === 'br' ? createBrotliDecompress() : createUnzip(), () => {})
}
