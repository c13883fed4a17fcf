import type { AssistantBlock, DocumentBlock, ImageBlock, ToolResultBlock, ToolUseBlock, UserBlock } from '../../messages/content.ts'
import type { SendableMessage } from '../../messages/normalise.ts'
import { invalidToolName } from '../../messages/normalise.ts'
import { placeholder } from '../../messages/repair.ts'
import type { JsonObject } from '../../util/json.ts'
import { base64Text } from '../wire/base64-text.ts'
import { jsonText } from '../wire/json-text.ts'
import { ownData } from './own-data.ts'
import { wireName } from './tool-name.ts'

export type ContentsOptions = {
  /** Vertex AI refuses the ids of calls; there a result belongs to its call by name and order. */
  readonly sendsIds: boolean
  /** The model refuses a call without a signature. */
  readonly wantsSignatures: boolean
}

/** What Google names to stand for the signature of a call that no Gemini made. */
const noSignature = 'skip_thought_signature_validator'

/**
 * One message as the API wants it. Results stand first, in order, then what belongs to them, then what the user says. What
 * another provider alone understands is left out, and so is what was thought without a signature.
 *
 * @param previous the message before, where the calls of these results stand.
 */
export function wireContent(message: SendableMessage, previous: SendableMessage | undefined, options: ContentsOptions): JsonObject {
  if (message.role === 'assistant') return { role: 'model', parts: modelParts(message.content, options) }
  const calls = previous?.role === 'assistant' ? previous.content.filter((block) => block.type === 'tool_use') : []
  return { role: 'user', parts: userParts(message.content, calls, options) }
}

function modelParts(content: readonly AssistantBlock[], options: ContentsOptions): JsonObject[] {
  const ids = wireIds(content.filter((block) => block.type === 'tool_use'))
  const parts = content.flatMap((block) => modelPart(block, ids, options))
  if (parts.length === 0) return [{ text: placeholder }]
  if (!options.wantsSignatures) return parts
  // The first of the calls that were made together bears their signature.
  const first = parts.findIndex((part) => part['functionCall'] !== undefined)
  if (first >= 0 && !parts.some((part) => part['functionCall'] !== undefined && part['thoughtSignature'] !== undefined))
    parts[first] = { ...parts[first], thoughtSignature: noSignature }
  return parts
}

function modelPart(block: AssistantBlock, ids: ReadonlyMap<string, string>, { sendsIds }: ContentsOptions): JsonObject[] {
  const own = ownData(block)
  const thoughtSignature = own?.thoughtSignature
  const signed = thoughtSignature === undefined ? {} : { thoughtSignature }
  switch (block.type) {
    case 'text':
    case 'reasoning': {
      const thought = block.type === 'reasoning' ? { thought: true } : {}
      const text = block.text === '' ? [] : [{ text: block.text, ...thought, ...(!own?.emptyPart && signed) }]
      if (own?.emptyPart) return [...text, { text: '', ...(own.emptyPart === 'thought' && { thought: true }), ...signed }]
      return block.type === 'text' || thoughtSignature !== undefined ? text : []
    }
    case 'tool_use':
      return [{ functionCall: { ...(sendsIds && { id: ids.get(block.id) }), name: wireName(block.name), args: block.input }, ...signed }]
    case 'server_tool_use':
    case 'server_tool_result':
      return own?.part ? [own.part] : []
    case 'image':
    case 'document':
      return [{ ...mediaPart(block), ...signed }]
  }
}

/** Our ids and those on the wire: the API's own where it gave one. */
function wireIds(calls: readonly ToolUseBlock[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  const used = new Set<string>()
  for (const call of calls) {
    const given = ownData(call)?.id
    const id = given && !used.has(given) ? given : call.id
    ids.set(call.id, id)
    used.add(id)
  }
  return ids
}

function userParts(content: readonly UserBlock[], calls: readonly ToolUseBlock[], { sendsIds }: ContentsOptions): JsonObject[] {
  const ids = wireIds(calls)
  const names = new Map(calls.map(({ id, name }) => [id, name]))
  const results: JsonObject[] = []
  const attached: JsonObject[] = []
  const said: JsonObject[] = []
  for (const block of content) {
    if (block.type === 'tool_result') {
      const name = names.get(block.toolUseId) ?? invalidToolName
      results.push({
        functionResponse: {
          ...(sendsIds && { id: ids.get(block.toolUseId) ?? block.toolUseId }),
          name: wireName(name),
          response: response(block, attached),
        },
      })
    } else if (block.type !== 'cache_point') said.push(block.type === 'text' ? { text: block.text } : mediaPart(block))
  }
  const parts = [...results, ...attached, ...said]
  return parts.length > 0 ? parts : [{ text: placeholder }]
}

/**
 * A result as text, under the key that tells how it went. Data goes as text, too: a `$ref` in a structured response is taken
 * for one of the API's own, and the whole request refused.
 */
function response(result: ToolResultBlock, attached: JsonObject[]): JsonObject {
  const texts = result.content.map((part) => {
    if (part.type === 'text') return part.text
    if (part.type === 'json') return jsonText(part.value)
    const media = mediaPart(part)
    if (typeof media['text'] === 'string') return media['text']
    const number = attached.length / 2 + 1
    attached.push({ text: `Attachment ${number}:` }, media)
    return `[${part.type}, ${part.mediaType}: attachment ${number} behind the results]`
  })
  return { [result.status === 'error' ? 'error' : 'result']: texts.join('\n') }
}

/** Media types whose bytes are text, whatever they are called. */
const textual = /^text\/|[/+](json|xml|ya?ml|javascript|typescript|toml|sql)$/

/** Bytes go along, an address is fetched by the API, and any text is a text. */
function mediaPart(block: ImageBlock | DocumentBlock): JsonObject {
  const { source, mediaType } = block
  const heading = block.type === 'document' && block.title ? `${block.title}:\n\n` : ''
  if (source.type === 'url') return { fileData: { mimeType: mediaType, fileUri: source.url } }
  if (source.type === 'text') return { text: heading + source.text }
  if (block.type === 'document' && textual.test(mediaType)) return { text: heading + base64Text(source.data) }
  return { inlineData: { mimeType: mediaType, data: source.data } }
}
