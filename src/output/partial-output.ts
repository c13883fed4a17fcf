import { parse as parsePartial } from 'partial-json'
import { frozenCopy, isObject } from '../util/json.ts'
import type { JsonValue } from '../util/json.ts'

/** An answer while its pieces come. Parsed anew only when it has grown by an eighth, so that all the parsing together stays linear. */
export class PartialOutput {
  readonly #isWrapped: boolean
  #text = ''
  #parsedLength = 0

  constructor(isWrapped: boolean) {
    this.#isWrapped = isWrapped
  }

  /** The value so far, when there is a new one. */
  push(piece: string): JsonValue | undefined {
    this.#text += piece
    if (this.#text.length < this.#parsedLength + Math.floor(this.#parsedLength / 8) + 1) return undefined
    this.#parsedLength = this.#text.length
    const start = this.#text.search(/[{[]/)
    if (start < 0) return undefined
    try {
      const value = frozenCopy(parsePartial(this.#text.slice(start)) as JsonValue)
      if (!this.#isWrapped) return value
      return isObject(value) && 'value' in value ? value['value'] : undefined
    } catch {
      return undefined
    }
  }
}
