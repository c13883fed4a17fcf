import { childController, notNeeded } from '../../util/abort.ts'
import type { Clock } from '../../util/clock.ts'

/** How a search ended: with everything, with enough, or when its time was up. */
export type SearchEnd = 'all' | 'enough' | 'timeout'

/** For one search. */
export const searchSeconds = 30

/**
 * Takes what a search gives until `take` says that it is enough, or the time is up; what was taken until then counts.
 *
 * @throws what the search throws, and the reason of the signal.
 */
export async function takeUntil<T>(
  search: (signal: AbortSignal) => AsyncIterable<T>,
  take: (item: T) => boolean,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<SearchEnd> {
  const { controller, release } = childController(signal)
  const timer = new AbortController()
  let isLate = false
  void clock.sleep(searchSeconds * 1000, timer.signal).then(() => {
    if (timer.signal.aborted) return
    isLate = true
    controller.abort(notNeeded)
  })
  try {
    for await (const item of search(controller.signal)) if (!take(item)) return 'enough'
    return 'all'
  } catch (error) {
    signal.throwIfAborted()
    if (isLate) return 'timeout'
    throw error
  } finally {
    timer.abort(notNeeded)
    release()
  }
}
