/**
 * Tells the moment at which a JSON object that comes in pieces closes. Reads each character once. Text that does not begin
 * with a brace never closes.
 */
export class JsonEnd {
  #depth = 0
  #inString = false
  #escaped = false
  #begun = false
  #never = false
  closed = false

  /** Takes the next piece; true when the object is complete with it. */
  push(piece: string): boolean {
    if (this.closed || this.#never) return this.closed
    for (let i = 0; i < piece.length; i++) {
      const code = piece.charCodeAt(i)
      if (this.#inString) this.#inside(code)
      else if (code === 0x22) this.#inString = true
      else if (code === 0x7b || code === 0x5b) this.#depth++
      else if ((code === 0x7d || code === 0x5d) && --this.#depth === 0) return (this.closed = true)
      if (!this.#begun && code > 0x20) {
        this.#begun = true
        if (code !== 0x7b) {
          this.#never = true
          return false
        }
      }
    }
    return false
  }

  #inside(code: number): void {
    if (this.#escaped) this.#escaped = false
    else if (code === 0x5c) this.#escaped = true
    else if (code === 0x22) this.#inString = false
  }
}
