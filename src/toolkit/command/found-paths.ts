import { dirname, join } from 'node:path'
import type { Lookups } from '../../host/file-system.ts'

/** Names that are looked at, and paths that are found; with more it counts as not known what a pattern stands for. */
const maxLooked = 20_000
const maxFound = 1000

const isMagic = (part: string): boolean => /[*?[]/.test(part)

/**
 * A path as the system walks it: `..` behind a link is the folder above what the link leads to.
 *
 * @param real follows links.
 */
export function walked(from: string, path: string, real: (path: string) => string): string {
  let at = path.startsWith('/') ? '/' : from
  for (const part of path.split('/')) {
    if (part === '..') at = dirname(real(at))
    else if (part !== '' && part !== '.') at = join(at, part)
  }
  return at
}

/**
 * What bash makes of a pattern for paths: the names that it finds, or the pattern itself where it finds none. `undefined` with too
 * many. Rather one name too many than one too few: a set in brackets stands for any text, upper and lower case are one.
 *
 * @param isLoose names that begin with a dot are found by `*`, too.
 */
export function foundBy(
  look: Lookups,
  from: string,
  pattern: string,
  real: (path: string) => string,
  isLoose: boolean,
): readonly string[] | undefined {
  let found = [pattern.startsWith('/') ? '/' : from]
  let looked = 0
  for (const part of pattern.split('/')) {
    if (!isMagic(part)) {
      found = found.map((at) => walked(at, part, real))
      continue
    }
    const next: string[] = []
    for (const at of found) {
      const names = namesIn(look, at)
      // A name that is no text cannot be looked up.
      if ((looked += names.length) > maxLooked || names.some((name) => name.includes('\ufffd'))) return undefined
      for (const name of names) if (fits(part, name, isLoose)) next.push(join(at, name))
      if (next.length > maxFound) return undefined
    }
    found = next
  }
  return found.length > 0 ? found : [walked(from, pattern, real)]
}

function namesIn(look: Lookups, folder: string): readonly string[] {
  try {
    return look.list(folder).map(({ name }) => name)
  } catch {
    return []
  }
}

function fits(part: string, name: string, isLoose: boolean): boolean {
  if (name.startsWith('.') && !isLoose && !/^[.[]/.test(part)) return false
  const stars = part.replace(/\[.*\]/, '*').toLowerCase()
  return fitsFrom([...stars], [...name.toLowerCase()])
}

/** `*` any text, `?` one character; the last `*` alone is tried again, so that the time is bounded by the product of both. */
function fitsFrom(pattern: readonly string[], text: readonly string[]): boolean {
  let at = 0
  let star = -1
  let retry = 0
  for (let index = 0; index < text.length;) {
    if (pattern[at] === '*') {
      star = at++
      retry = index
    } else if (pattern[at] === '?' || (pattern[at] !== undefined && pattern[at] === text[index])) {
      at++
      index++
    } else if (star >= 0) {
      at = star + 1
      index = ++retry
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}
