import type { AssistantBlock, ReasoningBlock } from '../../messages/content.ts'
import type { JsonObject } from '../../util/json.ts'
import { providerName } from './options.ts'

/** What a block keeps for its way back. */
export type OwnData = {
  /** The id of a call. */
  readonly id?: string
  /** Whose model signed or ran it. */
  readonly maker?: string
  /** What the server calls a call of its own, or its result. */
  readonly type?: string
  readonly status?: string
}

/** What this provider gave with the block; nothing when the block is another's. */
export const ownData = (block: AssistantBlock): OwnData | undefined => ('provider' in block ? block.provider?.[providerName] : undefined)

/** What is kept with a block that one maker's models alone understand. */
export const makersData = (maker: string | undefined, more: JsonObject = {}): JsonObject => ({
  ...(maker !== undefined && { maker }),
  ...more,
})

/** Only thinking that a model of the same maker signed, or hid, is taken back. */
export function isOwnThinking(block: ReasoningBlock, maker: string | undefined): boolean {
  const own = ownData(block)
  return own !== undefined && own.maker === maker && (block.redacted !== undefined || Boolean(block.signature))
}

/** Does a block of an assistant go to the API at all? Not what another model alone understands, nor pictures. */
export function isReplayed(block: AssistantBlock, maker: string | undefined): boolean {
  switch (block.type) {
    case 'text':
    case 'tool_use':
      return true
    case 'reasoning':
      return isOwnThinking(block, maker)
    case 'server_tool_use':
    case 'server_tool_result': {
      const own = ownData(block)
      return own !== undefined && own.maker === maker
    }
    default:
      return false
  }
}
