import type { ContentBlock as WireBlock, Message as WireMessage, ToolResultContentBlock } from '@aws-sdk/client-bedrock-runtime'
import type { AssistantBlock, ToolResultBlock, ToolUseBlock, UserBlock } from '../../messages/content.ts'
import type { SendableMessage } from '../../messages/normalise.ts'
import { placeholder } from '../../messages/repair.ts'
import { isObject } from '../../util/json.ts'
import { jsonText } from '../wire/json-text.ts'
import { bytesOf } from './base64.ts'
import type { Marks } from './cache-points.ts'
import { marksOf, wirePoint } from './cache-points.ts'
import { DocumentNames } from './document-names.ts'
import type { Family } from './families.ts'
import { wireMedia } from './media.ts'
import { isReplayed, ownData } from './own-blocks.ts'

type Ids = ReadonlyMap<string, string>
type Made = { readonly previous: SendableMessage | undefined; readonly form: string; readonly wire: WireMessage }
/** The data type of the SDK is a mutable one. It changes nothing. */
type WireData = NonNullable<WireBlock.ToolUseMember['toolUse']['input']>

const noMarks: Marks = new Map()

/**
 * Makes messages as the Converse API wants them. Each is made once, and made again only when something outside of it changes
 * it: the calls that its results answer, a cache point, a document of the same name. So a turn costs what is new.
 */
export class MessageWriter {
  readonly #family: Family
  readonly #made = new WeakMap<SendableMessage, Made>()

  constructor(family: Family) {
    this.#family = family
  }

  /** @param room how many cache points are left for messages. */
  write(messages: readonly SendableMessage[], room: number): WireMessage[] {
    const marks = marksOf(messages, this.#family.caches === 'nowhere' ? 0 : room)
    const names = new DocumentNames()
    return messages.map((message, i) => this.#wire(message, messages[i - 1], marks.get(i) ?? noMarks, names.of(message)))
  }

  #wire(message: SendableMessage, previous: SendableMessage | undefined, marks: Marks, names: readonly string[]): WireMessage {
    const form = marks.size === 0 && names.length === 0 ? '' : JSON.stringify([[...marks], names])
    const made = this.#made.get(message)
    if (made?.previous === previous && made?.form === form) return made.wire
    const content =
      message.role === 'assistant'
        ? assistantBlocks(message.content, marks, this.#family)
        : userBlocks(message.content, previous?.role === 'assistant' ? wireIds(previous.content) : new Map(), marks, names, this.#family)
    const wire: WireMessage = { role: message.role, content }
    this.#made.set(message, { previous, form, wire })
    return wire
  }
}

function assistantBlocks(content: readonly AssistantBlock[], marks: Marks, family: Family): WireBlock[] {
  const ids = wireIds(content)
  const blocks: WireBlock[] = []
  content.forEach((block, at) => {
    if (!isReplayed(block, family.maker)) return
    const wire = assistantBlock(block, ids)
    if (wire) blocks.push(wire)
    const mark = marks.get(at)
    if (mark) blocks.push(wirePoint(mark, family))
  })
  // The API takes no message that is empty, or that ends in thinking.
  if (blocks.length === 0 || blocks.at(-1)!.reasoningContent) blocks.push({ text: placeholder })
  return blocks
}

function assistantBlock(block: AssistantBlock, ids: Ids): WireBlock | undefined {
  const own = ownData(block)
  switch (block.type) {
    case 'text':
      return { text: block.text }
    case 'reasoning':
      return {
        reasoningContent:
          block.redacted === undefined
            ? { reasoningText: { text: block.text, signature: block.signature } }
            : { redactedContent: bytesOf(block.redacted) ?? new Uint8Array() },
      }
    case 'tool_use':
      return { toolUse: { toolUseId: ids.get(block.id), name: block.name, input: block.input as WireData } }
    case 'server_tool_use':
      return { toolUse: { toolUseId: block.id, name: block.name, input: block.input as WireData, type: 'server_tool_use' } }
    case 'server_tool_result':
      return {
        toolResult: {
          toolUseId: block.toolUseId,
          content: block.content as unknown as ToolResultContentBlock[],
          ...(own?.type !== undefined && { type: own.type }),
          ...(own?.status !== undefined && { status: own.status as 'success' | 'error' }),
        },
      }
    default:
      return undefined
  }
}

/** Ids that the API takes. */
const legalId = /^[a-zA-Z0-9_-]{1,64}$/

/** Our ids and those on the wire: Bedrock's own where it gave one, or else ours, made legal. */
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
  const given = ownData(call)?.id
  if (given !== undefined && legalId.test(given) && !used.has(given)) return given
  const plain = call.id.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 60)
  let id = legalId.test(call.id) ? call.id : plain
  for (let n = 2; used.has(id); n++) id = `${plain}_${n}`
  return id
}

/** Results stand first, in order, then what belongs to them, then what the user says. */
function userBlocks(content: readonly UserBlock[], ids: Ids, marks: Marks, names: readonly string[], family: Family): WireBlock[] {
  const results: WireBlock[] = []
  const attached: WireBlock[] = []
  const said: WireBlock[] = []
  const nextName = names[Symbol.iterator]()
  const nameOf = (type: string): string => (type === 'document' ? nextName.next().value! : '')
  content.forEach((block, at) => {
    if (block.type === 'cache_point') return
    const place = block.type === 'tool_result' ? results : said
    if (block.type === 'tool_result') place.push(resultBlock(block, ids.get(block.toolUseId) ?? block.toolUseId, attached, nameOf, family))
    else place.push(block.type === 'text' ? { text: block.text } : wireMedia(block, nameOf(block.type)))
    const mark = marks.get(at)
    if (mark) place.push(wirePoint(mark, family))
  })
  const blocks = [...results, ...attached, ...said]
  // A document is taken only beside a text.
  return blocks.some(({ document }) => document) && !blocks.some(({ text }) => text !== undefined)
    ? [{ text: placeholder }, ...blocks]
    : blocks
}

function resultBlock(
  result: ToolResultBlock,
  id: string,
  attached: WireBlock[],
  nameOf: (type: string) => string,
  family: Family,
): WireBlock {
  const failed = result.status === 'error'
  const content = result.content.map((part): ToolResultContentBlock => {
    if (part.type === 'text') return { text: part.text }
    // A list or a bare value is refused.
    if (part.type === 'json') return isObject(part.value) ? { json: part.value as WireData } : { text: jsonText(part.value) }
    const media = wireMedia(part, nameOf(part.type))
    if ('text' in media || (family.readsResults && !failed)) return media
    // Failures are told in text alone, and most models read nothing else in a result.
    attached.push({ text: `The ${part.type} that belongs to the result of call ${id}:` }, media)
    return { text: `[${part.type}, ${part.mediaType}: behind the results]` }
  })
  return { toolResult: { toolUseId: id, content, ...(failed && family.readsResults && { status: 'error' }) } }
}
