import type { CachePointBlock as WireCachePoint } from '@aws-sdk/client-bedrock-runtime'
import type { CachePointBlock, ContentBlock } from '../../messages/content.ts'
import type { SendableMessage } from '../../messages/normalise.ts'
import type { Family } from './families.ts'

/** A request may hold this many cache points. */
export const maxPoints = 4

/** The blocks of a message, by index, behind which a cache point stands. */
export type Marks = ReadonlyMap<number, CachePointBlock>

/** Five minutes are what all models keep, and older ones refuse to be told so. */
export const wirePoint = ({ ttl }: CachePointBlock, family: Family): { readonly cachePoint: WireCachePoint } => ({
  cachePoint: { type: 'default', ...(ttl === '1h' && family.cachesLong && { ttl }) },
})

/**
 * Where the newest cache points stand, by message.
 *
 * @param room how many there may be.
 */
export function marksOf(messages: readonly SendableMessage[], room: number): ReadonlyMap<number, Marks> {
  const places = new Map<number, Map<number, CachePointBlock>>()
  for (let i = messages.length - 1; i >= 0 && room > 0; i--) {
    const content: readonly ContentBlock[] = messages[i]!.content
    for (let at = content.length - 1; at >= 0 && room > 0; at--) {
      const point = content[at]!
      if (point.type !== 'cache_point') continue
      const [message, block] = placeBefore(messages, i, at)
      if (block < 0 || places.get(message)?.has(block)) continue
      places.set(message, (places.get(message) ?? new Map<number, CachePointBlock>()).set(block, point))
      room--
    }
  }
  return places
}

/** The nearest block before a place that a point may follow, in the same message or at the end of the one before. */
function placeBefore(messages: readonly SendableMessage[], i: number, at: number): readonly [message: number, block: number] {
  const block = lastMarkable(messages[i]!, at)
  return block >= 0 || i === 0 ? [i, block] : [i - 1, lastMarkable(messages[i - 1]!, Infinity)]
}

/** The API refuses a point behind thinking, and behind a document other than PDF. */
function lastMarkable({ role, content }: SendableMessage, before: number): number {
  const head: readonly ContentBlock[] = content.slice(0, before)
  return head.findLastIndex((block) => {
    if (role === 'assistant') return block.type === 'text' || block.type === 'tool_use'
    return block.type === 'document'
      ? block.mediaType === 'application/pdf' && block.source.type === 'base64'
      : block.type !== 'cache_point'
  })
}
