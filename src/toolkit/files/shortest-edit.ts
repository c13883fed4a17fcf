/** Beyond so many lines taken away or added two texts are called different as a whole. */
const maxChanges = 500

/**
 * The shortest way from one list of lines to another that are long and differ little: the work grows with what differs, not with
 * the square of the length. `undefined` when more than 500 lines differ.
 */
export function shortestEdit(before: readonly string[], after: readonly string[]): readonly (' ' | '-' | '+')[] | undefined {
  const [rows, columns] = [before.length, after.length]
  const offset = maxChanges + 1
  // How far one comes on each diagonal (row minus column) with so many changes; kept for each number, to find the way back.
  const reach = new Int32Array(2 * offset + 1)
  const history: Int32Array[] = []
  for (let changes = 0; changes <= maxChanges; changes++) {
    history.push(reach.slice())
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let row = comesFromAbove(reach, offset, diagonal, changes) ? reach[offset + diagonal + 1]! : reach[offset + diagonal - 1]! + 1
      let column = row - diagonal
      while (row < rows && column < columns && before[row] === after[column]) {
        row++
        column++
      }
      reach[offset + diagonal] = row
      if (row >= rows && column >= columns) return wayBack(history, offset, rows, columns)
    }
  }
  return undefined
}

/** Was a line added last, rather than taken away? The way that has come further counts. */
const comesFromAbove = (reach: Int32Array, offset: number, diagonal: number, changes: number): boolean =>
  diagonal === -changes || (diagonal !== changes && reach[offset + diagonal - 1]! < reach[offset + diagonal + 1]!)

function wayBack(history: readonly Int32Array[], offset: number, rows: number, columns: number): readonly (' ' | '-' | '+')[] {
  const kinds: (' ' | '-' | '+')[] = []
  let row = rows
  let column = columns
  for (let changes = history.length - 1; changes > 0; changes--) {
    const reach = history[changes]!
    const diagonal = row - column
    const isAdded = comesFromAbove(reach, offset, diagonal, changes)
    const start = isAdded ? reach[offset + diagonal + 1]! : reach[offset + diagonal - 1]! + 1
    for (; row > start; row--, column--) kinds.push(' ')
    kinds.push(isAdded ? '+' : '-')
    if (isAdded) column--
    else row--
  }
  for (; row > 0; row--) kinds.push(' ')
  return kinds.reverse()
}
