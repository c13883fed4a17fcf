import type { ToolConsumer } from '../tools/provider.ts'
import { notNeeded } from '../util/abort.ts'
import type { Clock } from '../util/clock.ts'

/** How long until a server that did not start is tried again. */
const tryAgainMs = 30_000

/** The agents that use a client: they are told of what happens at the server while no call of theirs runs. */
export class Consumers {
  readonly #clock: Clock
  readonly #all = new Set<ToolConsumer>()
  #retry: AbortController | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(consumer: ToolConsumer): void {
    this.#all.add(consumer)
  }

  /** True when it was there, and the last. */
  remove(consumer: ToolConsumer): boolean {
    return this.#all.delete(consumer) && this.#all.size === 0
  }

  warn(code: string, message: string): void {
    for (const consumer of this.#all) consumer.warn(code, message)
  }

  toolsChanged(): void {
    for (const consumer of this.#all) consumer.toolsChanged()
  }

  /** Has the agents load again after a while. The timer ends with the last agent. */
  tryAgainLater(): void {
    if (this.#retry || this.#all.size === 0) return
    const retry = (this.#retry = new AbortController())
    void this.#clock.sleep(tryAgainMs, retry.signal).then(() => {
      if (retry.signal.aborted) return
      this.#retry = undefined
      this.toolsChanged()
    })
  }

  stopRetry(): void {
    this.#retry?.abort(notNeeded)
    this.#retry = undefined
  }
}
