import { graphemes } from './width.ts'

type Moment = { readonly text: string; readonly cursor: number }

const letters = /[\p{L}\p{N}\p{M}_]/u
const maxUndo = 200

/** A text that is being written, and where the cursor stands in it. Lines are separated by `\n`. */
export class EditBuffer {
  text = ''
  /** Between two characters, as an index into the text. */
  cursor = 0
  #killed = ''
  #past: Moment[] = []

  set(text: string): void {
    this.#remember()
    this.text = text
    this.cursor = text.length
  }

  insert(text: string): void {
    this.#remember()
    this.text = this.#before + text + this.#after
    this.cursor += text.length
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
    this.#kill(this.#before.replace(/\S+\s*$|\s+$/, '').length, this.cursor)
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
    this.#remember()
    const { cursor, text } = this
    this.text = `${text.slice(0, cursor - before)}${text.slice(cursor, cursor + after)}${text.slice(cursor - before, cursor)}${text.slice(cursor + after)}`
    this.cursor = cursor + after
  }

  undo(): void {
    const last = this.#past.pop()
    if (!last) return
    this.text = last.text
    this.cursor = last.cursor
  }

  /** Puts other text in the place of what stands between `from` and the cursor. */
  replaceLeft(from: number, text: string): void {
    this.#remember()
    this.text = this.text.slice(0, from) + text + this.#after
    this.cursor = from + text.length
  }

  get #before(): string {
    return this.text.slice(0, this.cursor)
  }

  get #after(): string {
    return this.text.slice(this.cursor)
  }

  #lengthLeft(): number {
    const start = this.#before.lastIndexOf('\n') + 1
    return start === this.cursor ? Math.min(1, this.cursor) : graphemes(this.text.slice(start, this.cursor)).at(-1)!.length
  }

  #lengthRight(): number {
    if (this.cursor === this.text.length) return 0
    const end = this.text.indexOf('\n', this.cursor)
    return end === this.cursor ? 1 : graphemes(this.text.slice(this.cursor, end < 0 ? undefined : end))[0]!.length
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
    let at = lineStart
    for (const grapheme of graphemes(
      this.text.slice(lineStart, this.text.indexOf('\n', wanted) < 0 ? undefined : this.text.indexOf('\n', wanted)),
    )) {
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
    if (from === to) return
    this.#remember()
    this.text = this.text.slice(0, from) + this.text.slice(to)
    this.cursor = from
  }

  #remember(): void {
    this.#past.push({ text: this.text, cursor: this.cursor })
    if (this.#past.length > maxUndo) this.#past.shift()
  }
}
