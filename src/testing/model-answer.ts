import type { Usage } from '../messages/usage.ts'
import { addUsage, noUsage, replaceUsage } from '../messages/usage.ts'
import type { ModelEvent } from '../models/model-events.ts'
import type { ModelScene } from './model-scenes.ts'

type Answer = { readonly blocks: readonly unknown[]; readonly stopReason: string | undefined; readonly usage: Partial<Usage> }

/** What a run makes of the events, without their pieces. */
export function answerOf(events: readonly ModelEvent[]): Answer {
  const blocks: { type: string; id?: string | undefined; name?: string; text: string }[] = []
  const byIndex = new Map<number, (typeof blocks)[number]>()
  let stopReason: string | undefined
  let usage = noUsage
  for (const event of events) {
    if (event.type === 'block_start' && (event.block.type === 'text' || event.block.type === 'tool_use')) {
      const { type } = event.block
      const block = { type, ...(event.block.type === 'tool_use' && { id: event.block.id, name: event.block.name }), text: '' }
      blocks.push(block)
      byIndex.set(event.index, block)
    }
    if (event.type === 'block_delta' && (event.delta.type === 'text' || event.delta.type === 'tool_input')) {
      let block = byIndex.get(event.index)
      if (!block) {
        blocks.push((block = { type: 'text', text: '' }))
        byIndex.set(event.index, block)
      }
      block.text += event.delta.text
    }
    if (event.type === 'message_stop') ({ stopReason } = event)
    if (event.type === 'metadata' && event.usage) usage = event.cumulative ? replaceUsage(usage, event.usage) : addUsage(usage, event.usage)
  }
  const hasCalls = blocks.some(({ type }) => type === 'tool_use')
  return {
    blocks: blocks.filter(({ type, text }) => type !== 'text' || text !== '').map(shown),
    // Some wires have one word for both; that there are calls says the same.
    stopReason: hasCalls && stopReason === 'end_turn' ? 'tool_use' : stopReason,
    usage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
  }
}

/** A wire may have no ids of its own; one that has some gives the one that came. */
const shown = ({
  type,
  id,
  name,
  text,
}: {
  readonly type: string
  readonly id?: string | undefined
  readonly name?: string
  readonly text: string
}): unknown => (type === 'text' ? { type, text } : { type, name, ...(id !== undefined && { id }), input: parsed(text) })

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return `no JSON: ${text}`
  }
}

const hasIds = (events: readonly ModelEvent[]): boolean =>
  events.some((event) => event.type === 'block_start' && event.block.type === 'tool_use' && event.block.id !== undefined)

/** The answer of a scene, with ids of calls where the wire has some. */
export function sceneAnswer({ blocks, stopReason, usage }: ModelScene, events: readonly ModelEvent[]): Answer {
  const withIds = hasIds(events)
  return {
    blocks: blocks.map((block) => shown({ ...block, ...(!withIds && { id: undefined }), text: block.pieces.join('') })),
    stopReason,
    usage,
  }
}
