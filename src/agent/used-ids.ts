import type { Message } from '../messages/message.ts'
import type { Ids } from '../util/ids.ts'
import { randomIds } from '../util/ids.ts'

/** The ids of the calls in one history: ours, and those that providers gave. An id that was used names no other call. */
export class UsedIds {
  /** Ours, where their source may give one again. */
  readonly #calls: Set<string> | undefined
  readonly #given = new Set<string>()
  /** Ids for new calls. A source that counts begins anew with each process, but the history that it meets may not. */
  readonly fresh: Ids

  constructor(ids: Ids, messages: readonly Message[]) {
    this.#calls = ids === randomIds ? undefined : new Set()
    this.fresh = this.#calls ? freshFrom(ids, this.#calls) : ids
    this.reset(messages)
  }

  reset(messages: readonly Message[]): void {
    this.#calls?.clear()
    this.#given.clear()
    for (const message of messages) this.add(message)
  }

  add(message: Message): void {
    for (const block of message.content) {
      if (block.type !== 'tool_use') continue
      this.#calls?.add(block.id)
      for (const { id } of Object.values(block.provider ?? {}) as { readonly id?: unknown }[])
        if (typeof id === 'string') this.#given.add(id)
    }
  }

  /** Did a provider give this id to a call of the history? It goes back to the provider only while it is the only one. */
  wasGiven(id: string): boolean {
    return this.#given.has(id)
  }
}

const freshFrom = (ids: Ids, used: ReadonlySet<string>): Ids => ({
  next: (kind) => {
    const given = ids.next(kind)
    let id = given
    for (let n = 2; kind === 'call' && used.has(id); n++) id = `${given}_${n}`
    return id
  },
})
