import type { Clock } from '../../util/clock.ts'
import { childController, notNeeded, reasonOf } from '../../util/abort.ts'

/**
 * Work that is given up after some seconds: its signal fires then, and with the signal of the call.
 *
 * @param what for the message, as `example.com did not answer`.
 */
export async function withinTime<T>(
  seconds: number,
  what: string,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { controller, release } = childController(signal)
  const timer = new AbortController()
  void clock.sleep(seconds * 1000, timer.signal).then(() => {
    if (!timer.signal.aborted) controller.abort(new Error(`${what} within ${seconds} s. Try another one, or again later.`))
  })
  try {
    return await work(controller.signal)
  } catch (error) {
    // What was cut short throws in many ways.
    throw controller.signal.aborted ? reasonOf(controller.signal) : error
  } finally {
    timer.abort(notNeeded)
    release()
  }
}
