import type { ContentBlock, ToolResultContent } from '../messages/content.ts'
import type { Message } from '../messages/message.ts'
import { headOf, tailOf } from '../util/text.ts'

/** Characters of one block, tried from the first on until the whole fits. */
const blockSizes = [8000, 2000, 500, 150]

/**
 * A history as plain text, of at most `maxChars`. So a model can read it that has no tools, other thoughts, or no eyes. Long blocks
 * are cut first; what is still too long loses its middle.
 */
export function writtenHistory(messages: readonly Message[], maxChars: number): string {
  let all = ''
  for (const size of blockSizes) {
    all = messages.map((message) => written(message, size)).join('\n\n')
    if (all.length <= maxChars) return all
  }
  return shortened(all, maxChars)
}

const written = ({ role, content }: Message, size: number): string =>
  content
    .map((block) => line(role, block, size))
    .filter((said) => said !== '')
    .join('\n')

function line(role: string, block: ContentBlock, size: number): string {
  switch (block.type) {
    case 'text':
      return `[${role}] ${shortened(block.text, size)}`
    case 'tool_use':
    case 'server_tool_use':
      return `[${role} calls ${block.name}] ${shortened(JSON.stringify(block.input) ?? '', size)}`
    case 'tool_result':
      return `[result: ${block.status}] ${shortened(block.content.map(part).join('\n'), size)}`
    case 'server_tool_result':
      return `[result] ${shortened(JSON.stringify(block.content) ?? '', size)}`
    case 'image':
    case 'document':
      return `[${role}] ${part(block)}`
    case 'reasoning':
    case 'cache_point':
      return ''
  }
}

function part(block: ToolResultContent): string {
  if (block.type === 'text') return block.text
  if (block.type === 'json') return JSON.stringify(block.value) ?? 'null'
  return block.type === 'document' && block.title !== undefined ? `(a document: ${block.title})` : `(${block.type}: ${block.mediaType})`
}

/** Two thirds of what is kept come from the beginning. */
function shortened(text: string, max: number): string {
  if (text.length <= max) return text
  const tail = tailOf(text, Math.floor(max / 3))
  const head = headOf(text, Math.max(0, max - tail.length - 40))
  return `${head} […${text.length - head.length - tail.length} characters…] ${tail}`
}
