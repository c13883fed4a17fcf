import type { Row, Span } from '../span.ts'
import { looks, spansWidth } from '../span.ts'
import { wrap } from '../wrap.ts'

export type Cell = Row
export type TableRows = {
  readonly head: readonly Cell[]
  readonly rows: readonly (readonly Cell[])[]
  readonly align: readonly ('left' | 'right' | 'center' | null)[]
}

const between: Span = { text: ' │ ', look: looks.dim }
const leastColumn = 4

/** How wide each column is to be in `width`; nothing when they do not fit beside each other at all. */
export function columnWidths({ head, rows }: TableRows, width: number): readonly number[] | undefined {
  const wanted = head.map((cell, column) => Math.max(1, spansWidth(cell), ...rows.map((row) => spansWidth(row[column] ?? []))))
  const room = width - between.text.length * (head.length - 1)
  const least = wanted.map((columns) => Math.min(columns, leastColumn))
  if (sum(least) > room) return undefined
  // The widest give way first.
  const widths = [...wanted]
  for (let over = sum(widths) - room; over > 0;) {
    const widest = Math.max(...widths)
    const others = widths.filter((columns) => columns < widest)
    const next = Math.max(leastColumn, ...others)
    const many = widths.filter((columns) => columns === widest).length
    const step = Math.max(1, Math.min(widest - next, Math.floor(over / many)))
    for (let column = 0; column < widths.length && over > 0; column++) {
      if (widths[column] !== widest) continue
      const less = Math.min(step, over)
      widths[column] = widest - less
      over -= less
    }
  }
  return widths
}

/** The rows of a table; one cell below the other, with its name, when the columns do not fit. */
export function tableRows(
  table: TableRows,
  widths: readonly number[] | undefined,
  width: number,
  { withHead }: { readonly withHead: boolean },
): Row[] {
  if (!widths) return table.rows.flatMap((row, index) => record(table.head, row, width, withHead && index === 0))
  const bold = table.head.map((cell) =>
    cell.map((span) => ({ ...span, look: span.look === undefined ? looks.bold : `${looks.bold};${span.look}` })),
  )
  const ruler: Row = [{ text: widths.map((columns) => '─'.repeat(columns)).join('─┼─'), look: looks.dim }]
  return [
    ...(withHead ? [...lines(bold, widths, table.align), ruler] : []),
    ...table.rows.flatMap((row) => lines(row, widths, table.align)),
  ]
}

function lines(cells: readonly Cell[], widths: readonly number[], align: TableRows['align']): Row[] {
  const columns = widths.map((columns, column) => wrap(cells[column] ?? [], columns))
  const height = Math.max(...columns.map((rows) => rows.length))
  return Array.from({ length: height }, (_, line) =>
    widths.flatMap((columnWidth, column) => {
      const cell = columns[column]![line] ?? []
      const isLast = column === widths.length - 1
      return [...(column === 0 ? [] : [between]), ...padded(cell, columnWidth, align[column] ?? null, isLast)]
    }),
  )
}

function padded(cell: Cell, width: number, align: TableRows['align'][number], isLast: boolean): Row {
  const space = width - spansWidth(cell)
  const before = align === 'right' ? space : align === 'center' ? Math.floor(space / 2) : 0
  const after = isLast ? 0 : space - before
  return [{ text: ' '.repeat(Math.max(0, before)) }, ...cell, { text: ' '.repeat(Math.max(0, after)) }]
}

function record(head: readonly Cell[], row: readonly Cell[], width: number, isFirst: boolean): Row[] {
  const rows = head.flatMap((name, column) =>
    wrap([...name.map((span) => ({ ...span, look: looks.bold })), { text: ': ' }, ...(row[column] ?? [])], width),
  )
  return isFirst ? rows : [[], ...rows]
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
