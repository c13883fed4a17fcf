import type { Clock } from '../../src/util/clock.ts'
import { tick } from '../../src/util/clock.ts'

type Sleeper = { readonly at: number; readonly wake: () => void }

/** A clock that moves only when it is told to. */
export type TestClock = Clock & {
  /** Moves on by `ms`, waking who sleeps until then in order, and lets what they started run. */
  readonly advance: (ms: number) => Promise<void>
  /** How many are asleep. */
  readonly sleeping: () => number
}

export function testClock(startMs = 0): TestClock {
  let time = startMs
  let sleepers: readonly Sleeper[] = []
  return {
    now: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const done = (): void => {
          sleepers = sleepers.filter((other) => other !== sleeper)
          signal.removeEventListener('abort', done)
          resolve()
        }
        const sleeper: Sleeper = { at: time + ms, wake: done }
        sleepers = [...sleepers, sleeper]
        signal.addEventListener('abort', done, { once: true })
      }),
    advance: async (ms) => {
      const until = time + ms
      for (;;) {
        // What was started a moment ago may be about to sleep.
        await tick()
        const next = sleepers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        time = Math.max(time, next.at)
        next.wake()
      }
      time = until
      await tick()
    },
    sleeping: () => sleepers.length,
  }
}
