import type { CachePointBlock } from '../../messages/content.ts'
import type { ModelRequest } from '../../models/model.ts'
import { mergedMetadata } from './metadata.ts'
import type { Metadata } from './spec.ts'

/** No provider takes more marks than this in one request, and which they leave out then is not always the oldest. */
const maxMarks = 4

/** A cache point, as the providers that know one name it; the others read nothing of it. */
const markOf = ({ ttl }: CachePointBlock): Metadata => ({
  anthropic: { cacheControl: { type: 'ephemeral', ...(ttl && { ttl }) } },
  bedrock: { cachePoint: { type: 'default', ...(ttl && { ttl }) } },
})

/** Decides which cache points of a request are sent: those of the system prompt, and the newest of the messages. */
export class CachePoints {
  #systemRoom: number
  #skipped: number

  constructor({ system, messages }: ModelRequest) {
    const inSystem = Math.min(maxMarks, count(system))
    const inMessages = messages.reduce((sum, { content }) => sum + count(content), 0)
    this.#systemRoom = inSystem
    this.#skipped = Math.max(0, inMessages - (maxMarks - inSystem))
  }

  inSystem(point: CachePointBlock): Metadata | undefined {
    return this.#systemRoom-- > 0 ? markOf(point) : undefined
  }

  /** To be asked for each in order. */
  inMessages(point: CachePointBlock): Metadata | undefined {
    return this.#skipped-- > 0 ? undefined : markOf(point)
  }
}

const count = (blocks: readonly { readonly type: string }[]): number => blocks.filter(({ type }) => type === 'cache_point').length

/** Puts a mark on a part or a message. */
export function mark(target: { providerOptions?: Metadata } | undefined, options: Metadata | undefined): void {
  const merged = target && options && mergedMetadata(target.providerOptions, options)
  if (merged) target.providerOptions = merged
}
