import type { ConverseStreamCommandOutput, ConverseStreamOutput } from '@aws-sdk/client-bedrock-runtime'
import type { ModelError } from '../../errors.ts'
import { NetworkError } from '../../errors.ts'
import { onAbort, reasonOf } from '../../util/abort.ts'
import type { Clock } from '../../util/clock.ts'
import { Silence } from '../wire/silence.ts'
import type { Credential } from './client.ts'
import { converseError } from './errors.ts'
import { providerName } from './options.ts'

export type ConverseCallOptions = {
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly credential: Credential
  /** How long the answer may take to begin, in milliseconds. */
  readonly headersTimeoutMs: number
  /** How long it may then be silent, in milliseconds. */
  readonly idleTimeoutMs: number
}

/** How long an answer that is complete may take to end its transport, in milliseconds. */
const endingMs = 100

/**
 * One request through the SDK, whose answer is read event by event. When the signal fires or a time-out strikes, the SDK is told
 * in the same tick and every wait ends with the reason, whether the SDK listens or not. `close` must be called, and leaves
 * nothing behind.
 */
export class ConverseCall {
  readonly #options: ConverseCallOptions
  readonly #controller = new AbortController()
  readonly #silence: Silence
  readonly #off: () => void
  #events: AsyncIterator<ConverseStreamOutput> | undefined
  #ended = false
  /** Ends the wait for the SDK. */
  #leave: (() => void) | undefined

  /** Why the call was given up: what the signal was told, or a time-out. */
  failure: Error | undefined

  constructor(options: ConverseCallOptions) {
    this.#options = options
    this.#silence = new Silence(options.clock, (limitMs) => this.#giveUp(timedOut(limitMs, this.#events !== undefined)))
    this.#off = onAbort(options.signal, () => this.#giveUp(reasonOf(options.signal)))
  }

  /**
   * Sends the request, waits for the first event.
   *
   * @param send gets the signal that ends the transport.
   * @returns the id of the request, where the service gave one.
   * @throws {ModelError} when there is no answer; what the signal was told.
   */
  async open(send: (signal: AbortSignal) => Promise<ConverseStreamCommandOutput>): Promise<string | undefined> {
    const { headersTimeoutMs, idleTimeoutMs } = this.#options
    if (this.failure) throw this.failure
    this.#silence.begin()
    this.#silence.limit(headersTimeoutMs)
    const { stream, $metadata } = await this.#wait(send(this.#controller.signal))
    this.#silence.end()
    if (idleTimeoutMs !== headersTimeoutMs) this.#silence.limit(idleTimeoutMs)
    this.#events = stream?.[Symbol.asyncIterator]()
    return $metadata?.requestId
  }

  /** The next event, or nothing at the end. */
  async next(): Promise<ConverseStreamOutput | undefined> {
    if (!this.#events || this.#ended) return undefined
    this.#silence.begin()
    const { done, value } = await this.#wait(this.#events.next())
    this.#silence.end()
    if (!done) return value
    this.#ended = true
    return undefined
  }

  /** The answer is complete: lets the transport end by itself, so that it can serve again. What does not end soon is cut. */
  async finish(): Promise<void> {
    this.#silence.limit(endingMs)
    try {
      for (let i = 0; i < 8 && (await this.next()); i++);
    } catch {
      // There was nothing more to come.
    }
  }

  /** What went wrong, as an error of ours. */
  errorOf(thrown: unknown): ModelError {
    const { credential, clock } = this.#options
    return converseError(thrown, { credential, begun: this.#events !== undefined, now: clock.now() })
  }

  close(): void {
    this.#off()
    this.#silence.stop()
    if (!this.#ended && !this.failure) this.#controller.abort(new Error('The answer is no longer wanted.'))
  }

  async #wait<T>(promise: Promise<T>): Promise<T> {
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#leave = () => reject(reasonOf(this.#controller.signal))
        promise.then(resolve, reject)
      })
    } catch (error) {
      throw this.failure ?? this.errorOf(error)
    } finally {
      this.#leave = undefined
    }
  }

  #giveUp(reason: Error): void {
    if (this.failure || this.#ended) return
    this.failure = reason
    this.#controller.abort(reason)
    this.#leave?.()
  }
}

function timedOut(limitMs: number, begun: boolean): NetworkError {
  const seconds = limitMs / 1000
  const message = begun
    ? `nothing came for ${seconds} s (idleTimeoutMs)`
    : `the answer did not begin within ${seconds} s (headersTimeoutMs)`
  return new NetworkError(`${providerName}: ${message}.`, { provider: providerName })
}
