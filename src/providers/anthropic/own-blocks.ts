import type { AssistantBlock, ReasoningBlock } from '../../messages/content.ts'
import type { JsonObject } from '../../util/json.ts'
import { providerName } from './options.ts'

/** What this provider gave with the block, and wants back with it. */
export const ownData = (block: AssistantBlock): JsonObject | undefined => ('provider' in block ? block.provider?.[providerName] : undefined)

/** Only thinking that Anthropic signed, or hid, is taken back. */
export const isOwnThinking = (block: ReasoningBlock): boolean =>
  ownData(block) !== undefined && (block.redacted !== undefined || Boolean(block.signature))

/** Does a block of an assistant go to the API at all? Not what another provider alone understands, nor pictures. */
export function isReplayed(block: AssistantBlock): boolean {
  switch (block.type) {
    case 'text':
    case 'tool_use':
      return true
    case 'reasoning':
      return isOwnThinking(block)
    case 'server_tool_use':
    case 'server_tool_result':
      return ownData(block) !== undefined
    default:
      return false
  }
}
