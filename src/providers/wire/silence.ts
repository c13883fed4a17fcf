import type { Clock } from '../../util/clock.ts'
import { systemClock } from '../../util/clock.ts'

/**
 * Notices when nothing has come for too long. Counts only while somebody waits: a reader that takes its time is not the
 * provider's silence. One timer for a whole answer, which looks up how much of the limit is left when it rings.
 */
export class Silence {
  readonly #clock: Clock
  readonly #onTooLong: (limitMs: number) => void
  #stopTimer: (() => void) | undefined
  #since: number | undefined

  constructor(clock: Clock, onTooLong: (limitMs: number) => void) {
    this.#clock = clock
    this.#onTooLong = onTooLong
  }

  /** From now on this limit holds, in milliseconds; `Infinity` is none. */
  limit(limitMs: number): void {
    this.stop()
    if (limitMs !== Infinity) this.#watch(limitMs, limitMs)
  }

  /** The wait begins. */
  begin(): void {
    this.#since = this.#clock.now()
  }

  /** Something came. */
  end(): void {
    this.#since = undefined
  }

  stop(): void {
    this.#stopTimer?.()
    this.#stopTimer = undefined
  }

  #watch(limitMs: number, forMs: number): void {
    this.#stopTimer = startTimer(this.#clock, forMs, () => {
      const left = this.#since === undefined ? limitMs : this.#since + limitMs - this.#clock.now()
      if (left > 0) this.#watch(limitMs, left)
      else this.#onTooLong(limitMs)
    })
  }
}

/** Calls back after `ms`; gives the function that stops it. A plain timer where it can be: each request has one, and `sleep` costs ten times as much. */
function startTimer(clock: Clock, ms: number, ring: () => void): () => void {
  if (clock === systemClock) {
    const timer = setTimeout(ring, Math.min(ms, longestTimer))
    return () => clearTimeout(timer)
  }
  const stop = new AbortController()
  void clock.sleep(ms, stop.signal).then(() => {
    if (!stop.signal.aborted) ring()
  })
  return () => stop.abort()
}

/** Timers wrap to 1 ms above this. */
const longestTimer = 2_147_483_647
