import { rowWidth } from './width.ts'

/** A place on the screen, from the upper left of the region. */
export type Place = { readonly row: number; readonly column: number }

const up = (rows: number): string => (rows > 0 ? `\u001b[${rows}A` : '')
const right = (columns: number): string => (columns > 0 ? `\u001b[${columns}C` : '')
/** To the terminal: show nothing until all of it came. Terminals that do not know it go by. */
const together = (text: string): string => `\u001b[?2026h${text}\u001b[?2026l`

/**
 * The last rows on the screen, which change in place. Only ever moves within them and erases below: what stands above is finished,
 * and belongs to the terminal. Gives the text to be written; whoever has the stream writes it.
 */
export class LiveRegion {
  #rows: readonly string[] = []
  #cursor: Place = { row: 0, column: 0 }

  get isDrawn(): boolean {
    return this.#rows.length > 0
  }

  /**
   * @param rows none wider than the terminal, and fewer than its rows: what has left the screen at its top cannot be reached any more.
   * @param columns of the terminal now.
   * @param cursor where it is to stand; default behind the last row.
   */
  draw(rows: readonly string[], columns: number, cursor: Place = endOf(rows)): string {
    const before = this.#rows
    const grown = this.#grown(rows, cursor)
    if (grown !== undefined) {
      this.#rows = rows
      this.#cursor = cursor
      return grown
    }
    if (before.length === 0 && rows.length === 0) return ''
    let text = this.#erased(columns)
    this.#rows = rows
    this.#cursor = cursor
    text += rows.join('\n')
    if (!isEnd(cursor, rows)) text += `${up(rows.length - 1 - cursor.row)}\r${right(cursor.column)}`
    return before.length === 0 && rows.length === 1 ? text : together(text)
  }

  /** Takes the rows from the screen. The cursor stands where they began. */
  erase(columns: number): string {
    const text = this.#erased(columns)
    this.#rows = []
    this.#cursor = { row: 0, column: 0 }
    return text
  }

  /** Leaves the rows where they are, as finished text; the cursor stands below them. */
  finish(): string {
    if (this.#rows.length === 0) return ''
    const text = `${'\n'.repeat(Math.max(0, this.#rows.length - 1 - this.#cursor.row))}\n`
    this.#rows = []
    this.#cursor = { row: 0, column: 0 }
    return text
  }

  /** They are no longer where they were: the screen was cleared, or another program has written. */
  forget(): void {
    this.#rows = []
    this.#cursor = { row: 0, column: 0 }
  }

  /** When text was only added behind the cursor, which is what typing does: that text. */
  #grown(rows: readonly string[], cursor: Place): string | undefined {
    const before = this.#rows
    const last = before.at(-1)
    const now = rows.at(-1)
    if (last === undefined || now === undefined || rows.length !== before.length || !now.startsWith(last)) return undefined
    if (!isEnd(this.#cursor, before) || !isEnd(cursor, rows)) return undefined
    return before.slice(0, -1).every((row, index) => row === rows[index]) ? now.slice(last.length) : undefined
  }

  /**
   * Takes them away; the cursor stands where they began. All below the first goes in one step, and never from the upper left corner: there
   * some terminals take it for the clearing of the screen, and keep what is erased as if it had been scrolled out.
   */
  #erased(columns: number): string {
    if (this.#rows.length === 0) return ''
    // A terminal that became narrower has broken rows in two.
    const heights = this.#rows.map((row) => Math.max(1, Math.ceil(rowWidth(row) / columns)))
    const sum = (some: readonly number[]): number => some.reduce((all, height) => all + height, 0)
    const within = Math.floor(Math.max(0, this.#cursor.column - 1) / columns)
    const toTop = `\r${up(sum(heights.slice(0, this.#cursor.row)) + within)}\u001b[K`
    return sum(heights) === 1 ? toTop : `${toTop}\n\u001b[J${up(1)}`
  }
}

const endOf = (rows: readonly string[]): Place => ({ row: Math.max(0, rows.length - 1), column: rowWidth(rows.at(-1) ?? '') })

const isEnd = ({ row, column }: Place, rows: readonly string[]): boolean => {
  const end = endOf(rows)
  return row === end.row && column === end.column
}
