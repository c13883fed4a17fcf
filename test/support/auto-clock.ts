import type { Clock } from '../../src/util/clock.ts'
import { tick } from '../../src/util/clock.ts'

/** A clock on which every sleep is over with the next turn of the event loop, and time has gone on by as much. */
export function autoClock(startMs = 0): Clock {
  let time = startMs
  return {
    now: () => time,
    sleep: async (ms, signal) => {
      if (signal.aborted) return
      await tick()
      if (!signal.aborted) time += ms
    },
  }
}
