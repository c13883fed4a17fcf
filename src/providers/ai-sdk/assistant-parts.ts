import type { AssistantBlock, ToolUseBlock } from '../../messages/content.ts'
import { placeholder } from '../../messages/repair.ts'
import type { JsonObject, JsonValue } from '../../util/json.ts'
import { ownFile, urlData } from './media.ts'
import { optionsOf, ownData } from './own-data.ts'
import type { AssistantPart, PromptForm, ResultOutput } from './prompt-types.ts'

/** What a model said, on its way back to it or to another, which gets nothing that it would not understand. */
export function assistantParts(content: readonly AssistantBlock[], form: PromptForm): AssistantPart[] {
  const ids = wireIds(content, form.provider)
  const parts = content.flatMap((block) => assistantPart(block, ids, form))
  // No provider takes a message that is empty, and many none that holds only what was thought.
  if (parts.every(({ type }) => type === 'reasoning')) parts.push({ type: 'text', text: placeholder })
  return parts
}

function assistantPart(block: AssistantBlock, ids: ReadonlyMap<string, string>, form: PromptForm): AssistantPart[] {
  const own = ownData(block, form.provider)
  const options = optionsOf(own)
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text, ...options }]
    case 'tool_use':
      return [{ type: 'tool-call', toolCallId: ids.get(block.id)!, toolName: block.name, input: block.input, ...options }]
    case 'reasoning':
      return own ? [{ type: 'reasoning', text: block.text, ...options }] : []
    case 'server_tool_use':
      return own
        ? [{ type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.input, providerExecuted: true, ...options }]
        : []
    case 'server_tool_result':
      if (own?.part) return keptPart(own.part, form)
      if (own?.toolName === undefined) return []
      return [
        {
          type: 'tool-result',
          toolCallId: block.toolUseId,
          toolName: own.toolName,
          output: serverOutput(block.content, own.isError),
          ...options,
        },
      ]
    case 'image':
    case 'document':
      return own ? [{ ...ownFile(block, form), ...options }] : []
  }
}

/** A part that has no name with us. Only v4 has them. */
function keptPart({ type, kind, mediaType, source, metadata }: JsonObject, form: PromptForm): AssistantPart[] {
  if (form.version !== 'v4') return []
  const options = optionsOf({ metadata: metadata as Record<string, JsonObject> | undefined })
  if (type === 'custom') return [{ type: 'custom', kind: String(kind), ...options }]
  const from = source as { readonly type: string; readonly data?: string; readonly url?: string }
  const data = from.type === 'url' ? urlData(from.url!, form) : { type: 'data', data: from.data }
  return [{ type: 'reasoning-file', mediaType: String(mediaType), data, ...options }]
}

function serverOutput(content: JsonValue, isError = false): ResultOutput {
  if (isError) return { type: 'error-json', value: content }
  return typeof content === 'string' ? { type: 'text', value: content } : { type: 'json', value: content }
}

/** Our ids and those on the wire: the provider's own where it gave one. */
export function wireIds(content: readonly AssistantBlock[], provider: string): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  const used = new Set<string>()
  for (const call of toolUses(content)) {
    const given = ownData(call, provider)?.id
    const id = given && !used.has(given) ? given : call.id
    ids.set(call.id, id)
    used.add(id)
  }
  return ids
}

export const toolUses = (content: readonly AssistantBlock[]): readonly ToolUseBlock[] =>
  content.filter((block) => block.type === 'tool_use')
