import type { AgentEvent } from '../../src/agent/events.ts'
import type { ContentBlock } from '../../src/messages/content.ts'

type Shown = { readonly role: string; readonly content: readonly ContentBlock[] }

/**
 * A history as short lines that lose nothing of what is said: `user: "hi"`, `assistant: look#call_1 {"at":1}`,
 * `user: call_1 success "seen"`, `user: call_1 error/cancelled "…"`.
 */
export function sketch(messages: readonly Shown[]): readonly string[] {
  return messages.map(({ role, content }) => `${role}: ${content.map(sketchBlock).join(' ')}`)
}

function sketchBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return JSON.stringify(block.text)
    case 'tool_use':
      return `${block.name}#${block.id} ${JSON.stringify(block.input)}`
    case 'tool_result':
      return `${block.toolUseId} ${block.status}${block.code === undefined ? '' : `/${block.code}`} ${block.content.map((part) => (part.type === 'text' ? JSON.stringify(part.text) : part.type)).join(' ')}`
    case 'reasoning':
      return `thinks ${JSON.stringify(block.text)}`
    default:
      return block.type
  }
}

/** The types of events, runs of one type as one entry: `text_delta ×3`. */
export function typesOf(events: readonly AgentEvent[]): readonly string[] {
  const runs: { readonly type: string; count: number }[] = []
  for (const { type } of events) {
    const last = runs.at(-1)
    if (last?.type === type) last.count++
    else runs.push({ type, count: 1 })
  }
  return runs.map(({ type, count }) => (count === 1 ? type : `${type} ×${count}`))
}
