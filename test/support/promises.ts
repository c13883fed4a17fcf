/** A promise that the test settles itself. */
export type Deferred<T> = { readonly promise: Promise<T>; readonly resolve: (value: T) => void; readonly reject: (error: unknown) => void }

export function deferred<T = void>(): Deferred<T> {
  let resolve!: (value: T) => void
  let reject!: (error: unknown) => void
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

/** Has it settled by now, after all that was waiting has run? */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  const done = (): void => void (settled = true)
  promise.then(done, done)
  await new Promise((resolve) => setImmediate(resolve))
  return settled
}
