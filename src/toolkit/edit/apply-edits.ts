import type { Replacement } from './find-edits.ts'
import type { Normalised } from './normalised.ts'

/**
 * The original with the replacements made. All else stays as it is, byte for byte; a new line end is of the kind of the one in whose
 * place it comes, or of its neighbour.
 */
export function applyEdits(original: string, { originalAt }: Normalised, replacements: readonly Replacement[]): string {
  const parts: string[] = []
  let at = 0
  for (const { from, to, text } of replacements) {
    const [start, end] = [originalAt(from), originalAt(to)]
    parts.push(original.slice(at, start), withLineEnds(text, original, start, end))
    at = end
  }
  parts.push(original.slice(at))
  return parts.join('')
}

function withLineEnds(text: string, original: string, start: number, end: number): string {
  if (!text.includes('\n')) return text
  const replaced = original.slice(start, end).match(/\r?\n/g) ?? []
  const others = replaced.at(-1) ?? lineEndNear(original, start)
  let index = 0
  return text.replace(/\n/g, () => replaced[index++] ?? others)
}

/** That of the line itself; of the one before when it is the last and has none. */
function lineEndNear(original: string, at: number): string {
  const next = original.indexOf('\n', at)
  const end = next >= 0 ? next : original.lastIndexOf('\n', at)
  return end > 0 && original[end - 1] === '\r' ? '\r\n' : '\n'
}
