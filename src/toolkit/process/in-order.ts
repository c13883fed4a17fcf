import { reasonOf, settle, settleOrAbort } from '../../util/abort.ts'

/**
 * Runs what it is given in the order in which it is given: one after the other, but for neighbours that may run beside each other.
 * What is cancelled while it waits never starts.
 *
 * @param isBeside may take its time to be known: its place is kept until then, and one that fails is a no.
 */
export type InOrder = <T>(run: () => Promise<T>, signal: AbortSignal, isBeside: boolean | Promise<boolean>) => Promise<T>

export function inOrder(): InOrder {
  /** The end of the last that ran alone, and of all so far. */
  let alone: Promise<unknown> = Promise.resolve()
  let all: Promise<unknown> = Promise.resolve()
  /** There is one of which it is not known yet how it may run; those behind it have no place before it has one. */
  let placed: Promise<unknown> | undefined
  const place = <T>(run: () => Promise<T>, signal: AbortSignal, isBeside: boolean): Promise<T> => {
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
  return (run, signal, isBeside) => {
    if (typeof isBeside === 'boolean' && !placed) return place(run, signal, isBeside)
    const known = settleOrAbort(Promise.resolve(isBeside), signal)
    // In an object, so that its end is not waited for.
    const placing = Promise.all([known, placed]).then(([said]) => ({ running: place(run, signal, said?.ok === true && said.value) }))
    const last = (placed = placing.then(() => {
      if (placed === last) placed = undefined
    }))
    return placing.then(({ running }) => running)
  }
}
