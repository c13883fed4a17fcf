import type { JsonObject } from '../util/json.ts'
import { frozenCopy } from '../util/json.ts'
import type { Building } from './building-block.ts'
import type { BlockStart } from './model-events.ts'

/** Where the names of a new block come from. */
export type BlockNames = {
  readonly blockId: () => string
  readonly callId: () => string
  /** The provider's data of a call, with its id where that may be kept. */
  readonly idData: (id: string | undefined, provider: JsonObject | undefined) => JsonObject | undefined
}

/** A block that begins; `undefined` for a kind that this version does not know: it has no place in a message. */
export function openBlock(start: BlockStart, { blockId, callId, idData }: BlockNames): Building | undefined {
  switch (start.type) {
    case 'text':
      return { type: 'text', id: blockId(), text: '', citations: undefined, provider: undefined, open: true }
    case 'reasoning':
      return { type: 'reasoning', id: blockId(), text: '', signature: undefined, redacted: undefined, provider: undefined, open: true }
    case 'tool_use': {
      const provider = idData(start.id, start.provider && frozenCopy(start.provider, 'provider'))
      return { type: 'tool_use', id: callId(), name: start.name, text: '', parsedLength: 0, parsed: undefined, provider, open: true }
    }
    case 'server_tool_use':
    case 'server_tool_result':
    case 'image':
    case 'document':
      // A copy: the provider may use its object again.
      return { type: 'given', block: frozenCopy(start, start.type), text: '', provider: undefined, open: true }
    default:
      return undefined
  }
}
