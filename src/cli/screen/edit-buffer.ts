import { graphemes, lengthBefore, lengthFrom, wholeFrom } from './width.ts'

/** What one change has put in the place of what, and where the cursor was: a text may be long, so it is not kept whole. */
type Change = { readonly from: number; readonly removed: string; readonly inserted: number; readonly cursor: number }

const letters = /[\p{L}\p{N}\p{M}_]/u
const maxUndo = 200
/** A longer one is cut where it is stepped over. */
const longestCharacter = 256

const isSpace = (char: string): boolean => /\s/.test(char)

/** A text that is being written, and where the cursor stands in it. Lines are separated by `\n`. */
export class EditBuffer {
  text = ''
  /** Between two characters, as an index into the text. */
  cursor = 0
  #killed = ''
  #past: Change[] = []

  set(text: string): void {
    this.#replace(0, this.text.length, text)
  }

  insert(text: string): void {
    this.#replace(this.cursor, this.cursor, text)
  }

  left(): void {
    this.cursor -= this.#lengthLeft()
  }

  right(): void {
    this.cursor += this.#lengthRight()
  }

  wordLeft(): void {
    this.cursor = this.#wordStart()
  }

  wordRight(): void {
    this.cursor = this.#wordEnd()
  }

  lineStart(): void {
    this.cursor = this.#before.lastIndexOf('\n') + 1
  }

  lineEnd(): void {
    const end = this.text.indexOf('\n', this.cursor)
    this.cursor = end < 0 ? this.text.length : end
  }

  /** To the line above, at the same character. False on the first line. */
  up(): boolean {
    const start = this.#before.lastIndexOf('\n') + 1
    if (start === 0) return false
    const above = this.text.lastIndexOf('\n', start - 2) + 1
    this.cursor = Math.min(above + this.cursor - start, start - 1)
    this.#toBoundary(above)
    return true
  }

  /** False on the last line. */
  down(): boolean {
    const start = this.#before.lastIndexOf('\n') + 1
    const end = this.text.indexOf('\n', this.cursor)
    if (end < 0) return false
    const next = this.text.indexOf('\n', end + 1)
    this.cursor = Math.min(end + 1 + this.cursor - start, next < 0 ? this.text.length : next)
    this.#toBoundary(end + 1)
    return true
  }

  backspace(): void {
    this.#remove(this.cursor - this.#lengthLeft(), this.cursor)
  }

  delete(): void {
    this.#remove(this.cursor, this.cursor + this.#lengthRight())
  }

  killLeft(): void {
    const start = this.#before.lastIndexOf('\n') + 1
    this.#kill(start === this.cursor ? Math.max(0, start - 1) : start, this.cursor)
  }

  killRight(): void {
    const end = this.text.indexOf('\n', this.cursor)
    this.#kill(this.cursor, end < 0 ? this.text.length : Math.max(end, this.cursor + (end === this.cursor ? 1 : 0)))
  }

  killWordLeft(): void {
    this.#kill(this.#wordStart(), this.cursor)
  }

  /** To the white space before, as Ctrl-W does in a shell. */
  killSpaceLeft(): void {
    let at = this.cursor
    while (at > 0 && isSpace(this.text[at - 1]!)) at--
    while (at > 0 && !isSpace(this.text[at - 1]!)) at--
    this.#kill(at, this.cursor)
  }

  killWordRight(): void {
    this.#kill(this.cursor, this.#wordEnd())
  }

  yank(): void {
    this.insert(this.#killed)
  }

  transpose(): void {
    if (this.cursor === this.text.length) this.left()
    const [before, after] = [this.#lengthLeft(), this.#lengthRight()]
    if (before === 0 || after === 0) return
    const { cursor, text } = this
    this.#replace(cursor - before, cursor + after, text.slice(cursor, cursor + after) + text.slice(cursor - before, cursor))
  }

  undo(): void {
    const last = this.#past.pop()
    if (!last) return
    const { from, removed, inserted, cursor } = last
    this.text = this.text.slice(0, from) + removed + this.text.slice(from + inserted)
    this.cursor = cursor
  }

  /** Puts other text in the place of what stands between `from` and the cursor. */
  replaceLeft(from: number, text: string): void {
    this.#replace(from, this.cursor, text)
  }

  get #before(): string {
    return this.text.slice(0, this.cursor)
  }

  #lengthLeft(): number {
    return lengthBefore(this.text, this.cursor)
  }

  #lengthRight(): number {
    return lengthFrom(this.text, this.cursor)
  }

  #wordStart(): number {
    let at = this.cursor
    while (at > 0 && !letters.test(this.text[at - 1]!)) at--
    while (at > 0 && letters.test(this.text[at - 1]!)) at--
    return at
  }

  #wordEnd(): number {
    let at = this.cursor
    while (at < this.text.length && !letters.test(this.text[at]!)) at++
    while (at < this.text.length && letters.test(this.text[at]!)) at++
    return at
  }

  /** Out of the middle of a character, to its beginning. */
  #toBoundary(lineStart: number): void {
    const wanted = this.cursor
    const near = Math.max(lineStart, wanted - longestCharacter)
    let at = near === lineStart ? lineStart : Math.min(wholeFrom(this.text, near), wanted)
    const end = this.text.indexOf('\n', wanted)
    for (const grapheme of graphemes(this.text.slice(at, Math.min(end < 0 ? this.text.length : end, wanted + longestCharacter)))) {
      if (at + grapheme.length > wanted) break
      at += grapheme.length
    }
    this.cursor = Math.min(at, wanted)
  }

  #kill(from: number, to: number): void {
    if (from === to) return
    this.#killed = this.text.slice(from, to)
    this.#remove(from, to)
  }

  #remove(from: number, to: number): void {
    if (from !== to) this.#replace(from, to, '')
  }

  /** Every change is one of these. The cursor stands behind what was put in. */
  #replace(from: number, to: number, text: string): void {
    this.#past.push({ from, removed: this.text.slice(from, to), inserted: text.length, cursor: this.cursor })
    if (this.#past.length > maxUndo) this.#past.shift()
    this.text = this.text.slice(0, from) + text + this.text.slice(to)
    this.cursor = from + text.length
  }
}
