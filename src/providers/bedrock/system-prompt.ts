import type { SystemContentBlock } from '@aws-sdk/client-bedrock-runtime'
import type { CachePointBlock } from '../../messages/content.ts'
import type { ModelRequest } from '../../models/model.ts'
import { isBlank } from '../../util/text.ts'
import { maxPoints, wirePoint } from './cache-points.ts'
import type { Family } from './families.ts'

export type SystemPrompt = {
  readonly system: readonly SystemContentBlock[]
  /** The cache point for what stands before the system prompt: the tools. */
  readonly before: CachePointBlock | undefined
  /** How many points stand in it. */
  readonly points: number
}

/** The system prompt as the API wants it. A cache point must follow a text; one that stands first is meant for the tools. */
export function systemPrompt(blocks: ModelRequest['system'], family: Family): SystemPrompt {
  const system: SystemContentBlock[] = []
  let before: CachePointBlock | undefined
  let points = 0
  for (const block of blocks) {
    if (block.type === 'text') {
      if (!isBlank(block.text)) system.push({ text: block.text })
    } else if (family.caches !== 'nowhere') {
      if (system.length === 0) before ??= block
      else if (system.at(-1)!.text !== undefined && points < maxPoints - (before ? 1 : 0)) {
        system.push(wirePoint(block, family))
        points++
      }
    }
  }
  return { system, before, points }
}
