import { tick } from '../../src/util/clock.ts'

/** The outcome of a promise that must settle within a number of turns of the event loop; a run that hangs is a failure, not a wait. */
export async function settlesWithin<T>(promise: PromiseLike<T>, turns: number, what: string): Promise<PromiseSettledResult<T>> {
  let settled: PromiseSettledResult<T> | undefined
  void promise.then(
    (value) => (settled = { status: 'fulfilled', value }),
    (reason: unknown) => (settled = { status: 'rejected', reason }),
  )
  for (let turn = 0; turn < turns && settled === undefined; turn++) await tick()
  if (settled === undefined) throw new Error(`${what} has not settled after ${turns} turns of the event loop.`)
  return settled
}
