import type { Talk } from '../intents/intent.ts'
import { code, listed } from './english.ts'
import type { Files } from './names.ts'
import { takeFolder } from './folders.ts'
import { inFolder, takeKnown, takePaths } from './names.ts'
import { takePattern } from './patterns.ts'
import type { Phrase } from './phrase.ts'
import { quoteWord } from './quotes.ts'

type Options = {
  /** Whatever is quoted is a path. */
  readonly anyQuote?: boolean | undefined
  /** A single plain word that is left may be a file's name. */
  readonly bareWord?: boolean | undefined
  /** Files told by a pattern are not meant. */
  readonly noPatterns?: boolean | undefined
}

const quotedFile = new RegExp(`\\b(?:the\\s+|a\\s+)?file\\s+(?:called\\s+|named\\s+)?(${quoteWord})`, 'i')
const several = /\b(?:(?:all|each|every one|both)\s+of\s+)?(?:them|those|these)(?:\s+files)?\b/i
const one = /\b(?:it|its|the (?:same )?file|this file|that file|the file's)(?=\W|$)/i

/** Takes the files that a phrase is about: named, described, or those of the request before. */
export function takeFiles(phrase: Phrase, talk: Talk, { anyQuote, bareWord, noPatterns }: Options = {}): Files | undefined {
  const called = phrase.take(quotedFile)
  const sets: Files[] = []
  const paths = [...(called ? [phrase.plain(called[1]!).trim()] : []), ...takePaths(phrase, { anyQuote: anyQuote ?? false })]
  const stems: string[] = []
  for (let stem = takeKnown(phrase); stem !== undefined; stem = takeKnown(phrase)) stems.push(stem)
  const matching = noPatterns ? undefined : takePattern(phrase)
  const folder =
    paths.some((path) => /[\\/]/.test(path)) || paths.length + stems.length + (matching ? 1 : 0) === 0 ? undefined : takeFolder(phrase)
  if (paths.length > 0) sets.push({ type: 'named', paths: folder === undefined ? paths : paths.map((path) => inFolder(folder, path)) })
  for (const stem of stems) sets.push({ type: 'known', stem, folder: folder ?? '.' })
  if (matching) sets.push({ type: 'matching', pattern: matching.pattern, folder: matching.folder ?? folder ?? '.' })
  if (sets.length > 0) return sets.length === 1 ? sets[0] : { type: 'several', sets }
  if (talk.hasPrevious && phrase.take(several)) return { type: 'found' }
  if (talk.files && phrase.take(one)) return talk.files
  if (!bareWord) return undefined
  const word =
    phrase.take(/(?:\bthe\s+)?\bfile\s+(?:called\s+|named\s+)?(?!in\b|of\b|is\b|and\b|to\b|with\b)([\w-]+)/i) ??
    phrase.take(/^\W*(?:the\s+|my\s+)?([\w-]{2,})(?:\s+file)?\W*$/i)
  return word &&
    !/^(?:it|its|them|me|this|that|everything|something|anything|nothing|files?|folders?|more|again|that|what|mind|poem|story|joke)$/i.test(
      word[1]!,
    )
    ? { type: 'named', paths: [word[1]!] }
    : undefined
}

/** Files in a few words. */
export function filesSaid(files: Files): string {
  switch (files.type) {
    case 'named':
      return listed(files.paths.map(code))
    case 'known':
      return files.folder === '.' ? `the ${files.stem}` : `the ${files.stem} in ${code(files.folder)}`
    case 'matching':
      return files.folder === '.' ? `the ${files.pattern.said}` : `the ${files.pattern.said} in ${code(files.folder)}`
    case 'found':
      return 'the files that were found'
    case 'several':
      return listed(files.sets.map(filesSaid))
  }
}
