import { isBlank } from '../util/text.ts'
import { freezeOwn } from '../util/json.ts'
import type { AssistantBlock, ContentBlock, ToolResultContent, UserBlock } from './content.ts'
import type { Message } from './message.ts'
import { placeholder } from './repair.ts'

/** A message as providers get it: role and content alone, nothing that any of them refuses. */
export type SendableMessage = { readonly role: 'user'; readonly content: readonly UserBlock[] } | { readonly role: 'assistant'; readonly content: readonly AssistantBlock[] }

/** What a tool name must look like on every wire. */
export const toolNamePattern = /^[a-zA-Z0-9_-]{1,64}$/

/** The name that stands for one that no provider would take. */
export const invalidToolName = 'INVALID_TOOL_NAME'

/**
 * The one place where a stored message is made fit to send: blank texts go, what would be empty gets a placeholder, an
 * illegal tool name is replaced. The stored message is not changed; each is normalised once, when it is stored.
 */
export function normalise(message: Message): SendableMessage {
  const content = message.content.filter((block) => !isBlankText(block)).map(normaliseBlock)
  const sent = content.length === 0 || content.every((block) => block.type === 'cache_point') ? [{ type: 'text', text: placeholder } as const, ...content] : content
  return freezeOwn({ role: message.role, content: sent } as SendableMessage)
}

const isBlankText = (block: ContentBlock | ToolResultContent): boolean => block.type === 'text' && isBlank(block.text)

function normaliseBlock(block: ContentBlock): ContentBlock {
  if (block.type === 'tool_use' && !toolNamePattern.test(block.name)) return { ...block, name: invalidToolName }
  if (block.type === 'tool_result') {
    const content = block.content.filter((part) => !isBlankText(part))
    if (content.length === block.content.length && content.length > 0) return block
    return { ...block, content: content.length > 0 ? content : [{ type: 'text', text: placeholder }] }
  }
  return block
}
