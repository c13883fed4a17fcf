/** Calls `listener` when the signal fires (at once when it has), returns the function that takes the listener away. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener()
    return () => {}
  }
  signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}

/** Why a timer is not needed any more. Given as the reason, it spares the exception that `abort()` makes by default. */
export const notNeeded = 'not needed any more'

/** What an aborted signal was told, as an Error. */
export function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason ?? 'aborted'))
}

/** The outcome of a promise as a value, so that it can be raced without an unhandled rejection. */
export type Settled<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown }

export const settle = <T>(promise: PromiseLike<T>): Promise<Settled<T>> =>
  Promise.resolve(promise).then(
    (value) => ({ ok: true, value }) as const,
    (error: unknown) => ({ ok: false, error }) as const,
  )

/**
 * Waits for `promise`, but not longer than the signal: resolves to its outcome, or to `undefined` once the signal has fired.
 * A promise that is left behind is still handled.
 */
export function settleOrAbort<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<Settled<T> | undefined> {
  return new Promise((resolve) => {
    const off = onAbort(signal, () => resolve(undefined))
    void settle(promise).then((outcome) => {
      off()
      resolve(outcome)
    })
  })
}

/** A controller that follows `parent`, and the function that cuts it loose again. */
export function childController(parent: AbortSignal): { readonly controller: AbortController; readonly release: () => void } {
  const controller = new AbortController()
  const release = onAbort(parent, () => controller.abort(parent.reason))
  return { controller, release }
}
