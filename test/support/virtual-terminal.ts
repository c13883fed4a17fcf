import { graphemes, widthOf } from '../../src/cli/screen/width.ts'

/** What stands in one column; an empty text is the right half of a wide character. */
export type TerminalCell = { readonly text: string; readonly look: string; readonly url: string }

type Line = { cells: TerminalCell[]; /** The next row goes on with it: it was too long. */ wraps: boolean }

/**
 * A terminal in memory: takes what a program writes, and has what a person would see. Knows what this program uses and a little more;
 * anything else is kept in `unknown`, so that a test sees that something steered the terminal that should not.
 */
export class VirtualTerminal {
  columns: number
  rows: number
  /** Sequences that are none of those this program writes. */
  readonly unknown: string[] = []
  /** Private modes that are on, `25` (a cursor that is seen) among them. */
  readonly modes = new Set(['25'])
  title = ''
  #lines: Line[] = [{ cells: [], wraps: false }]
  /** Of the whole, what has left the screen included. */
  #row = 0
  #column = 0
  /** The last column is taken; the next character begins a row. */
  #isFull = false
  #look: string[] = []
  #url = ''
  #rest = ''
  /** The first row that is on the screen: what has left it does not come back when rows below are erased. */
  #top = 0

  constructor(columns = 80, rows = 24) {
    this.columns = columns
    this.rows = rows
  }

  write(text: string): void {
    let input = this.#rest + text
    this.#rest = ''
    while (input !== '') {
      // oxlint-disable-next-line no-control-regex
      const plain = /^[^\u0000-\u001f\u007f-\u009f]+/.exec(input)?.[0]
      if (plain !== undefined) {
        for (const grapheme of graphemes(plain)) this.#put(grapheme)
        input = input.slice(plain.length)
        continue
      }
      const length = this.#control(input)
      if (length === 0) {
        this.#rest = input
        return
      }
      input = input.slice(length)
    }
  }

  /** As terminals do that keep long lines together: rows that were one line are broken anew. */
  resize(columns: number, rows = this.rows): void {
    const all: Line[] = []
    let cursor = { row: 0, column: 0 }
    for (let at = 0; at < this.#lines.length; at++) {
      const start = at
      let cells: TerminalCell[] = []
      while (this.#lines[at]!.wraps && at < this.#lines.length - 1) cells = cells.concat(this.#lines[at++]!.cells)
      cells = cells.concat(this.#lines[at]!.cells)
      let offset = 0
      const hasCursor = this.#row >= start && this.#row <= at
      for (let row = start; row < this.#row && hasCursor; row++) offset += this.#lines[row]!.cells.length
      const first = all.length
      do all.push({ cells: cells.splice(0, columns), wraps: cells.length > 0 })
      while (cells.length > 0)
      if (hasCursor) {
        const place = offset + this.#column
        const row = Math.min(Math.floor(place / columns), all.length - 1 - first)
        cursor = { row: first + row, column: Math.min(columns - 1, place - row * columns) }
      }
    }
    this.#lines = all
    this.#top = Math.max(0, all.length - rows)
    this.columns = columns
    this.rows = rows
    this.#row = cursor.row
    this.#column = cursor.column
    this.#isFull = false
  }

  /** Everything that was ever shown and not erased, row by row. */
  get text(): readonly string[] {
    return this.cells.map((cells) =>
      cells
        .map(({ text }) => text)
        .join('')
        .trimEnd(),
    )
  }

  /** What can be seen now. */
  get screen(): readonly string[] {
    return this.text.slice(this.#top)
  }

  get cells(): readonly (readonly TerminalCell[])[] {
    const last = this.#lines.findLastIndex(({ cells }) => cells.length > 0)
    return this.#lines.slice(0, Math.max(last, this.#row) + 1).map(({ cells }) => cells)
  }

  /** Where the cursor is on the screen. */
  get cursor(): { readonly row: number; readonly column: number } {
    return { row: this.#row - this.#top, column: this.#column }
  }

  #put(grapheme: string): void {
    const width = widthOf(grapheme)
    if (width === 0) return
    if (this.#isFull || this.#column + width > this.columns) {
      this.#lines[this.#row]!.wraps = true
      this.#column = 0
      this.#isFull = false
      this.#down()
    }
    const { cells } = this.#lines[this.#row]!
    while (cells.length < this.#column) cells.push({ text: ' ', look: '', url: '' })
    const cell = { text: grapheme, look: this.#look.join(';'), url: this.#url }
    cells.splice(this.#column, width, cell, ...(width === 2 ? [{ ...cell, text: '' }] : []))
    this.#column += width
    if (this.#column >= this.columns) {
      this.#column = this.columns - 1
      this.#isFull = true
    }
  }

  #down(): void {
    this.#row++
    if (this.#row === this.#lines.length) this.#lines.push({ cells: [], wraps: false })
    this.#top = Math.max(this.#top, this.#row - this.rows + 1)
  }

  /** Takes one control or sequence; 0 when it is not complete. */
  #control(input: string): number {
    // oxlint-disable-next-line no-control-regex
    const csi = /^\u001b\[([0-9;?]*)([@-~])/.exec(input)
    if (csi) {
      this.#csi(csi[1]!, csi[2]!, csi[0])
      return csi[0].length
    }
    // oxlint-disable-next-line no-control-regex
    const osc = /^\u001b\]([^\u0007\u001b]*)(?:\u0007|\u001b\\)/.exec(input)
    if (osc) {
      if (osc[1]!.startsWith('8;;')) this.#url = osc[1]!.slice(3)
      else {
        if (/^[02];/.test(osc[1]!)) this.title = osc[1]!.slice(2)
        this.unknown.push(osc[0])
      }
      return osc[0].length
    }
    if (input[0] === '\u001b' && (input.length === 1 || input[1] === '[' || input[1] === ']')) return 0
    switch (input[0]) {
      case '\n':
        this.#lines[this.#row]!.wraps = false
        this.#down()
        // As a terminal driver does, which puts a carriage return before it.
        this.#column = 0
        this.#isFull = false
        break
      case '\r':
        this.#column = 0
        this.#isFull = false
        break
      case '\b':
        this.#column = Math.max(0, this.#column - 1)
        break
      default:
        this.unknown.push(input[0]!)
    }
    return 1
  }

  #csi(parameters: string, final: string, all: string): void {
    const count = Math.max(1, Number(parameters) || 1)
    const to = (row: number): void => {
      this.#row = Math.max(this.#top, Math.min(row, this.#top + this.rows - 1))
      while (this.#row >= this.#lines.length) this.#lines.push({ cells: [], wraps: false })
      this.#isFull = false
    }
    switch (final) {
      case 'A':
        return to(this.#row - count)
      case 'B':
        return to(this.#row + count)
      case 'C':
        this.#column = Math.min(this.columns - 1, this.#column + count)
        this.#isFull = false
        return
      case 'D':
        this.#column = Math.max(0, this.#column - count)
        this.#isFull = false
        return
      case 'H':
        to(this.#top)
        this.#column = 0
        return
      case 'J':
        if (parameters === '2') for (const line of this.#lines.slice(this.#top)) line.cells = []
        else if (this.#row === this.#top && this.#column === 0) {
          // As tmux does: who erases all from the corner clears the screen, and what stood there is kept above it.
          this.#lines.splice(this.#lines.findLastIndex(({ cells }) => cells.length > 0) + 1)
          this.#row = this.#top = Math.max(this.#top, this.#lines.length)
          while (this.#lines.length <= this.#row) this.#lines.push({ cells: [], wraps: false })
        } else {
          this.#lines[this.#row]!.cells.splice(this.#column)
          this.#lines[this.#row]!.wraps = false
          this.#lines.splice(this.#row + 1)
        }
        return
      case 'K':
        this.#lines[this.#row]!.cells.splice(this.#column)
        return
      case 'm':
        this.#look = parameters === '' || parameters === '0' ? [] : this.#looked(parameters.split(';'))
        return
      case 'h':
      case 'l': {
        const mode = /^\?(25|2004|2026)$/.exec(parameters)?.[1]
        if (mode === undefined) this.unknown.push(all)
        else if (final === 'h') this.modes.add(mode)
        else this.modes.delete(mode)
        return
      }
      default:
        this.unknown.push(all)
    }
  }

  #looked(codes: readonly string[]): string[] {
    let look = this.#look
    for (const code of codes) {
      if (code === '0') look = []
      else if (code === '22') look = look.filter((each) => each !== '1' && each !== '2')
      else if (code === '39') look = look.filter((each) => !/^3\d$/.test(each))
      else look = [...look.filter((each) => each !== code), code]
    }
    return look
  }
}
