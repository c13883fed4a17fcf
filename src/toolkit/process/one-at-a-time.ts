import { reasonOf, settle, settleOrAbort } from '../../util/abort.ts'

/** Runs what it is given in the order in which it is given, one after the other. What is cancelled while it waits never starts. */
export type OneAtATime = <T>(run: () => Promise<T>, signal: AbortSignal) => Promise<T>

export function oneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve()
  return (run, signal) => {
    const before = last
    const running = settleOrAbort(before, signal).then(() => {
      if (signal.aborted) throw reasonOf(signal)
      return run()
    })
    // One that left the queue early must not let the next one pass those before it.
    last = Promise.all([before, settle(running)])
    return running
  }
}
