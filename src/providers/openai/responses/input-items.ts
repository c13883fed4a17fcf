import type { AssistantBlock, ToolResultBlock, ToolUseBlock, UserBlock } from '../../../messages/content.ts'
import type { SendableMessage } from '../../../messages/normalise.ts'
import type { JsonObject, JsonValue } from '../../../util/json.ts'
import { jsonText } from '../../wire/json-text.ts'
import { AnswerInput } from './answer-input.ts'
import { legalId } from './legal-id.ts'
import { mediaPart } from './media-parts.ts'

/**
 * One message as input items. Results of calls come first, in order, each once, then what the user says. Nothing marks a
 * result as an error: its text says so.
 *
 * @param previous the message before, where the calls of these results stand.
 */
export function inputItems(message: SendableMessage, previous: SendableMessage | undefined, provider: string): readonly JsonObject[] {
  if (message.role === 'user') return userItems(message.content, callIds(previous?.role === 'assistant' ? previous.content : [], provider))
  const ids = callIds(message.content, provider)
  const items = new AnswerInput(provider)
  for (const block of message.content) items.add(block, ids)
  return items.finish()
}

/** Our ids and those on the wire: the provider's own where it gave one that it would take again. */
function callIds(content: readonly AssistantBlock[], provider: string): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  const used = new Set<string>()
  for (const call of content.filter((block): block is ToolUseBlock => block.type === 'tool_use')) {
    const given = legalId(call.provider?.[provider]?.['id'])
    const id = given !== undefined && !used.has(given) ? given : call.id
    ids.set(call.id, id)
    used.add(id)
  }
  return ids
}

function userItems(content: readonly UserBlock[], ids: ReadonlyMap<string, string>): JsonObject[] {
  const items: JsonObject[] = []
  const said: JsonObject[] = []
  for (const block of content) {
    if (block.type === 'tool_result')
      items.push({ type: 'function_call_output', call_id: ids.get(block.toolUseId) ?? block.toolUseId, output: outputOf(block) })
    else if (block.type === 'text') said.push({ type: 'input_text', text: block.text })
    else if (block.type !== 'cache_point') said.push(mediaPart(block))
  }
  if (said.length > 0) items.push({ type: 'message', role: 'user', content: said })
  return items
}

/** Text as it is; parts only where there is more than text, as not every server takes them. */
function outputOf({ content }: ToolResultBlock): JsonValue {
  const parts = content.map((part): JsonObject => {
    if (part.type === 'text') return { type: 'input_text', text: part.text }
    return part.type === 'json' ? { type: 'input_text', text: jsonText(part.value) } : mediaPart(part)
  })
  return parts.every((part) => part['type'] === 'input_text') ? parts.map((part) => String(part['text'])).join('\n') : parts
}
