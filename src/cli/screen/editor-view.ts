import type { Place } from './live-region.ts'
import { clip, displayWidth, graphemes, rowWidth, widthOf } from './width.ts'

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
  // A prompt as wide as the terminal leaves no room to type.
  const indent = rowWidth(prompt) <= width - 4 ? rowWidth(prompt) : 0
  const rows: string[] = indent === 0 && prompt !== '' ? [prompt.trimEnd(), ''] : [prompt]
  let column = indent
  let index = 0
  let place: Place | undefined
  const next = (): void => {
    rows.push(' '.repeat(indent))
    column = indent
  }
  for (const line of text.split('\n')) {
    if (index > 0) next()
    for (const grapheme of graphemes(line)) {
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
  return windowed({ rows: [...rows, ...below], cursor: place ?? { row: rows.length - 1, column } }, Math.max(1, height - 1))
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
