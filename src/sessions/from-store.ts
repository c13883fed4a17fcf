import { SessionError } from '../errors.ts'
import { childController, notNeeded, reasonOf, settleOrAbort } from '../util/abort.ts'
import type { Clock } from '../util/clock.ts'

export type Patience = {
  readonly timeoutMs: number
  readonly clock: Clock
  /** Of the caller: when it fires nobody waits any longer. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Asks a store something, and waits no longer for it than so long, nor than the caller, whatever it makes of its signal.
 *
 * @throws {SessionError} with the code `session_timeout`; the reason of the signal; what the store throws.
 */
export async function fromStore<T>(id: string, work: (signal: AbortSignal) => Promise<T>, patience: Patience): Promise<T> {
  const { timeoutMs, clock, signal: parent } = patience
  const { controller, release } = parent ? childController(parent) : { controller: new AbortController(), release: () => {} }
  const { signal } = controller
  const timer = new AbortController()
  void clock.sleep(timeoutMs, timer.signal).then(() => {
    if (timer.signal.aborted) return
    const said = `The store of the session "${id}" did not answer within ${timeoutMs} ms.`
    controller.abort(new SessionError(said, { code: 'session_timeout' }))
  })
  try {
    const outcome = await settleOrAbort((async () => await work(signal))(), signal)
    if (!outcome) throw reasonOf(signal)
    if (!outcome.ok) throw outcome.error
    return outcome.value
  } finally {
    timer.abort(notNeeded)
    release()
  }
}
