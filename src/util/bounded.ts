import { notNeeded, onAbort, settle } from './abort.ts'
import type { Cut, Settled } from './abort.ts'
import type { Clock } from './clock.ts'
import { tick } from './clock.ts'

export type Bound = {
  readonly signal: AbortSignal
  /** How long a wait may still last once the signal has fired, in milliseconds; 0 is one turn of the event loop. */
  readonly graceMs: number
  readonly clock: Clock
}

/**
 * Waits for a promise until the signal fires, and then `graceMs` more. `undefined` when it has not settled by then; its
 * rejection is handled either way.
 */
export function settleBounded<T>(
  promise: PromiseLike<T>,
  { signal, graceMs, clock }: Omit<Bound, 'signal'> & { readonly signal: AbortSignal | Cut },
): Promise<Settled<T> | undefined> {
  return new Promise((resolve) => {
    let timer: AbortController | undefined
    const off = onAbort(signal, () => {
      timer = new AbortController()
      const grace = graceMs > 0 ? clock.sleep(graceMs, timer.signal) : tick()
      void grace.then(() => resolve(undefined))
    })
    void settle(promise).then((outcome) => {
      off()
      timer?.abort(notNeeded)
      resolve(outcome)
    })
  })
}

/** A signal that fires `graceMs` after another one, and the function that lets go of both. */
export function afterGrace({ signal, graceMs, clock }: Bound): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController()
  const timer = new AbortController()
  const off = onAbort(signal, () => {
    void clock.sleep(graceMs, timer.signal).then(() => {
      if (!timer.signal.aborted) controller.abort(signal.reason)
    })
  })
  const release = (): void => {
    off()
    timer.abort(notNeeded)
  }
  return { signal: controller.signal, release }
}

export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
