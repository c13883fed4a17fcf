import type { ContentBlock, ToolResultContent } from '../messages/content.ts'
import type { Message } from '../messages/message.ts'
import type { ModelStopReason } from '../messages/stop-reason.ts'
import type { SendableMessage } from '../messages/normalise.ts'
import type { ToolSpec } from '../models/model.ts'
import type { ToolOutcome } from '../tools/tool.ts'
import { headOf } from '../util/text.ts'

/** Changes a content before it is kept, or gives `undefined` to leave it out. `name` is that of the attribute. */
export type ContentFilter = (name: string, content: unknown) => unknown

type Part = Readonly<Record<string, unknown>> & { readonly type: string }
type Spoken = Pick<Message, 'role'> & { readonly content: readonly (ContentBlock | { readonly type: string })[] }

/** How the conventions call the reasons in a message. */
const finishReasons: Readonly<Partial<Record<ModelStopReason, string>>> = {
  tool_use: 'tool_call',
  max_tokens: 'length',
  context_window_exceeded: 'length',
  content_filtered: 'content_filter',
  guardrail_intervened: 'content_filter',
  refusal: 'content_filter',
}

/** Makes the values of content attributes: JSON in the shapes of the conventions, of at most so many characters. */
export class Contents {
  readonly #filter: ContentFilter | undefined
  readonly #maxChars: number

  constructor(filter: ContentFilter | undefined, maxChars: number) {
    this.#filter = filter
    this.#maxChars = maxChars
  }

  /** The newest that there is room for. */
  messages(name: string, messages: readonly (Message | SendableMessage)[], stopReason?: ModelStopReason): string | undefined {
    const kept: unknown[] = []
    let room = this.#maxChars
    for (let i = messages.length - 1; i >= 0; i--) {
      let message = this.#message(messages[i] as Spoken, stopReason, this.#maxChars)
      let chars = JSON.stringify(message).length
      // The newest is always there, with texts that are as short as need be.
      for (let each = this.#maxChars; kept.length === 0 && chars + 2 > this.#maxChars && each > 16; chars = JSON.stringify(message).length)
        message = this.#message(messages[i] as Spoken, stopReason, (each = Math.floor(each / 2)))
      room -= chars + 2
      if (room < 0 && kept.length > 0) break
      kept.push(message)
    }
    return this.value(name, kept.reverse())
  }

  tools(name: string, tools: readonly ToolSpec[]): string | undefined {
    const kept: unknown[] = []
    let room = this.#maxChars
    for (const { name: tool, description, inputSchema } of tools) {
      const definition = { type: 'function', name: tool, description, parameters: inputSchema }
      room -= JSON.stringify(definition).length
      if (room < 0) break
      kept.push(definition)
    }
    return this.value(name, kept)
  }

  /** System prompts: their parts without a message around them. */
  parts(name: string, blocks: readonly { readonly type: string }[]): string | undefined {
    return this.value(
      name,
      blocks.filter(({ type }) => type !== 'cache_point').map((block) => this.#part(block as ContentBlock, this.#maxChars)),
    )
  }

  result(name: string, { content, structuredContent }: ToolOutcome): string | undefined {
    return this.value(name, structuredContent ?? this.#result(content, this.#maxChars))
  }

  /** Any value as JSON; `undefined` where the filter wants nothing of it. */
  value(name: string, value: unknown): string | undefined {
    try {
      const filtered = this.#filter ? this.#filter(name, value) : value
      if (filtered === undefined) return undefined
      return cut(typeof filtered === 'string' ? filtered : JSON.stringify(filtered), this.#maxChars)
    } catch {
      // A filter that fails lets nothing through.
      return undefined
    }
  }

  #message({ role, content }: Spoken, stopReason: ModelStopReason | undefined, max: number): unknown {
    const parts = content.filter(({ type }) => type !== 'cache_point').map((block) => this.#part(block as ContentBlock, max))
    const isResults = role === 'user' && parts.length > 0 && parts.every(({ type }) => type === 'tool_call_response')
    const reason = stopReason && { finish_reason: finishReasons[stopReason] ?? 'stop' }
    return { role: isResults ? 'tool' : role, parts, ...reason }
  }

  #part(block: ContentBlock, max: number): Part {
    switch (block.type) {
      case 'text':
        return { type: 'text', content: cut(block.text, max) }
      case 'reasoning':
        return { type: 'reasoning', content: cut(block.text, max) }
      case 'tool_use':
        return { type: 'tool_call', id: block.id, name: block.name, arguments: shortJson(block.input, max) }
      case 'tool_result':
        return { type: 'tool_call_response', id: block.toolUseId, response: this.#result(block.content, max) }
      case 'image':
      case 'document':
        // That it is there, not what is in it: a picture is too long for any attribute.
        return { type: block.type, mime_type: block.mediaType }
      default:
        return { type: block.type }
    }
  }

  #result(content: readonly ToolResultContent[], max: number): unknown {
    const [only] = content
    if (content.length === 1 && only?.type === 'text') return cut(only.text, max)
    return content.map((block) => (block.type === 'json' ? shortJson(block.value, max) : this.#part(block, max)))
  }
}

/** The value as it is, or the head of its JSON. */
function shortJson(value: unknown, max: number): unknown {
  const json = JSON.stringify(value) ?? ''
  return json.length > max ? cut(json, max) : value
}

function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const head = headOf(text, max)
  return `${head}… [${text.length - head.length} more characters]`
}
