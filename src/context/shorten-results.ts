import type { ToolResultBlock } from '../messages/content.ts'
import type { Message, UserMessage } from '../messages/message.ts'
import { freezeOwn } from '../util/json.ts'
import { headOf, tailOf } from '../util/text.ts'

/** The marker takes some room itself: for less than this a result is not worth changing. */
const leastGain = 200

/**
 * The message with the text of its results held to `maxChars` characters each, and without their images and documents where
 * a result is too long. A marker says how much is gone; ids, status and order stay.
 *
 * `undefined` when nothing is long enough. So one that was shortened is not shortened again.
 *
 * @param sizeOf characters that a result counts as; the default counts text and JSON.
 */
export function shortenResults(
  message: Message,
  maxChars: number,
  sizeOf: (result: ToolResultBlock) => number = charsOf,
): UserMessage | undefined {
  if (message.role !== 'user') return undefined
  let changed = false
  const content = message.content.map((block) => {
    if (block.type !== 'tool_result' || sizeOf(block) < maxChars + leastGain) return block
    changed = true
    return shorten(block, maxChars)
  })
  return changed ? freezeOwn({ ...message, content }) : undefined
}

/** Characters of what a result says, of JSON as it is written. */
export function charsOf({ content }: ToolResultBlock): number {
  let chars = 0
  for (const part of content) chars += part.type === 'text' ? part.text.length : part.type === 'json' ? json(part.value).length : 0
  return chars
}

const json = (value: unknown): string => JSON.stringify(value) ?? 'null'

/** One result, held to so many characters, whatever it has. */
export function shorten(result: ToolResultBlock, maxChars: number): ToolResultBlock {
  const text = result.content
    .flatMap((part) => (part.type === 'text' ? [part.text] : part.type === 'json' ? [json(part.value)] : []))
    .join('\n')
  const media = result.content.filter(({ type }) => type === 'image' || type === 'document').length
  // Errors and sums stand at the end, what it is about at the beginning.
  const tail = tailOf(text, Math.min(text.length, Math.floor(maxChars / 4)))
  const head = headOf(text, Math.max(0, Math.min(text.length - tail.length, maxChars - tail.length)))
  const lost = text.length - head.length - tail.length
  const what = [
    ...(lost > 0 ? [`${lost} characters`] : []),
    ...(media > 0 ? [media === 1 ? '1 image or document' : `${media} images and documents`] : []),
  ].join(' and ')
  const marker = `[${what} of this result left out to save room]`
  const { type, toolUseId, status, code } = result
  // Without the structured content: it would hold what was taken away.
  return {
    type,
    toolUseId,
    status,
    ...(code && { code }),
    content: [{ type: 'text', text: [head, marker, tail].filter((piece) => piece !== '').join('\n') }],
  }
}
