import type { AssistantBlock, ReasoningBlock } from '../../messages/content.ts'
import type { JsonObject } from '../../util/json.ts'
import { providerName } from './options.ts'

/** What this provider gave with the block, and wants back with it. */
export const ownData = (block: AssistantBlock): JsonObject | undefined => ('provider' in block ? block.provider?.[providerName] : undefined)

/**
 * Anthropic takes back only thinking that it signed, or hid. Other people's models behind its API sign nothing, and many of their
 * servers refuse a turn that called tools without what was thought before.
 *
 * @param signs does the model sign what it thinks?
 */
export const isOwnThinking = (block: ReasoningBlock, signs: boolean): boolean =>
  ownData(block) !== undefined && (block.redacted !== undefined || Boolean(block.signature) || !signs)

/** Does a block of an assistant go to the API at all? Not what another provider alone understands, nor pictures. */
export function isReplayed(block: AssistantBlock, signs: boolean): boolean {
  switch (block.type) {
    case 'text':
    case 'tool_use':
      return true
    case 'reasoning':
      return isOwnThinking(block, signs)
    case 'server_tool_use':
    case 'server_tool_result':
      return ownData(block) !== undefined
    default:
      return false
  }
}
