const newest = new WeakMap<object, Promise<void>>()

/**
 * One keyboard answers one question at a time, whoever asks: it is asked when those before it have been answered. `undefined` when the
 * signal fires before its turn.
 *
 * @param keyboard what the questions have in common.
 */
export async function oneAtATime<T>(keyboard: object, signal: AbortSignal, ask: () => Promise<T>): Promise<T | undefined> {
  const before = newest.get(keyboard) ?? Promise.resolve()
  let done = (): void => {}
  const mine = new Promise<void>((resolve) => (done = resolve))
  newest.set(
    keyboard,
    before.then(() => mine),
  )
  try {
    return (await isTurn(before, signal)) ? await ask() : undefined
  } finally {
    done()
  }
}

function isTurn(before: Promise<void>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false)
    const giveUp = (): void => resolve(false)
    signal.addEventListener('abort', giveUp, { once: true })
    void before.then(() => {
      signal.removeEventListener('abort', giveUp)
      resolve(!signal.aborted)
    })
  })
}
