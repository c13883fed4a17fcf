import { inOrder } from './in-order.ts'

/** Runs what it is given in the order in which it is given, one after the other. What is cancelled while it waits never starts. */
export type OneAtATime = <T>(run: () => Promise<T>, signal: AbortSignal) => Promise<T>

export function oneAtATime(): OneAtATime {
  const next = inOrder()
  return (run, signal) => next(run, signal, false)
}
