import type { AssistantBlock, ContentBlock, ToolUseBlock, UserBlock } from './content.ts'
import type { ModelStopReason } from './stop-reason.ts'
import type { Usage } from './usage.ts'

export type MessageMetadata = {
  readonly usage?: Usage | undefined
  readonly timeToFirstTokenMs?: number | undefined
  readonly durationMs?: number | undefined
  /** `provider/id` of the model that wrote it. */
  readonly model?: string | undefined
  readonly stopReason?: ModelStopReason | undefined
  /** Not written by a person or a model, but by Lena, to keep the history legal. */
  readonly synthetic?: 'repair' | 'cancelled' | 'error' | 'hook' | 'direct_call' | 'summary' | 'output' | undefined
}
export type UserMessage = {
  readonly id: string
  readonly role: 'user'
  readonly content: readonly UserBlock[]
  readonly metadata?: MessageMetadata | undefined
}
export type AssistantMessage = {
  readonly id: string
  readonly role: 'assistant'
  readonly content: readonly AssistantBlock[]
  readonly metadata?: MessageMetadata | undefined
}
/** A stored message: frozen, shared, never changed. */
export type Message = UserMessage | AssistantMessage
/** A message as a user may write it: a string stands for one text block, the id is given when it is missing. */
export type MessageInput = {
  readonly id?: string | undefined
  readonly role: 'user' | 'assistant'
  readonly content: string | readonly ContentBlock[]
  readonly metadata?: MessageMetadata | undefined
}

export function toolUsesOf(message: Message | undefined): readonly ToolUseBlock[] {
  if (message?.role !== 'assistant') return []
  return message.content.filter((block) => block.type === 'tool_use')
}
