import { ScheduleError } from '../errors.ts'
import type { ScheduledCall, ToolStrategy } from './strategies.ts'

export type ScheduleOptions = {
  readonly strategy: ToolStrategy
  readonly maxConcurrency: number
  /** Once it fires no call starts any more. */
  readonly signal: AbortSignal
  /** Runs one call to its end; never rejects. `again` puts it back with other flags, before it has done anything. */
  readonly start: (call: ScheduledCall) => Promise<{ readonly again: ScheduledCall } | undefined>
}

/**
 * Runs calls in the order that a strategy gives. Calls may come one by one, while the message that holds them is still being
 * written; `seal` says that it is complete.
 *
 * Every end of a call costs the same, however many are running: each wakes the schedule itself, nothing is raced.
 */
export class Schedule {
  readonly #options: ScheduleOptions
  readonly #running = new Map<string, ScheduledCall>()
  #waiting: readonly ScheduledCall[]
  #sealed = false
  #stopped = false
  #failure: ScheduleError | undefined
  #idle: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined

  /** @param calls those that are known at the start; none begins before `add` or `seal`. */
  constructor(options: ScheduleOptions, calls: readonly ScheduledCall[] = []) {
    this.#options = options
    this.#waiting = calls
  }

  /** Puts a call in its place; it starts at once when the strategy lets it. */
  add(...calls: readonly ScheduledCall[]): void {
    this.#waiting = inOrder([...this.#waiting, ...calls])
    this.#pump()
  }

  /**
   * Gives a call other flags where it still waits as it was given, and starts what they let start. One that has begun, or has come back
   * with flags of its own, keeps those.
   */
  revise(waiting: ScheduledCall, call: ScheduledCall): void {
    const at = this.#waiting.indexOf(waiting)
    if (at < 0) return
    this.#waiting = this.#waiting.with(at, call)
    this.#pump()
  }

  /** Starts nothing more. What runs goes on. */
  stop(): void {
    this.#stopped = true
  }

  /**
   * No more calls will come, but those given here. Resolves when all that started have ended and nothing more will start.
   *
   * @param revise gives a waiting call the flags that count from now on.
   * @throws {ScheduleError} when the strategy starts nothing while nothing runs and calls are waiting.
   */
  seal(calls: readonly ScheduledCall[] = [], revise: (call: ScheduledCall) => ScheduledCall = (call) => call): Promise<void> {
    this.#sealed = true
    this.#waiting = inOrder([...this.#waiting.map(revise), ...calls])
    return this.ended()
  }

  /** Resolves when nothing runs any more and, of what waits, nothing may start. */
  ended(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#idle = { resolve, reject }
      this.#pump()
    })
  }

  #pump(): void {
    const { signal } = this.#options
    // Asked before each: the start of one call may be what fires the signal.
    if (this.#open && this.#waiting.length > 0) for (const call of this.#choose()) if (this.#open) this.#begin(call)
    if (this.#running.size > 0 || !this.#idle) return
    if (this.#failure && !signal.aborted) this.#idle.reject(this.#failure)
    else this.#idle.resolve()
  }

  get #open(): boolean {
    return !this.#options.signal.aborted && !this.#stopped && !this.#failure
  }

  #begin(call: ScheduledCall): void {
    this.#waiting = this.#waiting.filter((other) => other !== call)
    this.#running.set(call.id, call)
    void this.#options.start(call).then((outcome) => {
      this.#running.delete(call.id)
      if (outcome) this.add(outcome.again)
      else this.#pump()
    })
  }

  /** What the strategy wants, as far as it is waiting and there is room: a user's strategy may be wrong. */
  #choose(): readonly ScheduledCall[] {
    const { strategy, maxConcurrency } = this.#options
    const waiting = this.#waiting
    const running = [...this.#running.values()]
    try {
      const wanted = new Set(strategy.next({ waiting: [...waiting], running, sealed: this.#sealed, maxConcurrency }).map((call) => call.id))
      const chosen = waiting.filter((call) => wanted.has(call.id)).slice(0, Math.max(0, maxConcurrency - running.length))
      if (chosen.length > 0 || running.length > 0 || !this.#sealed) return chosen
      this.#failure = new ScheduleError(
        `The schedule strategy "${strategy.name}" starts none of ${waiting.length} waiting calls although nothing is running. It must start at least one.`,
      )
    } catch (error) {
      this.#failure = new ScheduleError(
        `The schedule strategy "${strategy.name}" threw: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      )
    }
    return []
  }
}

const inOrder = (calls: ScheduledCall[]): readonly ScheduledCall[] => calls.sort((a, b) => a.index - b.index)
