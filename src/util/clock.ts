import { onAbort } from './abort.ts'

/** Time as an argument, so that a test waits for nothing. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms` milliseconds, or at once when `signal` fires. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** Node's timers wrap to 1 ms above this. */
const longestTimer = 2_147_483_647

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const done = (): void => {
        clearTimeout(timer)
        off()
        resolve()
      }
      const timer = setTimeout(done, Math.min(Math.max(ms, 0), longestTimer))
      const off = onAbort(signal, done)
    }),
}

/** One turn of the event loop. */
export const tick = (): Promise<void> =>
  new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve)
    else setTimeout(resolve, 0)
  })
