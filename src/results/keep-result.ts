import { childController, notNeeded } from '../util/abort.ts'
import type { Bound } from '../util/bounded.ts'
import { settleBounded } from '../util/bounded.ts'
import { saidBy } from '../util/said-by.ts'
import { headOf } from '../util/text.ts'
import type { ResultStore, StoredResult } from './result-store.ts'

export type Kept = { readonly path: string } | { readonly failure: string }

/** A store that has not answered by then is taken to have failed. */
const timeoutMs = 30_000

/** Has a store keep a result. Never throws: a failure is a reason that a model can read. */
export async function keepResult(store: ResultStore, result: StoredResult, bound: Bound): Promise<Kept> {
  // The store's own signal: a result of a run that was cancelled is still worth keeping, as long as it takes no time.
  const stop = new AbortController()
  const { controller, release } = childController(bound.signal)
  const timer = new AbortController()
  let isLate = false
  void bound.clock.sleep(timeoutMs, timer.signal).then(() => {
    if (timer.signal.aborted) return
    isLate = true
    controller.abort(new Error(`The result store did not answer within ${timeoutMs} ms.`))
  })
  try {
    const putting = Promise.resolve().then(() => store.put(result, { signal: stop.signal }))
    const settled = await settleBounded(putting, { ...bound, signal: controller.signal })
    if (!settled) {
      stop.abort(new Error('Nobody waits for the result to be stored any more.'))
      return { failure: isLate ? `the result store did not answer within ${timeoutMs / 1000} s` : 'the run was cancelled' }
    }
    if (!settled.ok) return { failure: reason(settled.error) }
    const path: unknown = (settled.value as { readonly path?: unknown } | undefined)?.path
    if (typeof path === 'string' && path !== '') return { path }
    return { failure: 'the result store gave back no path' }
  } finally {
    timer.abort(notNeeded)
    release()
  }
}

const reason = (thrown: unknown): string => headOf(saidBy(thrown, 'the result store failed'), 300)
