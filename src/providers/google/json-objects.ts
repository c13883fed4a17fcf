/** The longest object that is held, in characters: no provider comes near it, an endless one must not fill the memory. */
const maxHeld = 64 * 1024 * 1024

/**
 * Reads JSON objects out of text that comes in pieces: one alone, or several as the items of a list. Each is told as text,
 * as soon as it closes. Reads each character once.
 */
export class JsonObjects {
  readonly #onObject: (json: string) => void
  #held: string[] = []
  #length = 0
  #depth = 0
  #inString = false
  #escaped = false

  constructor(onObject: (json: string) => void) {
    this.#onObject = onObject
  }

  /** Has an object begun that did not close? */
  get isOpen(): boolean {
    return this.#depth > 0
  }

  /** @throws {RangeError} when an object is longer than any provider sends. */
  feed(piece: string): void {
    let from = 0
    for (let i = 0; i < piece.length; i++) {
      const code = piece.charCodeAt(i)
      if (this.#inString) this.#inside(code)
      else if (code === 0x22) this.#inString = this.#depth > 0
      else if (code === 0x7b && this.#depth++ === 0) from = i
      else if (code === 0x7d && this.#depth > 0 && --this.#depth === 0) {
        this.#held.push(piece.slice(from, i + 1))
        const json = this.#held.join('')
        this.#held = []
        this.#length = 0
        this.#onObject(json)
      }
    }
    if (this.#depth === 0) return
    this.#held.push(piece.slice(from))
    this.#length += piece.length - from
    if (this.#length > maxHeld) throw new RangeError(`A JSON object of more than ${maxHeld} characters is not read.`)
  }

  #inside(code: number): void {
    if (this.#escaped) this.#escaped = false
    else if (code === 0x5c) this.#escaped = true
    else if (code === 0x22) this.#inString = false
  }
}
