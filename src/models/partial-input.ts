import { parse as parsePartial } from 'partial-json'
import type { JsonValue } from '../util/json.ts'
import { frozenCopy } from '../util/json.ts'
import type { Building } from './building-block.ts'

/** The input so far as a value. Parsed anew only when it has grown by an eighth, so that all the parsing together stays linear. */
export function partialInputOf(block: Building & { type: 'tool_use' }): JsonValue | undefined {
  if (block.text.length < block.parsedLength + Math.floor(block.parsedLength / 8) + 1) return undefined
  block.parsedLength = block.text.length
  try {
    // The copy refuses what the final parse would not give: `NaN`, a prototype set by a key.
    return frozenCopy(parsePartial(block.text) as JsonValue)
  } catch {
    return undefined
  }
}
