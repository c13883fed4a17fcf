import type { JsonObject, JsonValue } from '../../../util/json.ts'
import { isObject } from '../../../util/json.ts'
import type { ResponseItem, TextKind, Told, WireItem } from './response-item.ts'
import { delta } from './response-item.ts'
import { citationOf } from './citation.ts'

/** One text of an item, which is one block. */
type Part = { readonly kind: TextKind; readonly index: number; readonly block: number; text: string; readonly cited: Set<string> }

/** A message, or what the model thought. Each of its texts is a block that knows its item, so that the item can go back as it came. */
export class TextItem implements ResponseItem {
  readonly #told: Told
  readonly #isReasoning: boolean
  readonly #parts = new Map<string, Part>()
  readonly #onRefusal: () => void
  #item: WireItem
  #ended = false

  constructor(item: WireItem, told: Told, onRefusal: () => void) {
    this.#item = item
    this.#told = told
    this.#isReasoning = item.type === 'reasoning'
    this.#onRefusal = onRefusal
  }

  say(kind: TextKind, index: number, text: string): void {
    if (text === '') return
    if (kind === 'refusal') this.#onRefusal()
    const part = this.#part(kind, index)
    part.text += text
    this.#told.push(delta(part.block, { type: isThought(kind) ? 'reasoning' : 'text', text }))
  }

  sayAll(kind: TextKind, index: number, text: string): void {
    const said = this.#parts.get(`${kind} ${index}`)?.text ?? ''
    if (text.length > said.length && text.startsWith(said)) this.say(kind, index, text.slice(said.length))
  }

  cite(index: number, annotation: JsonObject): void {
    const part = this.#part('text', index)
    // Told when it is made, and again with the whole text.
    const key = JSON.stringify(annotation)
    if (part.cited.has(key)) return
    part.cited.add(key)
    this.#told.push(delta(part.block, { type: 'citation', citation: citationOf(annotation, this.#told.provider) }))
  }

  done(item: WireItem): void {
    this.#item = { ...this.#item, ...item }
    if (this.#isReasoning) this.#sayTexts(item['summary'], 'summary')
    this.#sayTexts(item['content'], this.#isReasoning ? 'content' : 'text')
    this.end()
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    const { id, phase, encrypted_content: signature } = this.#item
    const ids = { ...(id !== undefined && { itemId: id }), ...(phase !== undefined && phase !== null && { phase }) }
    const { push, nextBlock } = this.#told
    const parts: Pick<Part, 'kind' | 'block'>[] = [...this.#parts.values()]
    for (const { kind, block } of parts) {
      const own = isThought(kind) ? { ...ids, part: kind } : { ...ids, ...(kind === 'refusal' && { refusal: true }) }
      if (Object.keys(own).length > 0) push(delta(block, { type: 'provider', data: own }))
    }
    if (this.#isReasoning) {
      let block = parts.at(-1)?.block
      if (block === undefined) {
        // Thoughts without words have a block too: that they were there decides how the rest goes back.
        block = nextBlock()
        parts.push({ kind: 'content', block })
        push({ type: 'block_start', index: block, block: { type: 'reasoning' } })
        push(delta(block, { type: 'provider', data: { ...ids, part: 'none' } }))
      }
      if (typeof signature === 'string' && signature !== '') push(delta(block, { type: 'reasoning', signature }))
    }
    for (const { block } of parts) push({ type: 'block_stop', index: block })
  }

  /** The texts of the item when it is whole, for servers that send no pieces. */
  #sayTexts(content: JsonValue | undefined, own: TextKind): void {
    if (!Array.isArray(content)) return
    ;(content as readonly JsonValue[]).forEach((part, index) => {
      if (!isObject(part)) return
      const { text, refusal, annotations } = part
      const kind = typeof refusal === 'string' ? 'refusal' : own
      const said = refusal ?? text
      if (typeof said !== 'string') return
      const place = this.#placeOf(kind, index, said)
      this.sayAll(kind, place, said)
      if (Array.isArray(annotations))
        for (const annotation of annotations as unknown[]) if (isObject(annotation)) this.cite(place, annotation as JsonObject)
    })
  }

  /** Where this text was told in pieces. Some servers count their texts differently in the end. */
  #placeOf(kind: TextKind, index: number, text: string): number {
    if (this.#parts.has(`${kind} ${index}`)) return index
    for (const part of this.#parts.values()) if (part.kind === kind && text.startsWith(part.text)) return part.index
    return index
  }

  #part(kind: TextKind, index: number): Part {
    const key = `${kind} ${index}`
    let part = this.#parts.get(key)
    if (!part) {
      part = { kind, index, block: this.#told.nextBlock(), text: '', cited: new Set() }
      this.#parts.set(key, part)
      this.#told.push({ type: 'block_start', index: part.block, block: { type: isThought(kind) ? 'reasoning' : 'text' } })
    }
    return part
  }
}

const isThought = (kind: TextKind): boolean => kind === 'summary' || kind === 'content'
