import type { BlockDelta, BlockStart } from '../../models/model-events.ts'
import type { JsonObject, JsonValue } from '../../util/json.ts'
import { isObject } from '../../util/json.ts'
import { citationOf } from './citation.ts'
import { providerName } from './options.ts'

export type WireBlock = { readonly type?: string; readonly [field: string]: JsonValue | undefined }

/** A block of the answer that has begun. */
export type OpenBlock = {
  /** How it begins with us; nothing when it is only kept. */
  readonly start: BlockStart | undefined
  /** What it holds already when it begins. */
  readonly deltas: readonly BlockDelta[]
  /** The JSON of an input that came with the start, of a call that is ours to run. */
  readonly input: string | undefined
  /** Has a piece of its input come? */
  hasInput: boolean
  /** The whole of a block that has no name with us, and is kept for its provider. */
  kept: JsonObject | undefined
}

/** A block as it begins on the wire, in our words. */
export function openBlock(block: WireBlock): OpenBlock {
  switch (block.type) {
    case 'text':
      return begun({ type: 'text' }, [...textOf(block['text']), ...citationsOf(block['citations'])])
    case 'thinking':
      return begun({ type: 'reasoning' }, thinkingOf(block['thinking'], block['signature']))
    case 'redacted_thinking':
      return begun({ type: 'reasoning' }, [
        { type: 'reasoning', redacted: String(block['data'] ?? '') },
        { type: 'provider', data: { type: 'redacted_thinking' } },
      ])
    case 'tool_use':
      return toolUse(block)
    case 'server_tool_use':
    case 'mcp_tool_use': {
      const { type, id, name, input, ...more } = block
      return begun({
        type: 'server_tool_use',
        id: String(id ?? ''),
        name: String(name ?? ''),
        input: input ?? {},
        provider: { [providerName]: { type, ...more } },
      })
    }
    default: {
      const { type, tool_use_id: id, content, ...more } = block
      // Its result has the tool's own name.
      if (typeof id === 'string' && type?.endsWith('_tool_result'))
        return begun({
          type: 'server_tool_result',
          toolUseId: id,
          content: content ?? null,
          provider: { [providerName]: { type, ...more } },
        })
      return { start: undefined, deltas: [], input: undefined, hasInput: false, kept: { ...block } }
    }
  }
}

const begun = (start: BlockStart, deltas: readonly BlockDelta[] = [], input?: string): OpenBlock => ({
  start,
  deltas,
  input,
  hasInput: false,
  kept: undefined,
})

function toolUse(block: WireBlock): OpenBlock {
  const { type: _type, id, name, input, ...own } = block
  const start: BlockStart = {
    type: 'tool_use',
    name: String(name ?? ''),
    ...(typeof id === 'string' && { id }),
    ...(Object.keys(own).length > 0 && { provider: own }),
  }
  return begun(start, [], isObject(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : undefined)
}

const textOf = (text: JsonValue | undefined): BlockDelta[] => (typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : [])

function thinkingOf(thinking: JsonValue | undefined, signature: JsonValue | undefined): BlockDelta[] {
  const deltas: BlockDelta[] = []
  if (typeof thinking === 'string' && thinking !== '') deltas.push({ type: 'reasoning', text: thinking })
  if (typeof signature === 'string' && signature !== '')
    deltas.push({ type: 'reasoning', signature }, { type: 'provider', data: { type: 'thinking' } })
  return deltas
}

const citationsOf = (citations: JsonValue | undefined): BlockDelta[] =>
  Array.isArray(citations)
    ? (citations as readonly JsonObject[]).map((citation) => ({ type: 'citation', citation: citationOf(citation) }))
    : []
