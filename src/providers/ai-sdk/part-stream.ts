import { ModelError, NetworkError } from '../../errors.ts'
import { onAbort, reasonOf } from '../../util/abort.ts'
import type { Clock } from '../../util/clock.ts'
import { Silence } from '../wire/silence.ts'
import type { PartReader, StreamResult } from './spec.ts'

export type PartStreamOptions = {
  readonly provider: string
  readonly signal: AbortSignal
  readonly clock: Clock
  /** How long the model may take until its stream begins, in milliseconds. */
  readonly headersTimeoutMs: number
  /** How long it may then be silent, in milliseconds. */
  readonly idleTimeoutMs: number
  /** Says in our words what the model throws before its stream begins, and in it. */
  readonly opening: (thrown: unknown) => Error
  readonly reading: (thrown: unknown) => Error
}

/** How long an answer that is complete may take to end its stream, in milliseconds. */
const endingMs = 100

/**
 * One call of a model, whose stream is read part by part. When the signal fires or a time-out strikes, the model's own signal
 * fires and its stream is cancelled in the same tick, and every wait ends with the reason, also where the model heeds neither.
 * `close` must be called, and leaves nothing behind.
 */
export class PartStream {
  readonly #options: PartStreamOptions
  readonly #controller = new AbortController()
  readonly #silence: Silence
  readonly #off: () => void
  #reader: PartReader | undefined
  #ended = false
  /** Ends the wait for the stream. */
  #leave: (() => void) | undefined

  /** Why the call was given up: what the signal was told, or a time-out. */
  failure: Error | undefined

  constructor(options: PartStreamOptions) {
    this.#options = options
    this.#silence = new Silence(options.clock, (limitMs) => this.#giveUp(this.#timedOut(limitMs)))
    this.#off = onAbort(options.signal, () => this.#giveUp(reasonOf(options.signal)))
  }

  /**
   * Has the model begin.
   *
   * @param start gets the signal that the model must heed.
   * @throws {ModelError} when it does not; otherwise what the signal was told.
   */
  async open(start: (signal: AbortSignal) => Promise<StreamResult>): Promise<void> {
    const { headersTimeoutMs, idleTimeoutMs } = this.#options
    if (this.failure) throw this.failure
    this.#silence.begin()
    this.#silence.limit(headersTimeoutMs)
    const reader = await this.#begin(start)
    this.#reader = reader
    // Given up just when the stream came: nobody has cancelled it.
    if (this.failure) {
      reader.cancel(this.failure).catch(() => {})
      throw this.failure
    }
    this.#silence.end()
    if (idleTimeoutMs !== headersTimeoutMs) this.#silence.limit(idleTimeoutMs)
  }

  /** The next part, or that there is none. */
  async read(): Promise<{ readonly done: boolean; readonly part?: unknown }> {
    if (!this.#reader || this.#ended) return { done: true }
    this.#silence.begin()
    let next: { readonly done: boolean; readonly value?: unknown }
    try {
      next = await this.#reader.read()
    } catch (error) {
      this.#ended = true
      throw this.failure ?? this.#options.reading(error)
    }
    if (this.failure) throw this.failure
    this.#silence.end()
    if (next.done) this.#ended = true
    return { done: next.done, part: next.value }
  }

  /** The answer is complete: lets the transport end by itself, so that it can serve again. What does not end soon is cut. */
  async finish(): Promise<void> {
    if (this.#ended) return
    this.#silence.limit(endingMs)
    try {
      for (let i = 0; i < 8 && !(await this.read()).done; i++);
    } catch {
      // There was nothing more to come.
    }
  }

  close(): void {
    this.#off()
    this.#silence.stop()
    if (!this.#ended && !this.failure) this.#cut(new Error('The answer is no longer wanted.'))
  }

  async #begin(start: (signal: AbortSignal) => Promise<StreamResult>): Promise<PartReader> {
    const { opening, provider } = this.#options
    try {
      const starting = start(this.#controller.signal)
      // Raced, as a model may be deaf to the signal.
      const result = await new Promise<StreamResult>((resolve, reject) => {
        this.#leave = () => {
          reject(this.failure!)
          void starting.then((late) => late.stream.cancel(this.failure)).catch(() => {})
        }
        starting.then(resolve, reject)
      })
      if (typeof result?.stream?.getReader === 'function') return result.stream.getReader()
      throw new ModelError(`${provider}: expected doStream() to give { stream: ReadableStream }, got no stream.`, { provider })
    } catch (error) {
      // Nothing is open that would have to be cut.
      this.#ended = true
      throw this.failure ?? opening(error)
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
    this.#leave?.()
    // The stream first: told by its signal, many a source fails before it hears that it is cancelled.
    this.#reader?.cancel(reason).catch(() => {})
    this.#controller.abort(reason)
  }

  #timedOut(limitMs: number): ModelError {
    const { provider } = this.#options
    const seconds = limitMs / 1000
    const message = this.#reader
      ? `nothing came for ${seconds} s (idleTimeoutMs)`
      : `the model did not begin to answer within ${seconds} s (headersTimeoutMs)`
    return new NetworkError(`${provider}: ${message}.`, { provider })
  }
}
