import { nearMiss } from './near-miss.ts'
import { withPlainCharacters } from './normalised.ts'

export type Edit = { readonly old: string; readonly new: string; readonly all?: boolean | undefined }

/** One place that changes. Places are in the text with `\n` for line ends. */
export type Replacement = {
  readonly from: number
  readonly to: number
  readonly text: string
  /** Number of the edit, from 0. */
  readonly edit: number
}

export type FoundEdits = {
  /** In the order of the text. They do not overlap. */
  readonly replacements: readonly Replacement[]
  /** Edits that fit only when quotes, dashes and spaces of one kind count as one character. */
  readonly byLikeness: readonly number[]
}

/** Places that are named in a message. */
const maxNamed = 5
/** Replacements of one call. */
const maxReplacements = 10_000

/**
 * Finds the places of all edits in one text; no edit sees what another has done.
 *
 * @throws {Error} for one that is not found, found more than once without `all`, or meets another.
 */
export function findEdits(text: string, edits: readonly Edit[]): FoundEdits {
  const byLikeness: number[] = []
  let plain: string | undefined
  const replacements = edits.flatMap((edit, index) => {
    const name = nameOf(index, edits.length)
    const old = edit.old.replaceAll('\r\n', '\n')
    const wanted = edit.new.replaceAll('\r\n', '\n')
    let found = placesOf(text, old, edit.all ?? false)
    if (found.length === 0) {
      plain ??= withPlainCharacters(text)
      found = placesOf(plain, withPlainCharacters(old), edit.all ?? false)
      if (found.length > 0) byLikeness.push(index)
    }
    if (found.length === 0) throw new Error(`The old text${name} is not in the file, so nothing was changed. ${nearMiss(text, old)}`)
    if (found.length > 1 && edit.all !== true) {
      throw new Error(
        `The old text${name} is in the file ${found.length > maxNamed ? `more than ${maxNamed}` : found.length} times, in ${linesNamed(text, found)}, so nothing was changed. Give more of the lines around the one that is meant, or all=true for all of them.`,
      )
    }
    return found.map((from) => ({ from, to: from + old.length, text: wanted, edit: index, old }))
  })
  replacements.sort((a, b) => a.from - b.from)
  refuseOverlaps(text, replacements)
  return { replacements: replacements.map(changedPart), byLikeness }
}

function refuseOverlaps(text: string, replacements: readonly Replacement[]): void {
  for (const [index, { from, edit }] of replacements.entries()) {
    const before = replacements[index - 1]
    if (!before || before.to <= from) continue
    const [first, second] = [before.edit, edit].sort((a, b) => a - b)
    throw new Error(
      `edits[${first}] and edits[${second}] overlap in line ${lineAt(text, from)}, so nothing was changed. Make one edit of the two; all edits are found in the text as it was before the call.`,
    )
  }
}

const nameOf = (index: number, count: number): string => (count === 1 ? '' : ` of edits[${index}]`)

/** With `all`, one after another; else also those that overlap, for each of them could be meant. */
function placesOf(text: string, old: string, all: boolean): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + (all ? old.length : 1))) {
    if (places.push(at) > (all ? maxReplacements : maxNamed)) break
  }
  if (places.length > maxReplacements)
    throw new Error(
      `The old text is in the file more than ${maxReplacements} times, which is more than one call replaces. Use shell, for example sed.`,
    )
  return places
}

function linesNamed(text: string, places: readonly number[]): string {
  const numbers = [...new Set(places.slice(0, maxNamed).map((at) => lineAt(text, at)))]
  return `line${numbers.length > 1 ? 's' : ''} ${numbers.join(', ')}${places.length > maxNamed ? ' …' : ''}`
}

export function lineAt(text: string, place: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < place; at = text.indexOf('\n', at + 1)) line++
  return line
}

/**
 * Without what old and new have in common at both ends: there the file keeps its own characters, whatever line ends or quotes
 * they are.
 */
function changedPart({ from, to, text, edit, old }: Replacement & { readonly old: string }): Replacement {
  const shorter = Math.min(old.length, text.length)
  let start = 0
  while (start < shorter && old[start] === text[start]) start++
  let end = 0
  while (end < shorter - start && old[old.length - 1 - end] === text[text.length - 1 - end]) end++
  return { from: from + start, to: to - end, text: text.slice(start, text.length - end), edit }
}
