import type { Place } from './live-region.ts'
import { clip, displayWidth, graphemes, rowWidth, widthOf } from './width.ts'
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

/** What a person types as rows: the prompt before the first, as much space before the others. */
export function viewOf({ prompt, text, cursor, below, width, height }: ViewOptions): View {
  const room = Math.max(1, height - 1)
  const { before, head, indent } = headOf(prompt, width)
  const lines = text.split('\n')
  const { from, to, start } = linesAround(lines, cursor, room)
  const rows: string[] = from === 0 ? [...before, head] : [' '.repeat(indent)]
  let column = from === 0 ? rowWidth(head) : indent
  let index = start
  let place: Place | undefined
  const next = (): void => {
    rows.push(' '.repeat(indent))
    column = indent
  }
  for (let at = from; at < to; at++) {
    if (at > from) next()
    for (const grapheme of graphemes(lines[at]!)) {
      const shown = grapheme === '\t' ? '    ' : grapheme
      const columns = grapheme === '\t' ? 4 : widthOf(grapheme)
      if (column + columns > width) next()
      if (index === cursor) place = { row: rows.length - 1, column }
      rows[rows.length - 1] += shown
      column += columns
      index += grapheme.length
    }
    if (index === cursor) {
      // Behind the last column stands the next row.
      if (column >= width) next()
      place = { row: rows.length - 1, column }
    }
    index++
  }
  const all = to === lines.length ? [...rows, ...below] : rows
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

/** The lines that can be seen around the cursor, and where the first of them begins: each takes a row at least. A pasted file has many more. */
function linesAround(
  lines: readonly string[],
  cursor: number,
  rows: number,
): { readonly from: number; readonly to: number; readonly start: number } {
  if (lines.length <= 2 * rows) return { from: 0, to: lines.length, start: 0 }
  let current = 0
  let end = lines[0]!.length
  while (end < cursor) end += 1 + lines[++current]!.length
  const from = Math.max(0, current - rows)
  let start = end - lines[current]!.length
  for (let at = current - 1; at >= from; at--) start -= 1 + lines[at]!.length
  return { from, to: Math.min(lines.length, current + rows + 1), start }
}

/** Lines of a text that stay on the screen once it was sent: of a file that was pasted its beginning and its end. */
const [headLines, tailLines] = [20, 10]

/** The text as it stays on the screen. */
export function asSent(text: string): string {
  const lines = text.split('\n')
  const hidden = lines.length - headLines - tailLines
  if (hidden < 10) return text
  return [...lines.slice(0, headLines), `… ${hidden} more lines`, ...lines.slice(-tailLines)].join('\n')
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
