/** A text with `\n` for every line end, and where each of its characters stands in the original. */
export type Normalised = {
  readonly text: string
  /** The place in the original of a place in `text`. */
  readonly originalAt: (at: number) => number
}

/** Models write `\n`, and what they quote was shown to them without the `\r`: line ends are compared as one character. */
export function normalised(original: string): Normalised {
  const returns: number[] = []
  for (let at = original.indexOf('\r\n'); at >= 0; at = original.indexOf('\r\n', at + 2)) returns.push(at - returns.length)
  return {
    text: returns.length === 0 ? original : original.replaceAll('\r\n', '\n'),
    // Before the `\n` of a pair stands its `\r`: a place before the line end is before both.
    originalAt: (at) => at + countBelow(returns, at),
  }
}

/** How many of the sorted numbers are smaller. */
function countBelow(sorted: readonly number[], limit: number): number {
  let from = 0
  let to = sorted.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (sorted[middle]! < limit) from = middle + 1
    else to = middle
  }
  return from
}

const likes: readonly (readonly [string, RegExp])[] = [
  ["'", /[\u2018\u2019\u201a\u201b\u2032]/g],
  ['"', /[\u201c\u201d\u201e\u201f\u2033]/g],
  ['-', /[\u2010-\u2015\u2212]/g],
  [' ', /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g],
]

/** Typographic quotes, dashes and spaces as the plain ones. Each is one character, so that places stay what they are. */
export function withPlainCharacters(text: string): string {
  let plain = text
  for (const [char, like] of likes) plain = plain.replace(like, char)
  return plain
}
