import type { AssistantBlock, ReasoningBlock, ServerToolResultBlock, TextBlock, ToolUseBlock } from '../../../messages/content.ts'
import type { JsonObject } from '../../../util/json.ts'
import { isObject } from '../../../util/json.ts'
import { jsonText } from '../../wire/json-text.ts'
import { legalId } from './legal-id.ts'
import { needsResult } from './server-tools.ts'

type Item = { [field: string]: JsonObject[string] }

/**
 * What an assistant said, as the items that it came in. Blocks of one item become that item again. An item that refers to
 * thoughts keeps its id only when these go back with it: the API misses them otherwise.
 */
export class AnswerInput {
  readonly #provider: string
  readonly #items: Item[] = []
  /** The item that the next block may continue. */
  #open: { readonly key: string; readonly item: Item } | undefined
  /** The calls of the server's own tools, by our id. */
  readonly #serverCalls = new Map<string, Item>()
  /** Did the model think what cannot be given back? */
  #forgot = false

  constructor(provider: string) {
    this.#provider = provider
  }

  add(block: AssistantBlock, callIds: ReadonlyMap<string, string>): void {
    const data = 'provider' in block ? block.provider?.[this.#provider] : undefined
    switch (block.type) {
      case 'text':
        return this.#text(block, data ?? {})
      case 'reasoning':
        return data && this.#reasoning(block, data)
      case 'tool_use':
        return this.#call(block, callIds.get(block.id)!, data ?? {})
      case 'server_tool_use':
        return data && this.#serverCall(block.id, data)
      case 'server_tool_result':
        return data && this.#serverResult(block, data)
      default:
        // Pictures and documents that another provider's model made have no place in an answer.
        return
    }
  }

  finish(): readonly JsonObject[] {
    this.#forget()
    const answered = new Set(this.#items.filter(({ type }) => String(type).endsWith('_output')).map((item) => item['call_id']))
    const sent = this.#items.filter((item) => !needsResult(item) || (typeof item['call_id'] === 'string' && answered.has(item['call_id'])))
    // Thoughts that nothing follows are refused.
    while (sent.at(-1)?.['type'] === 'reasoning') sent.pop()
    return this.#forgot ? sent.filter(isWritten).map(withoutId) : withLegalIds(sent)
  }

  #text(block: TextBlock, data: JsonObject): void {
    const { itemId, phase, refusal } = data
    const key = `message ${typeof itemId === 'string' ? itemId : ''}`
    const part: JsonObject =
      refusal === true
        ? { type: 'refusal', refusal: block.text }
        : { type: 'output_text', text: block.text, annotations: this.#annotations(block) }
    if (this.#open?.key === key) return void (this.#open.item['content'] as JsonObject[]).push(part)
    this.#push(
      {
        type: 'message',
        role: 'assistant',
        ...(typeof itemId === 'string' && { id: itemId, status: 'completed' }),
        ...(phase !== undefined && { phase }),
        content: [part],
      },
      key,
    )
  }

  #annotations({ citations }: TextBlock): JsonObject[] {
    return (citations ?? []).flatMap(({ provider }): JsonObject[] => {
      const wire = provider?.[this.#provider]
      return wire ? [wire] : []
    })
  }

  #reasoning({ text, signature }: ReasoningBlock, { itemId, part }: JsonObject): void {
    if (part === undefined) return
    const id = typeof itemId === 'string' ? itemId : undefined
    const key = `reasoning ${id ?? ''}`
    if (this.#open?.key !== key || this.#open.item['encrypted_content'] !== undefined)
      this.#push({ type: 'reasoning', ...(id !== undefined && { id }), summary: [] }, key)
    const { item } = this.#open!
    if (part === 'summary') (item['summary'] as JsonObject[]).push({ type: 'summary_text', text })
    else if (part === 'content')
      item['content'] = [...((item['content'] as JsonObject[] | undefined) ?? []), { type: 'reasoning_text', text }]
    if (signature) item['encrypted_content'] = signature
  }

  #call({ name, input }: ToolUseBlock, callId: string, { itemId, fields }: JsonObject): void {
    this.#push({
      ...(isObject(fields) && fields),
      type: 'function_call',
      ...(typeof itemId === 'string' && { id: itemId, status: 'completed' }),
      call_id: callId,
      name,
      arguments: jsonText(input),
    })
  }

  #serverCall(id: string, { item }: JsonObject): void {
    // What never came whole has no item.
    if (!isObject(item)) return
    const own = { ...item }
    this.#serverCalls.set(id, own)
    this.#push(own)
  }

  /** A result is an item of its own, or belongs into the item of its call. */
  #serverResult({ toolUseId, content }: ServerToolResultBlock, { item, field }: JsonObject): void {
    if (typeof field !== 'string') return
    if (isObject(item)) return this.#push({ ...item, [field]: content })
    const call = this.#serverCalls.get(toolUseId)
    if (call) call[field] = content
  }

  #push(item: Item, key = 'closed'): void {
    this.#forget()
    this.#items.push(item)
    this.#open = { key, item }
  }

  /** Thoughts go back encrypted, or where they came in full: a summary alone says nothing to the API. */
  #forget(): void {
    const last = this.#items.at(-1)
    if (last?.['type'] !== 'reasoning' || last['encrypted_content'] !== undefined || last['content'] !== undefined) return
    this.#items.pop()
    this.#forgot = true
  }
}

/** Is the item whole without its id? */
const isWritten = ({ type }: Item): boolean => type === 'message' || type === 'function_call' || type === 'reasoning'

function withoutId({ id: _id, status: _status, ...item }: Item): Item {
  return item
}

/** Each id once, and only where the API takes it. */
function withLegalIds(items: readonly Item[]): Item[] {
  const used = new Set<string>()
  return items.map((item) => {
    const id = legalId(item['id'])
    if (id === undefined || used.has(id)) return withoutId(item)
    used.add(id)
    return item
  })
}
