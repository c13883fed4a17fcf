import { isBlank } from '../util/text.ts'
import { freezeOwn, wellFormed } from '../util/json.ts'
import type { AssistantBlock, ContentBlock, ToolResultContent, UserBlock } from './content.ts'
import type { Message } from './message.ts'
import { placeholder } from './repair.ts'

/** A message as providers get it: role and content alone, nothing that any of them refuses. */
export type SendableMessage =
  | { readonly role: 'user'; readonly content: readonly UserBlock[] }
  | { readonly role: 'assistant'; readonly content: readonly AssistantBlock[] }

/** What a tool name must look like on every wire. */
export const toolNamePattern = /^[a-zA-Z0-9_-]{1,64}$/

/** The name that stands for one that no provider would take. */
export const invalidToolName = 'INVALID_TOOL_NAME'

/**
 * The one place where a stored message is made fit to send: blank texts go, what would be empty gets a placeholder, an
 * illegal tool name is replaced, and half a character (a text was cut inside it) becomes U+FFFD. The stored message is not
 * changed; each is normalised once, when it is stored.
 */
export function normalise(message: Message): SendableMessage {
  const normal = message.content.filter((block) => !isBlankText(block)).map(normaliseBlock)
  const { content: stored } = message
  const content = normal.length === stored.length && normal.every((block, i) => block === stored[i]) ? stored : normal
  const sent = content.every((block) => block.type === 'cache_point') ? [{ type: 'text', text: placeholder } as const, ...content] : content
  return freezeOwn({ role: message.role, content: sent } as SendableMessage, 'nothing')
}

const isBlankText = (block: ContentBlock | ToolResultContent): boolean => block.type === 'text' && isBlank(block.text)

function normaliseBlock(block: ContentBlock): ContentBlock {
  switch (block.type) {
    case 'text':
      return changed(block, 'text', wellFormed(block.text))
    case 'tool_use':
      return changed(
        changed(block, 'name', toolNamePattern.test(block.name) ? block.name : invalidToolName),
        'input',
        wellFormed(block.input),
      )
    case 'tool_result':
      return changed(block, 'content', resultContent(block.content))
    default:
      return block
  }
}

/** The same object when nothing changes, so that what is shared stays shared. */
function changed<B extends object, K extends keyof B>(block: B, key: K, value: B[K]): B {
  return block[key] === value ? block : { ...block, [key]: value }
}

function resultContent(content: readonly ToolResultContent[]): readonly ToolResultContent[] {
  const told = content
    .filter((part) => !isBlankText(part))
    .map((part) => (part.type === 'text' || part.type === 'json' ? wellFormed(part) : part))
  if (told.length === 0) return [{ type: 'text', text: placeholder }]
  return told.length === content.length && told.every((part, i) => part === content[i]) ? content : told
}
