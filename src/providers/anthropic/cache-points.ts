import type { AssistantBlock, CachePointBlock, ContentBlock } from '../../messages/content.ts'
import type { SendableMessage } from '../../messages/normalise.ts'
import type { JsonObject } from '../../util/json.ts'
import { isReplayed } from './own-blocks.ts'

/** A request may mark this many places. */
export const maxMarks = 4

/** A message, and what holds for it in one request alone. */
export type DressedMessage = {
  readonly message: SendableMessage
  /** The blocks, by index, up to which everything may be kept in the cache. */
  readonly marks: ReadonlyMap<number, CachePointBlock>
  /** White space at its end is left out. */
  readonly trimmed: boolean
}

const noMarks: ReadonlyMap<number, CachePointBlock> = new Map()

export const cacheControl = ({ ttl }: CachePointBlock): JsonObject => ({ type: 'ephemeral', ...(ttl && { ttl }) })

/**
 * Dresses the messages of a request. Only so many cache points may be sent, so the older ones lose their mark as newer ones
 * come; a message is the same object as long as it is dressed alike, and all others go as they are.
 */
export class Dresser {
  readonly #signs: boolean
  readonly #known = new WeakMap<SendableMessage, Map<string, DressedMessage>>()

  /** @param signs does the model sign what it thinks? */
  constructor(signs: boolean) {
    this.#signs = signs
  }

  /**
   * @param room how many marks are left for messages.
   * @param trimmed leave out white space at the end of the last message.
   */
  dress(messages: readonly SendableMessage[], room: number, trimmed: boolean): readonly (SendableMessage | DressedMessage)[] {
    const places = placesOf(messages, room, this.#signs)
    if (places.size === 0 && !trimmed) return messages
    return messages.map((message, i) => {
      const trims = trimmed && i === messages.length - 1
      const marks = places.get(i)
      return marks || trims ? this.#dressed(message, marks ?? noMarks, trims) : message
    })
  }

  #dressed(message: SendableMessage, marks: ReadonlyMap<number, CachePointBlock>, trimmed: boolean): DressedMessage {
    let forms = this.#known.get(message)
    if (!forms) this.#known.set(message, (forms = new Map()))
    const form = `${[...marks].map(([at, { ttl }]) => `${at}${ttl ?? ''}`).join()} ${trimmed}`
    let dressed = forms.get(form)
    if (!dressed) forms.set(form, (dressed = { message, marks, trimmed }))
    return dressed
  }
}

/** The places of the newest cache points, by message and block. */
function placesOf(messages: readonly SendableMessage[], room: number, signs: boolean): Map<number, Map<number, CachePointBlock>> {
  const places = new Map<number, Map<number, CachePointBlock>>()
  for (let i = messages.length - 1; i >= 0 && room > 0; i--) {
    const content: readonly ContentBlock[] = messages[i]!.content
    for (let at = content.length - 1; at >= 0 && room > 0; at--) {
      const point = content[at]!
      if (point.type !== 'cache_point') continue
      const [message, block] = placeBefore(messages, i, at, signs)
      if (block < 0 || places.get(message)?.has(block)) continue
      places.set(message, (places.get(message) ?? new Map<number, CachePointBlock>()).set(block, point))
      room--
    }
  }
  return places
}

/** The nearest block before a place that can carry a mark, in the same message or at the end of the one before. */
function placeBefore(
  messages: readonly SendableMessage[],
  i: number,
  at: number,
  signs: boolean,
): readonly [message: number, block: number] {
  const block = lastMarkable(messages[i]!, at, signs)
  return block >= 0 || i === 0 ? [i, block] : [i - 1, lastMarkable(messages[i - 1]!, Infinity, signs)]
}

/** Thinking carries no mark. */
function lastMarkable({ role, content }: SendableMessage, before: number, signs: boolean): number {
  const head = content.slice(0, before)
  return role === 'user'
    ? head.findLastIndex(({ type }) => type !== 'cache_point')
    : (head as readonly AssistantBlock[]).findLastIndex((block) => block.type !== 'reasoning' && isReplayed(block, signs))
}
