import type * as http from 'node:http'
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Cut } from '../../util/abort.ts'
import { onAbort, reasonOf } from '../../util/abort.ts'
import { eitherDeflate } from './either-deflate.ts'

type Init = {
  readonly method: 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly signal: AbortSignal | Cut
}

/** How much of an answer may wait for its reader before the socket is told to pause, in bytes. */
const maxWaiting = 256 * 1024

/**
 * As much of `fetch` as a provider needs, over Node's own HTTP client: Node's `fetch` costs some 50 ms at first use and a
 * web stream for each answer. Redirects are not followed: a key must not go to a host that nobody named.
 */
export async function nodeHttpFetch(url: string, init: Init): Promise<Response> {
  const { client, options } = last?.url === url ? last : (last = await placeOf(url))
  // A copy, as the caller may write on while the socket is not done with it. Let go once there is an answer: the connection is
  // kept, and holds on to its last request until the next.
  let body: Buffer | undefined = Buffer.from(init.body)
  const headers = { ...init.headers, 'content-length': String(body.length) }
  const send = (isFirst: boolean): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      if (init.signal.aborted) return reject(reasonOf(init.signal))
      // The second time over a connection of its own: where one that was kept is closed, others are.
      const sent: ClientRequest = client.request({ ...options, method: init.method, headers, agent: isFirst ? undefined : false })
      const off = onAbort(init.signal, () => sent.destroy(reasonOf(init.signal)))
      sent.once('close', off)
      sent.once('response', (message) => {
        body = undefined
        resolve(message)
      })
      sent.once('error', (error: NodeJS.ErrnoException) => {
        // The server closed a kept connection just as it was taken again: Node's own advice is to send once more.
        if (isFirst && sent.reusedSocket && isClosed(error) && !init.signal.aborted) resolve(send(false))
        else reject(error)
      })
      sent.setNoDelay(true)
      sent.end(body)
    })
  const message = await send(true)
  try {
    return await responseOf(message, init.signal)
  } catch (error) {
    message.destroy()
    throw error
  }
}

/** Told at once, or with the next write: the body of a large request takes several. */
const isClosed = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE'

/** Who sends requests to an address, and the address as Node's client reads it. */
type Place = { readonly url: string; readonly client: Pick<typeof http, 'request'>; readonly options: RequestOptions }

/** Of the last request: the next goes there too, as a rule. */
let last: Place | undefined

async function placeOf(url: string): Promise<Place> {
  const client = url.startsWith('https:') ? await import('node:https') : await import('node:http')
  const { urlToHttpOptions } = await import('node:url')
  return { url, client, options: urlToHttpOptions(new URL(url)) }
}

async function responseOf(message: IncomingMessage, signal: AbortSignal | Cut): Promise<Response> {
  const status = message.statusCode ?? 0
  const coding = message.headers['content-encoding']
  const body = new BodyReader(message, coding === undefined ? [] : await decodersFor(coding), signal)
  const headers = { get: (name: string) => headerOf(message, name) }
  return {
    ok: status >= 200 && status < 300,
    status,
    headers,
    body: { getReader: () => body, cancel: (reason?: unknown) => body.cancel(reason) },
  } as unknown as Response
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name.toLowerCase()]
  return value === undefined ? null : String(value)
}

/**
 * We ask for no compression, but something in between may not care. What was packed last is unpacked first; a word that names no
 * packing, such as that of a character set, says nothing, as to `fetch`.
 */
async function decodersFor(codings: string): Promise<readonly Duplex[]> {
  const [zlib, stream] = await Promise.all([import('node:zlib'), import('node:stream')])
  const { createZstdDecompress: unzstd } = zlib as { readonly createZstdDecompress?: () => Duplex }
  const names = codings.toLowerCase().split(',').reverse()
  return names.flatMap((name): Duplex[] => {
    switch (name.trim()) {
      case 'gzip':
      case 'x-gzip':
        return [zlib.createUnzip()]
      case 'deflate':
        return [eitherDeflate(zlib, stream.Duplex)]
      case 'br':
        return [zlib.createBrotliDecompress()]
      case 'zstd':
        if (!unzstd) throw new Error('the answer is packed with zstd, which this version of Node cannot unpack')
        return [unzstd()]
      default:
        return []
    }
  })
}

/** The bytes of an answer, one piece a read. */
class BodyReader {
  readonly #message: IncomingMessage
  readonly #decoders: readonly Duplex[]
  readonly #source: NodeJS.ReadableStream
  #pieces: Uint8Array[] = []
  #waiting = 0
  #ended = false
  #error: Error | undefined
  #wake: (() => void) | undefined

  constructor(message: IncomingMessage, decoders: readonly Duplex[], signal: AbortSignal | Cut) {
    this.#message = message
    this.#decoders = decoders
    this.#source = decoders.reduce<NodeJS.ReadableStream>((source, decoder) => source.pipe(decoder), message)
    const off = onAbort(signal, () => message.destroy(reasonOf(signal)))
    const failed = (error: Error): void => {
      this.#error ??= error
      this.#wake?.()
    }
    this.#source.on('data', (piece: Uint8Array) => {
      this.#pieces.push(piece)
      this.#waiting += piece.length
      if (this.#waiting > maxWaiting) this.#source.pause()
      this.#wake?.()
    })
    this.#source.on('end', () => {
      this.#ended = true
      this.#wake?.()
    })
    for (const decoder of decoders) decoder.on('error', failed)
    message.on('error', failed)
    message.on('close', () => {
      off()
      if (!message.complete) failed(new Error('the connection was closed before the answer was complete'))
    })
  }

  async read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }> {
    for (;;) {
      const value = this.#pieces.shift()
      if (value) {
        this.#waiting -= value.length
        if (this.#waiting === 0 && this.#source.isPaused()) this.#source.resume()
        return { done: false, value }
      }
      if (this.#ended) return { done: true }
      if (this.#error) throw this.#error
      await new Promise<void>((resolve) => (this.#wake = resolve))
      this.#wake = undefined
    }
  }

  async cancel(reason?: unknown): Promise<void> {
    this.#pieces = []
    this.#error ??= reason instanceof Error ? reason : new Error('The answer is no longer wanted.')
    this.#message.destroy()
    for (const decoder of this.#decoders) decoder.destroy()
    this.#wake?.()
  }
}
