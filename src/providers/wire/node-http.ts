import type { ClientRequest, IncomingMessage } from 'node:http'
import { onAbort, reasonOf } from '../../util/abort.ts'

type Init = {
  readonly method: 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly signal: AbortSignal
}

/** How much of an answer may wait for its reader before the socket is told to pause, in bytes. */
const maxWaiting = 256 * 1024

/**
 * As much of `fetch` as a provider needs, over Node's own HTTP client: Node's `fetch` costs some 50 ms at first use and a
 * web stream for each answer. Redirects are not followed: a key must not go to a host that nobody named.
 */
export async function nodeHttpFetch(url: string, init: Init): Promise<Response> {
  const secure = url.startsWith('https:')
  const { request } = secure ? await import('node:https') : await import('node:http')
  // A copy, as the caller may write on while the socket is not done with it.
  const body = Buffer.from(init.body)
  const headers = { ...init.headers, 'content-length': String(body.length) }
  const send = (again: boolean): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      if (init.signal.aborted) return reject(reasonOf(init.signal))
      const sent: ClientRequest = request(url, { method: init.method, headers })
      const off = onAbort(init.signal, () => sent.destroy(reasonOf(init.signal)))
      sent.once('close', off)
      sent.once('response', resolve)
      sent.once('error', (error: NodeJS.ErrnoException) => {
        // The server closed a kept connection just as it was taken again: Node's own advice is to send once more.
        if (again && sent.reusedSocket && error.code === 'ECONNRESET' && !init.signal.aborted) resolve(send(false))
        else reject(error)
      })
      sent.setNoDelay(true)
      sent.end(body)
    })
  return responseOf(await send(true), init.signal)
}

async function responseOf(message: IncomingMessage, signal: AbortSignal): Promise<Response> {
  const status = message.statusCode ?? 0
  const body = new BodyReader(message, await decoderFor(message), signal)
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

/** We ask for no compression, but something in between may not care. */
async function decoderFor({ headers }: IncomingMessage): Promise<NodeJS.ReadWriteStream | undefined> {
  const coding = headers['content-encoding']
  if (coding === undefined || coding === 'identity') return undefined
  const zlib = await import('node:zlib')
  if (coding === 'br') return zlib.createBrotliDecompress()
  return zlib.createUnzip()
}

/** The bytes of an answer, one piece a read. */
class BodyReader {
  readonly #message: IncomingMessage
  readonly #source: NodeJS.ReadableStream
  #pieces: Uint8Array[] = []
  #waiting = 0
  #ended = false
  #error: Error | undefined
  #wake: (() => void) | undefined

  constructor(message: IncomingMessage, decoder: NodeJS.ReadWriteStream | undefined, signal: AbortSignal) {
    this.#message = message
    this.#source = decoder ? message.pipe(decoder) : message
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
    if (decoder) decoder.on('error', failed)
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
    this.#wake?.()
  }
}
