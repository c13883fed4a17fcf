import type { Row, Span } from './span.ts'
import { spansWidth } from './span.ts'
import { displayWidth, graphemes, widthOf } from './width.ts'

type Piece = Span & { readonly width: number }

/** Columns that text gets at least: with less beside it, what stands before the text is left out. */
export const leastWidth = 8

export type WrapOptions = {
  /** What stands before the first row, and before each other one; both of one width. */
  readonly first?: Row | undefined
  readonly rest?: Row | undefined
}

/**
 * Rows of at most `width` columns. Breaks at spaces, between wide characters, and within a word only when it has no row to itself.
 * A line break in the text is one on the screen.
 */
export function wrap(spans: Row, width: number, { first = [], rest = first }: WrapOptions = {}): readonly Row[] {
  const rows: Row[] = []
  for (const line of linesOf(spans)) {
    const prefix = (): Row => (rows.length === 0 ? first : rest)
    const fits = width - spansWidth(first) >= leastWidth
    const room = Math.max(1, fits ? width - spansWidth(first) : width)
    for (const row of wrapLine(line, room)) rows.push(fits ? [...prefix(), ...row] : row)
  }
  return rows
}

/** The same for plain text. */
export const wrapText = (text: string, width: number): readonly string[] =>
  width === Infinity ? [text] : wrap([{ text }], width).map((row) => row.map((span) => span.text).join(''))

function linesOf(spans: Row): readonly Row[] {
  const lines: Span[][] = [[]]
  for (const span of spans) {
    span.text.split('\n').forEach((text, index) => {
      if (index > 0) lines.push([])
      if (text !== '') lines.at(-1)!.push({ ...span, text })
    })
  }
  return lines
}

function wrapLine(line: Row, width: number): readonly Row[] {
  if (spansWidth(line) <= width) return [line]
  const rows: Row[] = []
  let row: Piece[] = []
  let used = 0
  /** Spaces that stand before the next word, if it comes onto this row. */
  let spaces: Piece[] = []
  const end = (): void => {
    rows.push(row)
    row = []
    used = 0
    spaces = []
  }
  for (const word of wordsOf(line)) {
    const wordWidth = word.reduce((sum, piece) => sum + piece.width, 0)
    if (isSpace(word)) {
      // A row begins with a word, but for the first: its indentation was meant.
      if (row.length > 0 || rows.length === 0) spaces.push(...word)
      continue
    }
    const gap = spaces.reduce((sum, piece) => sum + piece.width, 0)
    if (row.length > 0 && used + gap + wordWidth > width) end()
    else if (gap + wordWidth <= width || row.length > 0) {
      row.push(...spaces)
      used += gap
      spaces = []
    } else spaces = []
    if (used + wordWidth <= width) {
      row.push(...word)
      used += wordWidth
      continue
    }
    for (const piece of word) {
      for (const grapheme of graphemes(piece.text)) {
        const columns = widthOf(grapheme)
        if (used + columns > width && row.length > 0) end()
        row.push({ ...piece, text: grapheme, width: columns })
        used += columns
      }
    }
  }
  if (row.length > 0 || rows.length === 0) end()
  return rows
}

const isSpace = (word: readonly Piece[]): boolean => word[0]!.text.startsWith(' ')

/** Words and the spaces between them; a word may run over several spans. Each wide character is a word. */
function wordsOf(line: Row): readonly (readonly Piece[])[] {
  const words: Piece[][] = []
  let isOpen = false
  for (const span of line) {
    for (const text of span.text.match(/ +|[^ ]+/g) ?? []) {
      if (text.startsWith(' ')) {
        words.push([{ ...span, text, width: text.length }])
        isOpen = false
        continue
      }
      for (const part of splitWide(text)) {
        const piece = { ...span, text: part.text, width: part.width }
        if (isOpen && !part.alone) words.at(-1)!.push(piece)
        else words.push([piece])
        isOpen = !part.alone
      }
    }
  }
  return words
}

function splitWide(text: string): readonly { readonly text: string; readonly width: number; readonly alone: boolean }[] {
  const width = displayWidth(text)
  if (width === text.length) return [{ text, width, alone: false }]
  const parts: { text: string; width: number; alone: boolean }[] = []
  for (const grapheme of graphemes(text)) {
    const columns = widthOf(grapheme)
    const last = parts.at(-1)
    if (columns === 2) parts.push({ text: grapheme, width: 2, alone: true })
    else if (last && !last.alone) parts[parts.length - 1] = { text: last.text + grapheme, width: last.width + columns, alone: false }
    else parts.push({ text: grapheme, width: columns, alone: false })
  }
  return parts
}

/** Breaks at the last column and nowhere else, so that nothing of the text is left out: for code and for what is typed. */
export function chop(line: Row, width: number): readonly Row[] {
  if (spansWidth(line) <= width) return [line]
  const rows: Span[][] = [[]]
  let used = 0
  for (const span of line) {
    for (const grapheme of graphemes(span.text)) {
      const columns = widthOf(grapheme)
      if (used + columns > width && used > 0) {
        rows.push([])
        used = 0
      }
      rows.at(-1)!.push({ ...span, text: grapheme })
      used += columns
    }
  }
  return rows
}
