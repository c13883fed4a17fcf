const fence = '```'

/** Puts text into lines: white space is one space, blocks stand apart, and what is listed or quoted has its marks before each line. */
export class Writer {
  readonly lines: string[] = []
  /** Characters written so far. */
  length = 0
  #line = ''
  /** Line breaks that are due before the next text: 1 a line, 2 an empty one between. */
  #due = 0
  #space = false
  /** Written before the next text, once there is one. */
  #lead = ''
  readonly #marks: { first: string; readonly rest: string }[] = []

  /** The next text begins a line (1), or one behind an empty line (2). */
  break(breaks: 1 | 2): void {
    this.#due = Math.max(this.#due, breaks)
    this.#space = false
  }

  text(text: string): void {
    const words = text.replace(/[\s\u00a0]+/g, ' ')
    const bare = words.trim()
    if (bare === '') {
      this.#space ||= words !== ''
      return
    }
    this.#open()
    if ((this.#space || words.startsWith(' ')) && !/(^|\s)$/.test(this.#line)) this.#add(' ')
    this.#add(this.#lead + bare)
    this.#lead = ''
    this.#space = words.endsWith(' ')
  }

  /** Two marks around what is written between now and the call of what is given back; none when that is nothing. */
  around(before: string, after: string): () => void {
    const { length } = this
    this.#lead += before
    return () => {
      if (this.length > length) this.glue(after)
      else this.#lead = this.#lead.slice(0, -before.length)
    }
  }

  /** Joined to what stands before it. */
  glue(text: string): void {
    this.#add(text)
  }

  /** Code begins or ends. */
  fence(): void {
    this.break(this.#isInCode ? 1 : 2)
    this.#open()
    this.#add(fence)
    this.break(this.#isInCode ? 2 : 1)
    this.#isInCode = !this.#isInCode
  }
  #isInCode = false

  /** Code: as it is, line by line. */
  code(text: string): void {
    for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
      if (index > 0) {
        // The line break behind the beginning is none of the code.
        const isFirst = this.#line.trim() === '' && this.lines.at(-1)?.endsWith(fence)
        if (this.#due > 0) this.#open()
        else if (!isFirst) this.lines.push(this.#line.trimEnd())
        this.#line = ''
        this.length++
      }
      if (line === '') continue
      this.#open()
      this.#add(line)
    }
  }

  /** Until `unmark` each line begins with `rest`, the next one with `first`. */
  mark(first: string, rest: string): void {
    this.#marks.push({ first, rest })
  }

  unmark(): void {
    this.#marks.pop()
  }

  /** Nothing stands on this line yet. */
  get isAtStart(): boolean {
    return this.#due > 0 || this.#line === ''
  }

  /** Ends the line, and says how many there are. */
  end(): number {
    this.#push()
    return this.lines.length
  }

  #open(): void {
    if (this.#due > 0) {
      this.#push()
      if (this.#due > 1 && this.lines.length > 0 && this.lines.at(-1) !== '') this.lines.push('')
      this.#due = 0
    }
    if (this.#line === '') this.#add(this.#margin())
  }

  #margin(): string {
    let margin = ''
    for (const mark of this.#marks) {
      margin += mark.first
      mark.first = mark.rest
    }
    return margin
  }

  #add(text: string): void {
    this.#line += text
    this.length += text.length
  }

  #push(): void {
    const line = this.#line.trimEnd()
    if (line !== '') this.lines.push(line)
    this.#line = ''
  }
}
