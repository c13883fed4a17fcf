import type { AgentEvent } from './events.ts'

/** How many events may wait for a slow consumer before the run waits for it. */
const bound = 64

/** The one place between a run and its reader. An event costs the same at any time; nothing is kept once it was taken. */
export class EventQueue {
  #events: AgentEvent[] = []
  #head = 0
  #ended = false
  #unbounded = false
  /** Several `next()` may be waiting at once. */
  #readers: (() => void)[] = []
  #room: { readonly promise: Promise<void>; readonly open: () => void } | undefined

  /** Takes an event. The promise, if there is one, resolves when there is room again. */
  push(event: AgentEvent): void | Promise<void> {
    if (this.#ended) return
    this.#events.push(event)
    this.#readers.shift()?.()
    if (this.#unbounded || this.#events.length - this.#head < bound) return
    this.#room ??= withOpen()
    return this.#room.promise
  }

  /** The next event, or `undefined` after the last. */
  async take(): Promise<AgentEvent | undefined> {
    while (this.#head === this.#events.length) {
      if (this.#ended) return undefined
      await new Promise<void>((resolve) => void this.#readers.push(resolve))
    }
    const event = this.#events[this.#head]!
    if (++this.#head === this.#events.length) {
      this.#events = []
      this.#head = 0
    }
    if (this.#events.length - this.#head < bound) this.#openRoom()
    return event
  }

  /** From now on nobody waits for the reader. */
  lift(): void {
    this.#unbounded = true
    this.#openRoom()
  }

  /** No more events. With `drop` those that wait go too. */
  end(drop = false): void {
    this.#ended = true
    if (drop) {
      this.#events = []
      this.#head = 0
    }
    for (const wake of this.#readers.splice(0)) wake()
    this.#openRoom()
  }

  #openRoom(): void {
    this.#room?.open()
    this.#room = undefined
  }
}

function withOpen(): { readonly promise: Promise<void>; readonly open: () => void } {
  let open = (): void => {}
  const promise = new Promise<void>((resolve) => (open = resolve))
  return { promise, open }
}
