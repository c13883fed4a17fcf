import type { Clock } from '../util/clock.ts'
import { tick } from '../util/clock.ts'
import { InputError } from '../errors.ts'
import { onAbort } from '../util/abort.ts'
import { describe } from '../util/describe.ts'

/** A clock that a test moves on. */
export interface FakeClock extends Clock {
  /** Moves time on, waking each sleeper at its time, and lets what follows from that happen. */
  advance(ms: number): Promise<void>
  /** How many are asleep. */
  readonly sleeping: number
}

/**
 * A clock that stands still until it is told to go on.
 *
 * @param start milliseconds since the epoch; default 0.
 */
export function fakeClock(start = 0): FakeClock {
  expectTime('fakeClock(start)', start)
  let now = start
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>()
  const nextBefore = (end: number): { readonly until: number; readonly wake: () => void } | undefined =>
    [...sleepers].filter(({ until }) => until <= end).sort((a, b) => a.until - b.until)[0]
  return {
    now: () => now,
    get sleeping() {
      return sleepers.size
    },
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const sleeper = {
          until: now + Math.max(0, ms),
          wake: () => {
            sleepers.delete(sleeper)
            off()
            resolve()
          },
        }
        sleepers.add(sleeper)
        const off = onAbort(signal, sleeper.wake)
      }),
    async advance(ms) {
      expectTime('advance(ms)', ms)
      if (ms < 0) throw new InputError(`advance(ms): time does not go back, got ${ms}.`)
      const end = now + ms
      await tick()
      for (let next = nextBefore(end); next; next = nextBefore(end)) {
        now = next.until
        next.wake()
        await tick()
      }
      now = end
      await tick()
    },
  }
}

function expectTime(place: string, ms: unknown): void {
  if (typeof ms !== 'number' || !Number.isFinite(ms))
    throw new InputError(`${place}: expected a number of milliseconds, got ${describe(ms)}.`)
}
