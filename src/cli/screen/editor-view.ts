import type { Place } from './live-region.ts'
import { clip, displayWidth, graphemes, rowWidth, wholeFrom, widthOf } from './width.ts'
import { wrapText } from './wrap.ts'

export type View = { readonly rows: readonly string[]; readonly cursor: Place }

export type ViewOptions = {
  readonly prompt: string
  readonly text: string
  readonly cursor: number
  /** Rows below the text. */
  readonly below: readonly string[]
  readonly width: number
  readonly height: number
}

/**
 * What a person types as rows: the prompt before the first, as much space before the others. Only the part that can be seen is looked
 * at, however long the text is.
 */
export function viewOf({ prompt, text, cursor, below, width, height }: ViewOptions): View {
  const room = Math.max(1, height - 1)
  const { before, head, indent } = headOf(prompt, width)
  const { from, to } = partAround(text, cursor, room, width - indent)
  const rows: string[] = from === 0 ? [...before, head] : [' '.repeat(indent)]
  let column = from === 0 ? rowWidth(head) : indent
  let index = from
  let place: Place | undefined
  const next = (): void => {
    rows.push(' '.repeat(indent))
    column = indent
  }
  const isEnough = (): boolean => place !== undefined && rows.length > place.row + room
  for (const [at, line] of text.slice(from, to).split('\n').entries()) {
    if (at > 0) next()
    for (const grapheme of graphemes(line)) {
      const shown = grapheme === '\t' ? '    ' : grapheme
      const columns = grapheme === '\t' ? 4 : widthOf(grapheme)
      if (column + columns > width) next()
      if (index >= cursor) place ??= { row: rows.length - 1, column }
      rows[rows.length - 1] += shown
      column += columns
      index += grapheme.length
    }
    if (index === cursor) {
      // Behind the last column stands the next row.
      if (column >= width) next()
      place ??= { row: rows.length - 1, column }
    }
    if (isEnough()) break
    index++
  }
  const all = to === text.length && !isEnough() ? [...rows, ...below] : rows
  return windowed({ rows: all, cursor: place ?? { row: rows.length - 1, column } }, room)
}

/** The prompt: rows that stand above the text, and what stands before its first row and, as space, before the others. */
function headOf(prompt: string, width: number): { readonly before: readonly string[]; readonly head: string; readonly indent: number } {
  if (rowWidth(prompt) <= width - 4) return { before: [], head: prompt, indent: rowWidth(prompt) }
  // A prompt as wide as the terminal leaves no room to type beside it.
  const rows = prompt.includes('\u001b') ? [prompt.trimEnd()] : wrapText(prompt.trimEnd(), width)
  const last = `${rows.at(-1)!} `
  return rowWidth(last) <= width - 4 ? { before: rows.slice(0, -1), head: last, indent: 0 } : { before: rows, head: '', indent: 0 }
}

/**
 * The part of a text that can be seen around the cursor, and something more: so many lines before it and behind it, for each takes a row
 * at least, or so many characters. Where that begins within a line it does so at a whole number of rows, so that what is on the screen
 * does not move with every key.
 */
function partAround(text: string, cursor: number, rows: number, columns: number): { readonly from: number; readonly to: number } {
  const reach = Math.max(2048, 2 * rows * columns)
  if (text.length <= reach) return { from: 0, to: text.length }
  const to = Math.min(text.length, cursor + reach)
  const before = text.slice(Math.max(0, cursor - reach), cursor)
  let start = before.length + 1
  for (let line = 0; line <= rows && start > 0; line++) start = start < 2 ? 0 : before.lastIndexOf('\n', start - 2) + 1
  if (start > 0) return { from: cursor - before.length + start, to }
  const step = columns * Math.ceil(reach / columns)
  return { from: wholeFrom(text, Math.floor(Math.max(0, cursor - reach) / step) * step), to }
}

/** Lines of a text that stay on the screen once it was sent: of a file that was pasted its beginning and its end. */
const [headLines, tailLines] = [20, 10]
/** The same for the characters of a line. */
const [headChars, tailChars] = [1200, 600]

/** The text as it stays on the screen. */
export function asSent(text: string): string {
  const lines = text.split('\n')
  const hidden = lines.length - headLines - tailLines
  if (hidden < 10) return lines.map(shortened).join('\n')
  return [...lines.slice(0, headLines).map(shortened), `… ${hidden} more lines`, ...lines.slice(-tailLines).map(shortened)].join('\n')
}

function shortened(line: string): string {
  const hidden = line.length - headChars - tailChars
  if (hidden < 200) return line
  const [head, tail] = [line.slice(0, wholeFrom(line, headChars)), line.slice(wholeFrom(line, line.length - tailChars))]
  return `${head} … ${line.length - head.length - tail.length} more characters … ${tail}`
}

/** The rows around the cursor, when there are more than the terminal has. */
function windowed({ rows, cursor }: View, height: number): View {
  if (rows.length <= height) return { rows, cursor }
  const top = Math.max(0, Math.min(cursor.row - Math.floor(height / 2), rows.length - height))
  return { rows: rows.slice(top, top + height), cursor: { row: cursor.row - top, column: cursor.column } }
}

/** Choices beside each other, as `ls` shows files; some of many. */
export function choices(
  all: readonly string[],
  chosen: number | undefined,
  width: number,
  more: (count: number) => string,
): readonly string[] {
  const maxRows = 6
  const widest = Math.min(width, Math.max(...all.map(displayWidth)) + 2)
  const perRow = Math.max(1, Math.floor(width / widest))
  const start = chosen === undefined ? 0 : Math.floor(chosen / (perRow * maxRows)) * perRow * maxRows
  const shown = all.slice(start, start + perRow * maxRows)
  const rows: string[] = []
  for (let at = 0; at < shown.length; at += perRow) {
    rows.push(
      clip(
        shown
          .slice(at, at + perRow)
          .map((choice, index) => (start + at + index === chosen ? `[${choice}]`.padEnd(widest) : ` ${choice}`.padEnd(widest)))
          .join('')
          .trimEnd(),
        width,
      ),
    )
  }
  return all.length > shown.length ? [...rows, more(all.length - shown.length)] : rows
}
