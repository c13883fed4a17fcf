import { NetworkError } from '../../errors.ts'
import type { ModelError } from '../../errors.ts'
import { Cut, onAbort, reasonOf } from '../../util/abort.ts'
import type { Clock } from '../../util/clock.ts'
import { checkHeaders } from './header-values.ts'
import { brokenStream, httpError, networkError } from './http-error.ts'
import { nodeHttpFetch } from './node-http.ts'
import type { ErrorSource } from './provider-error.ts'
import { Silence } from './silence.ts'

export type HttpCallOptions = ErrorSource & {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
  readonly signal: AbortSignal
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
  /** How long the provider may take until its response begins, in milliseconds. */
  readonly headersTimeoutMs: number
  /** How long it may then be silent, in milliseconds. */
  readonly idleTimeoutMs: number
}

/** How much of an error response is read, in bytes. */
const maxErrorBytes = 64 * 1024
/** How long an answer that is complete may take to end its transport, in milliseconds. */
const endingMs = 100

/**
 * One POST whose answer is read piece by piece. When the signal fires or a time-out strikes, the socket is closed in the
 * same tick and every wait ends with the reason. `close` must be called, and leaves nothing behind.
 */
export class HttpCall {
  readonly #options: HttpCallOptions
  readonly #cutOff = new Cut()
  readonly #silence: Silence
  readonly #off: () => void
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  #ended = false
  /** Ends the wait for the response. */
  #leave: ((reason: Error) => void) | undefined

  /** Why the call was given up: what the signal was told, or a time-out. */
  failure: Error | undefined

  constructor(options: HttpCallOptions) {
    this.#options = options
    this.#silence = new Silence(options.clock, (limitMs) => this.#giveUp(this.#timedOut(limitMs)))
    this.#off = onAbort(options.signal, () => this.#giveUp(reasonOf(options.signal)))
  }

  /**
   * Sends the request, waits for the response.
   *
   * @throws {ModelError} when there is none, or when it is no success; otherwise what the signal was told.
   */
  async open(): Promise<Response> {
    const { headersTimeoutMs, idleTimeoutMs, clock } = this.#options
    if (this.failure) throw this.failure
    checkHeaders(this.#options.headers, this.#options.provider)
    this.#silence.begin()
    this.#silence.limit(headersTimeoutMs)
    const response = await this.#send()
    this.#silence.end()
    if (idleTimeoutMs !== headersTimeoutMs) this.#silence.limit(idleTimeoutMs)
    this.#reader = response.body?.getReader()
    if (!response.ok) throw httpError(response, await this.readText(), this.#options, clock.now())
    return response
  }

  /** The next bytes, or nothing at the end. */
  async read(): Promise<Uint8Array | undefined> {
    if (!this.#reader || this.#ended) return undefined
    this.#silence.begin()
    let next: { readonly done: boolean; readonly value?: Uint8Array | undefined }
    try {
      next = await this.#reader.read()
    } catch (error) {
      this.#ended = true
      throw this.failure ?? brokenStream(error, this.#options.provider)
    }
    if (this.failure) throw this.failure
    this.#silence.end()
    if (next.done) this.#ended = true
    return next.value
  }

  /**
   * The beginning of the answer as text; of an answer that breaks off, what there was.
   *
   * @param begin what was read of it before.
   */
  async readText(begin?: Uint8Array, maxBytes = maxErrorBytes): Promise<string> {
    const decoder = new TextDecoder()
    let text = ''
    let left = maxBytes
    try {
      for (let bytes = begin ?? (await this.read()); bytes && left > 0; bytes = await this.read()) {
        text += decoder.decode(bytes.subarray(0, left), { stream: true })
        left -= bytes.length
      }
    } catch (error) {
      if (this.failure) throw error
    }
    return text
  }

  /** The answer is complete: lets the transport end by itself, so that it can serve again. What does not end soon is cut. */
  async finish(): Promise<void> {
    if (this.#ended) return
    this.#silence.limit(endingMs)
    try {
      for (let i = 0; i < 8 && (await this.read()); i++);
    } catch {
      // There was nothing more to come.
    }
  }

  close(): void {
    this.#off()
    this.#silence.stop()
    if (!this.#ended && !this.failure) this.#cut(new Error('The answer is no longer wanted.'))
  }

  async #send(): Promise<Response> {
    const { url, headers, body, fetch, provider } = this.#options
    try {
      const sent = isOwn(fetch)
        ? nodeHttpFetch(url, { method: 'POST', headers, body, signal: this.#cutOff })
        : fetch(url, { method: 'POST', headers, body, signal: this.#cutOff.signal, redirect: 'manual' })
      // Raced, as a fetch of the user's own may be deaf to the signal.
      return await new Promise<Response>((resolve, reject) => {
        this.#leave = (reason) => {
          reject(reason)
          void sent.then((late) => late.body?.cancel()).catch(() => {})
        }
        sent.then(resolve, reject)
      })
    } catch (error) {
      throw this.failure ?? networkError(error, provider, hostOf(url))
    } finally {
      this.#leave = undefined
    }
  }

  #giveUp(reason: Error): void {
    if (this.failure || this.#ended) return
    this.failure = reason
    this.#cut(reason)
  }

  #cut(reason: Error): void {
    this.#cutOff.abort(reason)
    this.#leave?.(reason)
    this.#reader?.cancel(reason).catch(() => {})
  }

  #timedOut(limitMs: number): ModelError {
    const { provider, url } = this.#options
    const seconds = limitMs / 1000
    const message = this.#reader
      ? `nothing came from ${hostOf(url)} for ${seconds} s (idleTimeoutMs)`
      : `${hostOf(url)} did not begin to answer within ${seconds} s (headersTimeoutMs)`
    return new NetworkError(`${provider}: ${message}.`, { provider })
  }
}

/** Our own needs no real signal, which is dear where requests come by the hundred. */
const isOwn = (fetch: unknown): boolean => fetch === nodeHttpFetch

/** The host alone: the rest of a URL may hold a key. */
const hostOf = (url: string): string => new URL(url).host
