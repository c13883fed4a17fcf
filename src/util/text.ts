/** Cuts at most `max` UTF-16 units from the start, never through a surrogate pair. */
export function headOf(text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max)
}

/** Cuts at most `max` UTF-16 units from the end, never through a surrogate pair. */
export function tailOf(text: string, max: number): string {
  if (text.length <= max) return text
  const from = text.length - max
  const first = text.charCodeAt(from)
  return text.slice(first >= 0xdc00 && first <= 0xdfff ? from + 1 : from)
}

export const isBlank = (text: string): boolean => text.trim() === ''

/** The candidates that a typing error may have meant, nearest first, at most three. */
export function closeNames(name: string, candidates: readonly string[]): readonly string[] {
  const wanted = plain(name)
  return candidates
    .map((candidate) => ({
      candidate,
      distance: distanceOf(wanted, plain(candidate)),
      length: Math.max(wanted.length, plain(candidate).length),
    }))
    .filter(({ distance, length }) => distance < length && distance <= Math.max(1, Math.floor(length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

/** ` Did you mean "x"?`, or nothing. */
export function didYouMean(name: string, candidates: readonly string[]): string {
  const close = closeNames(name, candidates)
  return close.length === 0 ? '' : ` Did you mean ${close.map((candidate) => `"${candidate}"`).join(' or ')}?`
}

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[-_\s.]/g, '')
    .slice(0, 64)

/** How many letters must be put in, left out, changed or swapped with their neighbour to make `a` of `b`. */
function distanceOf(a: string, b: string): number {
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const kept = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next.push(swapped ? Math.min(kept, before[j - 2]! + 1) : kept)
    }
    before = row
    row = next
  }
  return row[b.length]!
}
