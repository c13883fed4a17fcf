import type { ContentBlock } from '../messages/content.ts'
import type { Message, MessageInput } from '../messages/message.ts'
import { storedBlocks, storedMessage } from '../messages/stored.ts'
import { randomIds } from '../util/ids.ts'
import { isObject } from '../util/json.ts'
import type { KeptMessages } from './compaction.ts'
import type { Warn } from './log.ts'

/** The history while records are applied to it. */
export class RestoredHistory {
  messages: readonly Message[] = []
  #list: Message[] = []
  #places = new Map<string, number>()
  readonly #warn: Warn

  constructor(warn: Warn) {
    this.#warn = warn
    this.#put([])
  }

  add(given: unknown, record: string): void {
    const message = this.#read(given, record)
    if (message) this.#push(message)
  }

  replace(given: unknown, replaces: unknown, record: string): void {
    const message = this.#read(given, record)
    if (!message) return
    const place = this.#places.get(String(replaces))
    if (place === undefined) {
      this.#warn(`the record ${record} replaces a message that is not there; it is put at the end`)
      return this.#push(message)
    }
    this.#places.delete(String(replaces))
    this.#places.set(message.id, place)
    this.#list[place] = message
  }

  compact(items: unknown, record: string): void {
    if (!Array.isArray(items)) return this.#warn(`the compaction ${record} has no messages; it is left out`)
    const old = this.#list
    const places = this.#places
    this.#put([])
    for (const item of items as readonly (Message | KeptMessages)[]) {
      if (!isObject(item) || !('kept' in item)) {
        this.add(item, record)
        continue
      }
      const [first, last] = Array.isArray(item.kept) ? item.kept : []
      const from = places.get(first!)
      const to = places.get(last!)
      if (from === undefined || to === undefined)
        this.#warn(`the compaction ${record} keeps messages that are not there; they are left out`)
      else for (let i = from; i <= to; i++) this.#push(old[i]!)
    }
  }

  #put(list: Message[]): void {
    this.#list = list
    this.messages = list
    this.#places = new Map()
  }

  #push(message: Message): void {
    this.#places.set(message.id, this.#list.length)
    this.#list.push(message)
  }

  #read(given: unknown, record: string): Message | undefined {
    const path = `the message of the record ${record}`
    try {
      return storedMessage(given as MessageInput, randomIds, path)
    } catch (error) {
      this.#warn(`${error instanceof Error ? error.message : String(error)} What can be read of it is kept`)
    }
    // A newer version may have blocks that this one does not know. The rest of the message is still good.
    if (!isObject(given) || !Array.isArray(given['content'])) return undefined
    const content = (given['content'] as readonly ContentBlock[]).filter((block) => isReadable(block, given['role']))
    try {
      return storedMessage({ ...given, content } as unknown as MessageInput, randomIds, path)
    } catch {
      return undefined
    }
  }
}

function isReadable(block: ContentBlock, role: unknown): boolean {
  try {
    storedBlocks([block], role === 'user' ? 'user' : 'assistant', 'block')
    return true
  } catch {
    return false
  }
}
