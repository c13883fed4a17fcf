/** When a person may be asked: while a turn is under way, in which they wait for an answer. */
export class Turns {
  #current: AbortSignal | undefined

  /** Fires when the turn is cancelled, and when it is over. `undefined`: none is under way. */
  get current(): AbortSignal | undefined {
    return this.#current
  }

  /** @param cancelled fires when the turn is cancelled. */
  async during<T>(cancelled: AbortSignal, turn: () => Promise<T>): Promise<T> {
    const over = new AbortController()
    const current = (this.#current = AbortSignal.any([cancelled, over.signal]))
    try {
      return await turn()
    } finally {
      over.abort()
      if (this.#current === current) this.#current = undefined
    }
  }
}
