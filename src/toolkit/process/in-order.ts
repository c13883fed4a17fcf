import { reasonOf, settle, settleOrAbort } from '../../util/abort.ts'

/**
 * Runs what it is given in the order in which it is given: one after the other, but for neighbours that may run beside each other.
 * What is cancelled while it waits never starts.
 */
export type InOrder = <T>(run: () => Promise<T>, signal: AbortSignal, isBeside: boolean) => Promise<T>

export function inOrder(): InOrder {
  /** The end of the last that ran alone, and of all so far. */
  let alone: Promise<unknown> = Promise.resolve()
  let all: Promise<unknown> = Promise.resolve()
  return (run, signal, isBeside) => {
    const before = isBeside ? alone : all
    const running = settleOrAbort(before, signal).then(() => {
      if (signal.aborted) throw reasonOf(signal)
      return run()
    })
    // One that left the queue early must not let the next one pass those before it.
    all = Promise.all([all, settle(running)])
    if (!isBeside) alone = all
    return running
  }
}
