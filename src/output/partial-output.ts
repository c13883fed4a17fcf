import { parse as parsePartial } from 'partial-json'
import { frozenCopy, isObject } from '../util/json.ts'
import type { JsonValue } from '../util/json.ts'
import { withoutThoughts } from './answer-text.ts'
import type { OutputSpec } from './output-spec.ts'

/** An answer while its pieces come. Parsed anew only when it has grown by an eighth, so that all the parsing together stays linear. */
export class PartialOutput {
  readonly #isWrapped: boolean
  /** Is a lone `value` the wrapping that a model puts around an answer which needs none? */
  readonly #mayBeWrapped: boolean
  #text = ''
  #parsedLength = 0

  constructor({ isWrapped, jsonSchema }: Pick<OutputSpec, 'isWrapped' | 'jsonSchema'>) {
    const { properties, required } = jsonSchema as { readonly properties?: unknown; readonly required?: unknown }
    this.#isWrapped = isWrapped
    const knowsValue = isObject(properties) && 'value' in properties
    this.#mayBeWrapped = !knowsValue && Array.isArray(required) && required.some((name) => name !== 'value')
  }

  /** The value so far, when there is a new one. */
  push(piece: string): JsonValue | undefined {
    this.#text += piece
    if (this.#text.length < this.#parsedLength + Math.floor(this.#parsedLength / 8) + 1) return undefined
    this.#parsedLength = this.#text.length
    const text = withoutThoughts(this.#text)
    // What the model is asked for is always an object. A list in front of it is a part of what it says beside.
    const start = text.indexOf('{')
    if (start < 0) return undefined
    try {
      const value = frozenCopy(parsePartial(text.slice(start)) as JsonValue)
      if (!isObject(value)) return undefined
      if (this.#isWrapped) return value['value']
      const isLone = this.#mayBeWrapped && 'value' in value && Object.keys(value).length === 1
      const inner = isLone ? value['value'] : value
      return isObject(inner) ? inner : undefined
    } catch {
      return undefined
    }
  }
}
