import type { SendableMessage } from './normalise.ts'
import { normalise } from './normalise.ts'
import type { Message } from './message.ts'
import { trust } from './stored.ts'

/** Who is told of each change, in order. */
export interface TranscriptObserver {
  appended(message: Message): void
  replaced(message: Message, replaces: string): void
  reset(before: readonly Message[], after: readonly Message[]): void
}

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

  #observer: TranscriptObserver | undefined

  constructor(messages: readonly Message[] = []) {
    this.reset(messages)
  }

  /** From now on this one is told of changes. */
  observe(observer: TranscriptObserver): void {
    this.#observer = observer
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
    this.#observer?.appended(message)
  }

  replaceLast(message: Message): void {
    trust(message)
    const replaces = this.#messages.at(-1)!.id
    this.#messages[this.#messages.length - 1] = message
    this.#sendable[this.#sendable.length - 1] = normalise(message)
    this.#view = undefined
    this.#observer?.replaced(message, replaces)
  }

  reset(messages: readonly Message[]): void {
    messages.forEach(trust)
    const before = this.#messages
    this.#messages = [...messages]
    this.#sendable = messages.map(normalise)
    this.#view = undefined
    this.counted = undefined
    this.#observer?.reset(before, messages)
  }
}
