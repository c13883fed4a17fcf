import { onAbort, notNeeded, reasonOf } from '../../util/abort.ts'
import type { Clock } from '../../util/clock.ts'
import type { Ids } from '../../util/ids.ts'
import type { Tape } from './tape.ts'
import { recordError, reviveError } from './recorded-error.ts'

/** Readings and sleeps as they were. Once a replay has parted from the recording nobody sleeps any more. */
export function recordedClock(clock: Clock, tape: Tape): Clock {
  let count = 0
  let last = 0
  return {
    now: () => {
      if (tape.mode === 'record') return tape.mark({ type: 'now', value: clock.now() }).value
      return (last = tape.mark({ type: 'now', value: last }).value)
    },
    sleep: (ms, signal) => {
      const { sleep } = tape.mark({ type: 'sleep', sleep: ++count, ms })
      return new Promise((resolve) => {
        const receiver = `sleep ${sleep}`
        const isVoid = (): boolean => signal.aborted
        const off = onAbort(signal, () => {
          if (tape.mode === 'replay') tape.drop(receiver, new Error(notNeeded))
          resolve()
        })
        const wake = (): void => {
          off()
          resolve()
        }
        if (signal.aborted) return
        if (tape.mode === 'replay') return void tape.take(receiver).then(wake, wake)
        void clock.sleep(ms, signal).then(() => {
          if (!signal.aborted) void tape.input({ type: 'wake', sleep }, { isVoid }).then(wake)
        })
      })
    },
  }
}

/** Ids as they were. */
export function recordedIds(ids: Ids, tape: Tape): Ids {
  return { next: (kind) => tape.mark({ type: 'id', kind, value: ids.next(kind) }).value }
}

/** A signal that fires when it did. */
export function recordedSignal(given: AbortSignal, tape: Tape, signal: number): AbortSignal {
  const controller = new AbortController()
  if (tape.mode === 'record') {
    onAbort(given, () => {
      const reason = reasonOf(given)
      void tape.input({ type: 'abort', signal, reason: recordError(reason) }).then(() => controller.abort(reason))
    })
    return controller.signal
  }
  void tape.take(`signal ${signal}`).then(
    (input) => controller.abort(input.type === 'abort' ? reviveError(input.reason) : undefined),
    // The replay is not what was recorded, and nobody is kept waiting for the rest of it.
    (error: unknown) => controller.abort(error),
  )
  return controller.signal
}
