import { headOf } from '../../util/text.ts'
import { splitLines } from '../files/line-diff.ts'

/** Lines of the file that are looked at. */
const maxLines = 50_000
/** Characters of a line that are compared, and shown. */
const maxChars = 200
/** Pairs of letters that two lines must share to be called alike. */
const minLikeness = 0.5

/** What in the file comes nearest to a text that is not in it, with line numbers, for the model to see its mistake. */
export function nearMiss(text: string, old: string): string {
  const lines = text.split('\n', maxLines)
  const wanted = splitLines(old)
  const hint = wanted.every((line) => /^ *\d+\t/.test(line))
    ? ' Leave out the line numbers and the tab after them: they are not part of the file.'
    : ''
  return (blockNear(lines, wanted) ?? lineNear(lines, wanted) ?? 'Nothing in it comes near. Read the file again with read_file.') + hint
}

/** Lines in a row that are the same but for white space, and where they first differ. */
function blockNear(lines: readonly string[], wanted: readonly string[]): string | undefined {
  const trimmed = wanted.map((line) => line.trim())
  const anchors = new Map<string, number[]>()
  // Only lines that say something: a bracket is everywhere.
  trimmed.forEach((line, index) => {
    if (line.length > 2) anchors.set(line, [...(anchors.get(line) ?? []), index])
  })
  const votes = new Map<number, number>()
  lines.forEach((line, index) => {
    for (const at of anchors.get(line.trim())?.slice(0, 10) ?? []) votes.set(index - at, (votes.get(index - at) ?? 0) + 1)
  })
  let best: readonly [number, number] | undefined
  for (const [start, count] of votes) if (start >= 0 && (!best || count > best[1])) best = [start, count]
  if (!best) return undefined
  const [start] = best
  const differs = wanted.findIndex((line, index) => lines[start + index] !== line)
  const span = wanted.length === 1 ? `Line ${start + 1} comes` : `Lines ${start + 1}-${start + wanted.length} come`
  if (differs < 0)
    return `${span} nearest: they are the same lines, but the old text begins or ends within a line, or with other line breaks.`
  const there = lines[start + differs]
  const onlySpace = there !== undefined && there.trim() === trimmed[differs]
  return `${span} nearest. Line ${start + differs + 1} differs${onlySpace ? ' in white space' : ''}: the file has ${shown(there)}, the old text ${shown(wanted[differs])}.`
}

/** The lines that are most like the one that says most. */
function lineNear(lines: readonly string[], wanted: readonly string[]): string | undefined {
  const telling =
    [...wanted]
      .sort((a, b) => b.trim().length - a.trim().length)[0]
      ?.trim()
      .slice(0, maxChars) ?? ''
  const pairs = pairsOf(telling)
  const near = lines
    .map((line, index) => ({ line, index, likeness: likeness(pairs, line) }))
    .filter((candidate) => candidate.likeness >= minLikeness)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, 3)
  if (near.length === 0) return undefined
  return `Nearest to ${shown(telling)}: ${near.map(({ line, index }) => `line ${index + 1} ${shown(line)}`).join('; ')}.`
}

const shown = (line: string | undefined): string =>
  line === undefined ? 'no more lines' : JSON.stringify(line.length > maxChars ? `${headOf(line, maxChars)}…` : line)

function pairsOf(line: string): ReadonlyMap<string, number> {
  const pairs = new Map<string, number>()
  for (let at = 0; at + 1 < line.length; at++) {
    const pair = line.slice(at, at + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  return pairs
}

/** How many pairs of letters two lines share, from 0 to 1. */
function likeness(wanted: ReadonlyMap<string, number>, line: string): number {
  const pairs = pairsOf(line.trim().slice(0, maxChars))
  let shared = 0
  let all = 0
  for (const [pair, count] of wanted) {
    shared += Math.min(count, pairs.get(pair) ?? 0)
    all += count
  }
  for (const count of pairs.values()) all += count
  return all === 0 ? 0 : (2 * shared) / all
}
