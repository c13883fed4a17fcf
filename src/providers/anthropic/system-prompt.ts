import type { ModelRequest } from '../../models/model.ts'
import type { JsonObject } from '../../util/json.ts'
import { isBlank } from '../../util/text.ts'
import { cacheControl } from './cache-points.ts'

export type SystemPrompt = {
  readonly blocks: readonly JsonObject[]
  /** The mark for what stands before the system prompt: the tools. */
  readonly before: JsonObject | undefined
  /** How many marks there are, this one included. */
  readonly marks: number
}

/**
 * The system prompt as text blocks. Each cache point marks the block before it, the first ones as far as there is room; at
 * the beginning it marks the tools, when there are any.
 */
export function systemPrompt(system: ModelRequest['system'], room: number, hasTools: boolean): SystemPrompt {
  const blocks: JsonObject[] = []
  let before: JsonObject | undefined
  let marks = 0
  for (const block of system) {
    if (block.type === 'text') {
      if (!isBlank(block.text)) blocks.push({ type: 'text', text: block.text })
      continue
    }
    const last = blocks.at(-1)
    if (marks >= room || (last ? last['cache_control'] !== undefined : before || !hasTools)) continue
    if (last) blocks[blocks.length - 1] = { ...last, cache_control: cacheControl(block) }
    else before = cacheControl(block)
    marks++
  }
  return { blocks, before, marks }
}
