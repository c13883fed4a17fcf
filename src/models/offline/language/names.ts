import type { Phrase } from './phrase.ts'
import { quoteWord } from './quotes.ts'

/** Files as a request names them. Which they are is found out when the work is done. */
export type Files =
  | { readonly type: 'named'; readonly paths: readonly string[] }
  /** "the readme": whatever its ending is. */
  | { readonly type: 'known'; readonly stem: string; readonly folder: string }
  /** "all ts files in src". */
  | { readonly type: 'matching'; readonly pattern: NamePattern; readonly folder: string }
  /** "them": what the step before found. */
  | { readonly type: 'found' }
  | { readonly type: 'several'; readonly sets: readonly Files[] }

/** Names of files, as globs of which one must match. `said` is for people. */
export type NamePattern = { readonly globs: readonly string[]; readonly said: string }

const aQuote = new RegExp(quoteWord)
const knownStems = 'readme|license|licence|changelog|contributing|makefile|dockerfile|tsconfig'
const known = new RegExp(`(?:\\b(?:the|a|its|this|my|our)\\s+)?(?<![\\w./-])(${knownStems})(?![\\w./-]*\\w)(?:\\s+file)?`, 'i')

/** The word without what stands around it in a sentence. */
export const nameIn = (word: string): string => {
  const name = word
    .replace(/(?:'s|’s)$/, '')
    .replace(/^[("'<]+/, '')
    .replace(/[,;:!?>"']+$/, '')
    .replace(/(?<=[^.])\.+$/, '')
  return name.endsWith(')') && !name.includes('(') ? name.slice(0, -1) : name
}

export const isUrl = (name: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(name)
const abbreviations = /^(?:e\.g|i\.e|etc|vs|and\/or|either\/or|his\/her|yes\/no|true\/false|read\/write|input\/output|n\/a)\.?$/i

/** Does this look like a path, in a sentence that may be about anything? */
export function looksLikePath(name: string): boolean {
  if (name === '' || name.length > 300 || name.includes('\n') || /[*?]/.test(name) || isUrl(name) || abbreviations.test(name)) return false
  if (/^~?[\w@.~-]*[\\/]/.test(name)) return !/^[\\/]+$/.test(name)
  if (/^\.[A-Za-z][\w.-]+$/.test(name)) return true
  return /[\p{L}\p{N}_)\]-]\.[A-Za-z][A-Za-z0-9_+-]{0,11}$/u.test(name)
}

/**
 * Takes the files that the phrase names by their paths. `anyQuote`: whatever is quoted is a path.
 */
export function takePaths(phrase: Phrase, { anyQuote = false } = {}): readonly string[] {
  const paths: string[] = []
  for (const [word] of phrase.text.matchAll(/\S+/g)) {
    const inner = aQuote.exec(word)?.[0]
    const quote = inner === undefined ? undefined : phrase.quote(inner)
    if (quote) {
      const fits = quote.kind !== 'fence' && quote.kind !== 'given' && !quote.text.includes('\n') && quote.text.trim() !== ''
      if (!fits || !(anyQuote ? !isUrl(quote.text) : looksLikePath(quote.text))) continue
      paths.push(quote.text.trim())
      phrase.take(new RegExp(escaped(inner!)))
    } else if (looksLikePath(nameIn(word))) {
      paths.push(nameIn(word))
      phrase.take(new RegExp(`(?<=^|\\s)${escaped(word)}(?=\\s|$)`))
    }
  }
  return [...new Set(paths)]
}

/** Takes a file that is known by what it is, not by its name: "the readme". */
export function takeKnown(phrase: Phrase): string | undefined {
  return phrase.take(known)?.[1]
}

/** A path below a folder. */
export const inFolder = (folder: string, name: string): string =>
  folder === '.' || folder === '' ? name : folder === '/' ? `/${name}` : `${folder}/${name}`

/** The last part of a path. */
export const baseName = (path: string): string =>
  path
    .split(/[\\/]/)
    .filter((part) => part !== '')
    .at(-1) ?? path

/** The ending of a path in lower case, without the dot. */
export const extensionOf = (path: string): string => /[^.]\.([a-z0-9_+-]+)$/i.exec(baseName(path))?.[1]?.toLowerCase() ?? ''

export const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
