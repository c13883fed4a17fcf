import type { Clock } from '../../../src/util/clock.ts'

type Sleeper = { readonly ms: number; readonly wake: () => void }

/** A clock that stands still: a sleep ends when the test says so, or with its signal. */
export type ManualClock = Clock & {
  /** Ends the sleeps of that length, waiting for the first one to begin. */
  end(ms: number): Promise<void>
}

export function manualClock(): ManualClock {
  const sleepers = new Set<Sleeper>()
  let onSleep = (): void => {}
  return {
    now: () => 0,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const wake = (): void => {
          sleepers.delete(sleeper)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper = { ms, wake }
        sleepers.add(sleeper)
        signal.addEventListener('abort', wake)
        onSleep()
      }),
    async end(ms) {
      const found = (): Sleeper[] => [...sleepers].filter((sleeper) => sleeper.ms === ms)
      while (found().length === 0) await new Promise<void>((resolve) => (onSleep = resolve))
      for (const { wake } of found()) wake()
    },
  }
}
