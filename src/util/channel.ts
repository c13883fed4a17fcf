/** A hand-over from one sender to one reader: `send` resolves when the value was taken, or when nobody takes any more. */
export interface Channel<T> extends AsyncIterable<T> {
  readonly send: (value: T) => Promise<void>
  readonly close: () => void
}

export function channel<T>(): Channel<T> {
  const waiting: { readonly value: T; readonly taken: () => void }[] = []
  let wake: (() => void) | undefined
  let closed = false
  const close = (): void => {
    closed = true
    wake?.()
  }
  return {
    send: (value) =>
      new Promise((taken) => {
        if (closed) return taken()
        waiting.push({ value, taken })
        wake?.()
      }),
    close,
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          const next = waiting.shift()
          if (next) {
            next.taken()
            yield next.value
          } else if (closed) return
          else await new Promise<void>((resolve) => (wake = resolve))
        }
      } finally {
        close()
        for (const { taken } of waiting) taken()
      }
    },
  }
}
