import type {
  AssistantBlock,
  CachePointBlock,
  DocumentBlock,
  ImageBlock,
  TextBlock,
  ToolResultBlock,
  ToolUseBlock,
  UserBlock,
} from '../../messages/content.ts'
import type { SendableMessage } from '../../messages/normalise.ts'
import { placeholder } from '../../messages/repair.ts'
import type { JsonObject } from '../../util/json.ts'
import { base64Text } from '../wire/base64-text.ts'
import { jsonText } from '../wire/json-text.ts'
import type { DressedMessage } from './cache-points.ts'
import { cacheControl } from './cache-points.ts'
import { providerName } from './options.ts'
import { isReplayed, ownData } from './own-blocks.ts'

type Marks = ReadonlyMap<number, CachePointBlock>
type Ids = ReadonlyMap<string, string>

/**
 * One message as the Messages API wants it. Results stand first in a user message; what another provider alone understands
 * is left out.
 *
 * @param previous the message before, where the calls of these results stand.
 * @param signs does the model sign what it thinks?
 */
export function wireMessage(
  sent: SendableMessage | DressedMessage,
  previous: SendableMessage | DressedMessage | undefined,
  signs: boolean,
): JsonObject {
  const { message, marks, trimmed } = 'message' in sent ? sent : { message: sent, marks: undefined, trimmed: false }
  if (message.role === 'assistant') return { role: 'assistant', content: assistantBlocks(message.content, marks, trimmed, signs) }
  const before = previous && ('message' in previous ? previous.message : previous)
  return { role: 'user', content: userBlocks(message.content, before?.role === 'assistant' ? wireIds(before.content) : new Map(), marks) }
}

function assistantBlocks(content: readonly AssistantBlock[], marks: Marks | undefined, trimmed: boolean, signs: boolean): JsonObject[] {
  const ids = wireIds(content)
  const blocks = content.flatMap((block, at) => {
    const wire = isReplayed(block, signs) ? assistantBlock(block, ids) : undefined
    return wire ? [marked(wire, marks?.get(at))] : []
  })
  const last = blocks.at(-1)
  // The API takes no message that is empty, or that ends in thinking.
  if (!last || last['type'] === 'thinking' || last['type'] === 'redacted_thinking') blocks.push({ type: 'text', text: placeholder })
  else if (trimmed && typeof last['text'] === 'string') blocks[blocks.length - 1] = { ...last, text: last['text'].trimEnd() }
  return blocks
}

function assistantBlock(block: AssistantBlock, ids: Ids): JsonObject | undefined {
  const { id: _ours, ...own } = ownData(block) ?? {}
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text, ...citationsOf(block) }
    case 'reasoning':
      return block.redacted === undefined
        ? { type: 'thinking', thinking: block.text, signature: block.signature ?? '' }
        : { type: 'redacted_thinking', data: block.redacted }
    case 'tool_use':
      return { type: 'tool_use', id: ids.get(block.id), name: block.name, input: block.input, ...own }
    case 'server_tool_use':
      return { type: 'server_tool_use', ...own, id: block.id, name: block.name, input: block.input }
    case 'server_tool_result':
      // A block that has no name with us stands in its data whole.
      return block.toolUseId === '' ? own : { ...own, tool_use_id: block.toolUseId, content: block.content }
    default:
      return undefined
  }
}

function citationsOf({ citations = [] }: TextBlock): JsonObject {
  const own = citations.map(({ provider }) => provider?.[providerName]).filter((wire) => wire !== undefined)
  return own.length > 0 ? { citations: own } : {}
}

/** Ids that the API takes. */
const legalId = /^[a-zA-Z0-9_-]{1,64}$/

/** Our ids and those on the wire: Anthropic's own where it gave one, or else ours, made legal. */
function wireIds(content: readonly AssistantBlock[]): Ids {
  const ids = new Map<string, string>()
  const used = new Set<string>()
  for (const block of content) {
    if (block.type !== 'tool_use') continue
    const id = wireId(block, used)
    ids.set(block.id, id)
    used.add(id)
  }
  return ids
}

function wireId(call: ToolUseBlock, used: ReadonlySet<string>): string {
  const given = ownData(call)?.['id']
  if (typeof given === 'string' && legalId.test(given) && !used.has(given)) return given
  const plain = call.id.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 60)
  let id = legalId.test(call.id) ? call.id : plain
  for (let n = 2; used.has(id); n++) id = `${plain}_${n}`
  return id
}

function userBlocks(content: readonly UserBlock[], ids: Ids, marks: Marks | undefined): JsonObject[] {
  const results: JsonObject[] = []
  const attached: JsonObject[] = []
  const said: JsonObject[] = []
  content.forEach((block, at) => {
    const mark = marks?.get(at)
    if (block.type === 'tool_result') results.push(marked(resultBlock(block, ids, attached), mark))
    else if (block.type === 'text') said.push(marked({ type: 'text', text: block.text }, mark))
    else if (block.type !== 'cache_point') said.push(marked(mediaBlock(block), mark))
  })
  return [...results, ...attached, ...said]
}

function resultBlock(result: ToolResultBlock, ids: Ids, attached: JsonObject[]): JsonObject {
  const failed = result.status === 'error'
  const id = ids.get(result.toolUseId) ?? result.toolUseId
  const content = result.content.map((part): JsonObject => {
    if (part.type === 'text') return { type: 'text', text: part.text }
    if (part.type === 'json') return { type: 'text', text: jsonText(part.value) }
    if (!failed) return mediaBlock(part)
    // Failures are told in text alone.
    attached.push({ type: 'text', text: `The ${part.type} that belongs to the result of call ${id}:` }, mediaBlock(part))
    return { type: 'text', text: `[${part.type}, ${part.mediaType}: behind the results]` }
  })
  return { type: 'tool_result', tool_use_id: id, content, ...(failed && { is_error: true }) }
}

function mediaBlock(block: ImageBlock | DocumentBlock): JsonObject {
  const { source, mediaType } = block
  if (block.type === 'image') {
    if (source.type === 'text') return { type: 'text', text: source.text }
    return {
      type: 'image',
      source: source.type === 'url' ? { type: 'url', url: source.url } : { type: 'base64', media_type: mediaType, data: source.data },
    }
  }
  return { type: 'document', source: documentSource(block), ...(block.title && { title: block.title }) }
}

/** Of bytes the API takes only PDF; any text is plain text to it. */
function documentSource({ source, mediaType }: DocumentBlock): JsonObject {
  if (source.type === 'url') return { type: 'url', url: source.url }
  if (source.type === 'text') return { type: 'text', media_type: 'text/plain', data: source.text }
  if (mediaType.startsWith('text/')) return { type: 'text', media_type: 'text/plain', data: base64Text(source.data) }
  return { type: 'base64', media_type: mediaType, data: source.data }
}

const marked = (block: JsonObject, point: CachePointBlock | undefined): JsonObject =>
  point ? { ...block, cache_control: cacheControl(point) } : block
