import type { SendableMessage } from './normalise.ts'
import { normalise } from './normalise.ts'
import type { Message } from './message.ts'
import { trust } from './stored.ts'

/**
 * The history of one agent: append-only, every message frozen, and beside each the form in which it is sent, made once.
 * So a turn reads nothing of what came before it.
 */
export class Transcript {
  #messages: Message[] = []
  #sendable: SendableMessage[] = []
  #view: readonly Message[] | undefined
  /** The provider's newest count of tokens, and how many messages it covers. Gone when the history is replaced. */
  counted: { readonly tokens: number; readonly length: number } | undefined

  constructor(messages: readonly Message[] = []) {
    this.reset(messages)
  }

  get length(): number {
    return this.#messages.length
  }

  get last(): Message | undefined {
    return this.#messages.at(-1)
  }

  /** The messages now, as a frozen array. */
  get messages(): readonly Message[] {
    return (this.#view ??= Object.freeze(this.#messages.slice()))
  }

  /** What a provider gets. A new array each time, its elements shared. */
  sendable(): readonly SendableMessage[] {
    return this.#sendable.slice()
  }

  append(message: Message): void {
    trust(message)
    this.#messages.push(message)
    this.#sendable.push(normalise(message))
    this.#view = undefined
  }

  replaceLast(message: Message): void {
    trust(message)
    this.#messages[this.#messages.length - 1] = message
    this.#sendable[this.#sendable.length - 1] = normalise(message)
    this.#view = undefined
  }

  reset(messages: readonly Message[]): void {
    messages.forEach(trust)
    this.#messages = [...messages]
    this.#sendable = messages.map(normalise)
    this.#view = undefined
    this.counted = undefined
  }
}
