import { onAbort, reasonOf } from '../util/abort.ts'

/** Waits no longer than the signal; the promise that is left behind is handled. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const off = onAbort(signal, () => reject(reasonOf(signal)))
    promise.then(resolve, reject).finally(off)
  })
}
