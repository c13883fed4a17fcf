import { displayWidth } from './screen/width.ts'
import { wrapText } from './screen/wrap.ts'

/** The last column gets so much room at least: in a window that has less the terminal breaks its rows. */
const leastRoom = 20

/**
 * Rows in columns of one width, the last as long as it is.
 *
 * @param width columns of the terminal: the last column is broken between words, below itself.
 */
export function table(rows: readonly (readonly string[])[], width = Infinity): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => displayWidth(row[column]!))))
  const before = widths.slice(0, -1).reduce((sum, each) => sum + each + 2, 0)
  const room = width - before
  return rows
    .map((row) => {
      const first = row
        .slice(0, -1)
        .map((cell, column) => `${cell}${' '.repeat(widths[column]! - displayWidth(cell))}  `)
        .join('')
      const last = room < leastRoom ? [row.at(-1)!] : wrapText(row.at(-1)!, room)
      return `${first}${last.join(`\n${' '.repeat(before)}`)}\n`
    })
    .join('')
}
