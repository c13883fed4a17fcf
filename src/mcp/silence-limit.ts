import { notNeeded } from '../util/abort.ts'
import type { Clock } from '../util/clock.ts'

/** A time limit on silence. */
export interface SilenceLimit {
  /** Something was heard: the time begins anew. */
  heard(): void
  /** While a person is asked no time passes. */
  pause(): void
  resume(): void
  isUp(): boolean
  stop(): void
}

/** @param ms how long the other side may be silent before `onUp` is called. A sound costs nothing: the timer looks back when it is up. */
export function silenceLimit(ms: number, clock: Clock, onUp: () => void): SilenceLimit {
  const timer = new AbortController()
  let last = clock.now()
  let pauses = 0
  let up = false
  const run = async (): Promise<void> => {
    for (let left = ms; ; left = pauses > 0 ? ms : last + ms - clock.now()) {
      if (left <= 0) break
      await clock.sleep(left, timer.signal)
      if (timer.signal.aborted) return
    }
    up = true
    onUp()
  }
  void run()
  return {
    heard: () => void (last = clock.now()),
    pause: () => void pauses++,
    resume: () => {
      pauses--
      last = clock.now()
    },
    isUp: () => up,
    stop: () => timer.abort(notNeeded),
  }
}
