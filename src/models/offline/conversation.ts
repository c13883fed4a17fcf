import type { ToolResultBlock, UserBlock } from '../../messages/content.ts'
import { textOf } from '../../messages/content.ts'
import type { SendableMessage } from '../../messages/normalise.ts'
import { placeholder } from '../../messages/repair.ts'
import { isBlank } from '../../util/text.ts'
import type { Answered } from './replay.ts'
import type { Outcome } from './work.ts'

/** What the messages of a request mean to this model. */
export type Conversation = {
  /** The newest thing that the user said. */
  readonly prompt: string
  /** Images and documents that came with it. */
  readonly attachments: number
  /** The calls made since then, with their outcomes, in call order. */
  readonly answered: readonly Answered[]
  /** Earlier prompts, the newest first. */
  readonly earlier: readonly string[]
  /** What was last answered before the prompt. */
  readonly lastAnswer: string | undefined
}

/** How many earlier prompts are looked at to find out what "it" means. */
const lookBack = 5

/** What a tool result stands for when its tool had nothing to say. */
const nothings: readonly string[] = ['(no output)', placeholder]

export function conversationOf(messages: readonly SendableMessage[]): Conversation {
  const at = messages.findLastIndex(isPrompt)
  const before = messages.slice(0, Math.max(at, 0))
  const content = (at < 0 ? [] : messages[at]!.content) as readonly UserBlock[]
  return {
    prompt: saidIn(content),
    attachments: content.filter(({ type }) => type === 'image' || type === 'document').length,
    answered: answersIn(messages.slice(at + 1)),
    earlier: before
      .filter(isPrompt)
      .slice(-lookBack)
      .reverse()
      .map(({ content: said }) => saidIn(said as readonly UserBlock[])),
    lastAnswer: before
      .filter(({ role }) => role === 'assistant')
      .map(textOf)
      .findLast((text) => !isBlank(text)),
  }
}

const isPrompt = (message: SendableMessage): boolean =>
  message.role === 'user' && message.content.some(({ type }) => type === 'text' || type === 'image' || type === 'document')

function saidIn(content: readonly UserBlock[]): string {
  const texts: string[] = []
  for (const block of content)
    if (block.type === 'text' && block.text !== placeholder && !block.text.startsWith('<user_command>')) texts.push(block.text)
  return texts.join('\n').trim()
}

function answersIn(messages: readonly SendableMessage[]): readonly Answered[] {
  const results = new Map<string, ToolResultBlock>()
  for (const { content } of messages) for (const block of content) if (block.type === 'tool_result') results.set(block.toolUseId, block)
  const answered: Answered[] = []
  for (const { content } of messages) {
    for (const block of content) {
      const result = block.type === 'tool_use' ? results.get(block.id) : undefined
      if (block.type === 'tool_use' && result) answered.push({ call: { tool: block.name, input: block.input }, outcome: outcomeOf(result) })
    }
  }
  return answered
}

function outcomeOf({ status, code, content }: ToolResultBlock): Outcome {
  const parts = content.map((part) => {
    if (part.type === 'text') return part.text
    return part.type === 'json' ? JSON.stringify(part.value) : `[${part.type === 'image' ? 'an image' : 'a document'}, ${part.mediaType}]`
  })
  const text = parts.join('\n')
  return { status, code, text: nothings.includes(text.trim()) ? '' : text }
}
