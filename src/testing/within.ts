import { notNeeded, settle } from '../util/abort.ts'
import type { Settled } from '../util/abort.ts'
import { systemClock } from '../util/clock.ts'

/** Long for whatever should come at once, on a machine that has other things to do, too. */
const limitMs = 8000

/**
 * What comes of a promise, in bounded time.
 *
 * @throws {Error} that says what did not come.
 */
export async function within<T>(promise: PromiseLike<T>, what: string, ms = limitMs): Promise<Settled<T>> {
  const timer = new AbortController()
  try {
    const first = await Promise.race([settle(promise), systemClock.sleep(ms, timer.signal).then(() => undefined)])
    if (!first) throw new Error(`${what} did not come within ${ms} ms`)
    return first
  } finally {
    timer.abort(notNeeded)
  }
}

/** The same for what must not fail. */
export async function valueWithin<T>(promise: PromiseLike<T>, what: string): Promise<T> {
  const settled = await within(promise, what)
  if (!settled.ok) throw new Error(`${what}: expected a value, got the error ${String(settled.error)}`, { cause: settled.error })
  return settled.value
}
