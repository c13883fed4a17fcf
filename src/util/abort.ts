/** Who waits for a signal. One listener on the signal serves them all: Node warns of a leak at eleven, and ten calls at once are no leak. */
type Fan = { readonly listeners: Set<() => void>; readonly fire: () => void }

const fans = new WeakMap<AbortSignal, Fan>()

/** Calls `listener` when the signal fires (at once when it has), returns the function that takes the listener away. */
export function onAbort(signal: AbortSignal | Cut, listener: () => void): () => void {
  if (signal instanceof Cut) return signal.onAbort(listener)
  if (signal.aborted) {
    listener()
    return () => {}
  }
  const fan = fans.get(signal) ?? fanOf(signal)
  // The same function may wait twice.
  const entry = (): void => listener()
  fan.listeners.add(entry)
  return () => {
    if (!fan.listeners.delete(entry) || fan.listeners.size > 0) return
    signal.removeEventListener('abort', fan.fire)
    fans.delete(signal)
  }
}

function fanOf(signal: AbortSignal): Fan {
  const listeners = new Set<() => void>()
  const fire = (): void => {
    fans.delete(signal)
    // Not a copy: who is taken away by another is not called any more. One that throws must not keep the others from being told.
    const errors: unknown[] = []
    for (const listener of listeners) {
      try {
        listener()
      } catch (error) {
        errors.push(error)
      }
    }
    listeners.clear()
    if (errors.length > 0) throw errors[0]
  }
  const fan = { listeners, fire }
  fans.set(signal, fan)
  signal.addEventListener('abort', fire, { once: true })
  return fan
}

/** Why a timer is not needed any more. Given as the reason, it spares the exception that `abort()` makes by default. */
export const notNeeded = 'not needed any more'

/** What an aborted signal was told, as an Error. */
export function reasonOf(signal: AbortSignal | Cut): Error {
  return signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason ?? 'aborted'))
}

/** A reason to cancel: an error as it is, a text as the words of one. All else is no reason, and no cause to fail. */
export const reasonFor = (given: unknown): Error =>
  given instanceof Error ? given : new Error(typeof given === 'string' ? given : 'cancelled')

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
export function settleOrAbort<T>(promise: PromiseLike<T>, signal: AbortSignal | Cut): Promise<Settled<T> | undefined> {
  return new Promise((resolve) => {
    const off = onAbort(signal, () => resolve(undefined))
    void settle(promise).then((outcome) => {
      off()
      resolve(outcome)
    })
  })
}

/**
 * A cancel that follows its parent, and costs next to nothing until somebody asks for its signal: an AbortSignal with a listener is
 * dear where calls come by the dozen, and most tools never look at theirs.
 */
export class Cut {
  readonly #listeners = new Set<() => void>()
  readonly #leave: (() => void) | undefined
  #controller: AbortController | undefined
  #isAborted = false
  #reason: unknown

  /** Without a parent it is cut by `abort` alone. */
  constructor(parent?: AbortSignal) {
    this.#leave = parent && onAbort(parent, () => this.abort(parent.reason))
  }

  get aborted(): boolean {
    return this.#isAborted
  }

  get reason(): unknown {
    return this.#reason
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#isAborted) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  abort(reason: unknown): void {
    if (this.#isAborted) return
    this.#isAborted = true
    this.#reason = reason
    this.#leave?.()
    this.#controller?.abort(reason)
    for (const listener of this.#listeners) listener()
    this.#listeners.clear()
  }

  onAbort(listener: () => void): () => void {
    if (this.#isAborted) {
      listener()
      return () => {}
    }
    const entry = (): void => listener()
    this.#listeners.add(entry)
    return () => void this.#listeners.delete(entry)
  }

  /** Follows its parent no longer. */
  release(): void {
    this.#leave?.()
  }
}

/** A controller that follows `parent`, and the function that cuts it loose again. */
export function childController(parent: AbortSignal): { readonly controller: AbortController; readonly release: () => void } {
  const controller = new AbortController()
  const release = onAbort(parent, () => controller.abort(parent.reason))
  return { controller, release }
}
