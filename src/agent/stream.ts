import { StreamError } from '../errors.ts'
import { onAbort, reasonFor } from '../util/abort.ts'
import { EventQueue } from './event-queue.ts'
import type { AgentEvent, Emit } from './events.ts'
import type { AgentResult } from './result.ts'

export type RunControl = { readonly signal: AbortSignal; cancel(reason: Error): void }

/** Starts a run. `emit` is there when somebody reads the events; `onStart` gets what ends the run. */
export type StartRun = (emit: Emit | undefined, onStart: (control: RunControl) => void) => Promise<AgentResult>

/**
 * The events of one run, and its result. Cold: the run starts with the first event that is asked for, or when `result` is
 * first read.
 */
export class AgentStream<Output = unknown> implements AsyncIterable<AgentEvent> {
  readonly #start: StartRun
  readonly #queue = new EventQueue()
  readonly #result: Promise<AgentResult>
  #resolve!: (result: AgentResult | Promise<AgentResult>) => void
  #armed = false
  #running = false
  #read = false
  #cancelReason: Error | undefined
  #cancelRun: ((reason: Error) => void) | undefined

  constructor(start: StartRun) {
    this.#start = start
    this.#result = new Promise((resolve) => (this.#resolve = resolve))
    // The iterator throws the same error: whoever reads only that has dealt with it.
    this.#result.catch(() => {})
  }

  /**
   * How the run ends. Reading it starts the run; events need not be read then, and from then on the run never waits for its
   * reader. Rejects with what the iterator throws.
   */
  get result(): Promise<AgentResult<Output>> {
    this.#queue.lift()
    this.#arm()
    return this.#result as Promise<AgentResult<Output>>
  }

  /** Ends the run with the stop reason `cancelled`. Never throws. */
  cancel(reason = 'cancelled'): void {
    const error = reasonFor(reason)
    if (this.#cancelRun) this.#cancelRun(error)
    else this.#cancelReason ??= error
  }

  /**
   * @throws {StreamError} `stream_already_read` for a second reader, `stream_already_started` when the run went on without one.
   */
  [Symbol.asyncIterator](): AsyncIterator<AgentEvent, undefined, undefined> {
    if (this.#read)
      throw new StreamError('These events have a reader already. One stream has one reader; call agent.stream() again for another run.', {
        code: 'stream_already_read',
      })
    if (this.#running)
      throw new StreamError(
        'The run was started by reading `result` alone, so its events were not kept. Iterate first, or in the same tick.',
        { code: 'stream_already_started' },
      )
    this.#read = true
    let left = false
    return {
      next: async () => {
        // Nothing is begun for one who has left.
        if (left) return { done: true, value: undefined }
        this.#arm()
        const value = await this.#queue.take()
        if (value !== undefined) return { done: false, value }
        // Throws when the run failed.
        await this.#result
        return { done: true, value: undefined }
      },
      return: async () => {
        left = true
        this.#queue.end(true)
        // Should `result` be read later, the run ends before it asks the model.
        this.cancel('The consumer left the stream.')
        if (!this.#armed) return { done: true, value: undefined }
        await this.#result.catch(() => {})
        return { done: true, value: undefined }
      },
    }
  }

  /** The run begins a moment later, so that reading `result` and iterating in the same tick go together. */
  #arm(): void {
    if (this.#armed) return
    this.#armed = true
    queueMicrotask(() => {
      this.#running = true
      const emit: Emit | undefined = this.#read ? (event) => this.#queue.push(event) : undefined
      const ended = this.#start(emit, (run) => {
        this.#cancelRun = (reason) => run.cancel(reason)
        // A cancelled run must not wait for a reader that has stopped reading.
        onAbort(run.signal, () => this.#queue.lift())
        if (this.#cancelReason) run.cancel(this.#cancelReason)
      }).finally(() => this.#queue.end())
      this.#resolve(ended)
    })
  }
}
