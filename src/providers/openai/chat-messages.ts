import type { AssistantBlock, DocumentBlock, ImageBlock, ToolResultBlock, ToolUseBlock, UserBlock } from '../../messages/content.ts'
import { textOf } from '../../messages/content.ts'
import type { SendableMessage } from '../../messages/normalise.ts'
import { placeholder } from '../../messages/repair.ts'
import type { JsonObject, JsonValue } from '../../util/json.ts'
import { base64Text } from '../wire/base64-text.ts'
import { jsonText } from '../wire/json-text.ts'

type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  | { readonly type: 'file'; readonly file: { readonly filename: string; readonly file_data: string } }

/**
 * One message as Chat Completions messages. A user message with results becomes a `tool` message for each, in order,
 * and then what the user says. Images and files of results go into that last one, as a `tool` message carries text only.
 * Nothing marks a result as an error: its text says so. A document that is only a URL is sent as its link; the API fetches none.
 *
 * @param previous the message before, where the calls of these results stand.
 */
export function chatMessages(message: SendableMessage, previous: SendableMessage | undefined, provider: string): readonly JsonObject[] {
  return message.role === 'assistant'
    ? [assistantMessage(message.content, provider)]
    : userMessages(message.content, callIds(previous, provider))
}

function assistantMessage(content: readonly AssistantBlock[], provider: string): JsonObject {
  const calls = content.filter((block) => block.type === 'tool_use')
  const ids = wireIds(calls, provider)
  const text = textOf(content)
  const details = reasoningDetails(content, provider)
  const thought = details.length > 0 ? { reasoning_details: details } : {}
  if (calls.length === 0) return { role: 'assistant', content: text === '' ? placeholder : text, ...thought }
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    tool_calls: calls.map((call) => toolCall(call, ids.get(call.id)!, provider)),
    ...thought,
  }
}

/** What a router told of the model's thoughts, which it wants back. */
const reasoningDetails = (content: readonly AssistantBlock[], provider: string): readonly JsonValue[] =>
  content.flatMap((block) => {
    const details = block.type === 'reasoning' ? block.provider?.[provider]?.['reasoning_details'] : undefined
    return Array.isArray(details) ? (details as readonly JsonValue[]) : []
  })

function toolCall(call: ToolUseBlock, id: string, provider: string): JsonObject {
  const extra = call.provider?.[provider]?.['extra_content']
  return {
    id,
    type: 'function',
    function: { name: call.name, arguments: jsonText(call.input) },
    ...(extra !== undefined && { extra_content: extra }),
  }
}

/** Ids that the API takes: the longest that it makes itself are shorter. */
const legalId = /^[\x21-\x7e]{1,64}$/

/** Our ids and those on the wire: the provider's own where it gave one that it would take again. */
function wireIds(calls: readonly ToolUseBlock[], provider: string): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  const used = new Set<string>()
  for (const call of calls) {
    const given = call.provider?.[provider]?.['id']
    const id = typeof given === 'string' && legalId.test(given) && !used.has(given) ? given : call.id
    ids.set(call.id, id)
    used.add(id)
  }
  return ids
}

function callIds(previous: SendableMessage | undefined, provider: string): ReadonlyMap<string, string> {
  return previous?.role === 'assistant'
    ? wireIds(
        previous.content.filter((block) => block.type === 'tool_use'),
        provider,
      )
    : new Map()
}

function userMessages(content: readonly UserBlock[], ids: ReadonlyMap<string, string>): JsonObject[] {
  const messages: JsonObject[] = []
  const attached: Part[] = []
  const said: Part[] = []
  for (const block of content) {
    if (block.type === 'tool_result') messages.push(toolMessage(block, ids.get(block.toolUseId) ?? block.toolUseId, attached))
    else if (block.type !== 'cache_point') said.push(block.type === 'text' ? { type: 'text', text: block.text } : mediaPart(block))
  }
  const parts = [...attached, ...said]
  const [only] = parts
  if (only) messages.push({ role: 'user', content: parts.length === 1 && only.type === 'text' ? only.text : parts })
  return messages
}

function toolMessage(result: ToolResultBlock, id: string, attached: Part[]): JsonObject {
  const texts = result.content.map((part) => {
    if (part.type === 'text') return part.text
    if (part.type === 'json') return jsonText(part.value)
    const media = mediaPart(part)
    if (media.type === 'text') return media.text
    attached.push({ type: 'text', text: `The ${part.type} that belongs to the result of call ${id}:` }, media)
    return `[${part.type}, ${part.mediaType}: in the next user message]`
  })
  return { role: 'tool', tool_call_id: id, content: texts.join('\n') }
}

function mediaPart(block: ImageBlock | DocumentBlock): Part {
  const { source, mediaType } = block
  const title = block.type === 'document' ? block.title : undefined
  if (source.type === 'text') return { type: 'text', text: title === undefined ? source.text : `${title}:\n\n${source.text}` }
  if (block.type === 'image')
    return { type: 'image_url', image_url: { url: source.type === 'url' ? source.url : `data:${mediaType};base64,${source.data}` } }
  if (source.type === 'url') return { type: 'text', text: `${title ?? 'Document'}: ${source.url}` }
  if (mediaType.startsWith('text/'))
    return { type: 'text', text: `${title === undefined ? '' : `${title}:\n\n`}${base64Text(source.data)}` }
  return {
    type: 'file',
    file: { filename: title ?? `document.${mediaType.split(/[/+;]/)[1] ?? 'bin'}`, file_data: `data:${mediaType};base64,${source.data}` },
  }
}
