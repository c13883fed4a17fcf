/** ` Did you mean x?` for the candidate that a typing error most likely meant, or nothing. */
export function didYouMean(given: string, candidates: readonly string[]): string {
  const nearest = candidates
    .map((candidate) => ({ candidate, distance: distanceOf(given, candidate) }))
    .sort((a, b) => a.distance - b.distance)[0]
  const allowed = Math.max(1, Math.floor(given.length / 3))
  return nearest && nearest.distance <= allowed && nearest.distance < given.length ? ` Did you mean ${nearest.candidate}?` : ''
}

/** How many letters must be put in, left out or changed to make `a` of `b`; two that changed places count as one. */
function distanceOf(a: string, b: string): number {
  // Nobody mistypes more than this, and the table grows with the square.
  if (a.length > 40) return a.length
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let best = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, rows[i - 2]![j - 2]! + 1)
      row.push(best)
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
