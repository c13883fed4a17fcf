import { isUrl, nameIn } from './names.ts'
import type { Phrase } from './phrase.ts'
import { quoteWord } from './quotes.ts'

const here: readonly { readonly form: RegExp; readonly folder: string }[] = [
  {
    form: /\b(?:(?:in|of|inside|under|within|from|at|across|through)\s+)?(?:the|this|my|our|your)?\s*(?:current|working|present)\s+(?:working\s+)?(?:folder|directory|dir)\b/i,
    folder: '.',
  },
  {
    form: /\b(?:in|of|inside|under|within|from|at|across|through)\s+(?:this|the|my|our)\s+(?:whole\s+|entire\s+)?(?:folder|directory|dir|project|repo|repository|workspace|codebase|code base|code|root|root folder|place)\b/i,
    folder: '.',
  },
  { form: /\b(?:this|the)\s+(?:folder|directory|dir)\b(?=\s*$)/i, folder: '.' },
  { form: /\b(?:(?:in|of|inside|from)\s+)?the\s+parent\s+(?:folder|directory|dir)\b/i, folder: '..' },
  { form: /\b(?:(?:in|of|inside|from)\s+)?(?:my|the)\s+home\s+(?:folder|directory|dir)\b/i, folder: '~' },
]
const noPlaces =
  '(?:it|its|them|they|this|that|these|those|there|here|total|all|order|detail|details|full|general|short|brief|each|every|both|which|what|files?|folders?|lines?|words?|alphabetical|the|a|an|my|our|one|other|and|in)'
const isNoPlace = new RegExp(`^${noPlaces}$`, 'i')
const word = `(?:${quoteWord}|(?!${noPlaces}(?=[\\s,;:?!]|$))[^\\s,;:?!\\uE000-\\uE002]+)`
const folderNoun = '(?:folders?|director(?:y|ies)|dirs?|sub-?folders?)'
const place = `\\b(?:in|inside|under|within|of|from|at|below|across|through)\\s+(?:(?:both|the|my|our)\\s+)*(?:${folderNoun}\\s+)?(?:(?:called|named)\\s+)?`
const series = `${word}(?:(?:\\s*,\\s*(?:and\\s+)?|\\s+and\\s+)(?:in\\s+)?(?:the\\s+)?${word})*`
const after = `(?:\\s+${folderNoun})?(?=[\\s,;:?!]|$)`
const inPlace = new RegExp(`${place}(${word})${after}`, 'i')
const inPlaces = new RegExp(`${place}(${series})${after}`, 'i')
/* Asked first: the form below is slow to find that it does not fit. */
const saysFolder = /\b(?:folder|directory|dir)\b/i
const folderByNoun = new RegExp(
  `(?:\\bthe\\s+)?(${word})\\s+(?:folder|directory|dir)\\b|\\b(?:folder|directory|dir)\\s+(?:called\\s+|named\\s+)?(${word})`,
  'i',
)

/** Takes a place: "in src", "in the src folder", "of this project"; `.` is the current one. */
export function takeFolder(phrase: Phrase): string | undefined {
  return (
    takeHere(phrase) ??
    foldersIn(phrase, phrase.take(inPlace))[0] ??
    (phrase.has(saysFolder) ? foldersIn(phrase, phrase.take(folderByNoun))[0] : undefined)
  )
}

/** Takes all the places that are named: "in src and test", "in src and in test". */
export function takeFolders(phrase: Phrase): readonly string[] {
  const folders: string[] = []
  for (let at = takeHere(phrase); at !== undefined; at = takeHere(phrase)) folders.push(at)
  for (const form of phrase.has(saysFolder) ? [inPlaces, folderByNoun] : [inPlaces]) {
    for (let match = phrase.take(form); match; match = phrase.take(form)) folders.push(...foldersIn(phrase, match))
  }
  return [...new Set(folders)]
}

const takeHere = (phrase: Phrase): string | undefined => here.find(({ form }) => phrase.take(form))?.folder

function foldersIn(phrase: Phrase, match: RegExpExecArray | undefined): readonly string[] {
  const named = match?.[1] ?? match?.[2]
  return (named?.split(/\s*,\s*|\s+/) ?? []).map((name) => folderName(phrase, name)).filter((name) => name !== undefined)
}

function folderName(phrase: Phrase, word: string): string | undefined {
  const quote = phrase.quote(word)
  const name = quote ? quote.text : nameIn(word)
  if (!quote && name === '.') return '.'
  return name === '' || isNoPlace.test(name) || isUrl(name) ? undefined : name === '/' ? '/' : name.replace(/(?<=[^/])\/+$/, '')
}

/** Takes "recursively", "with all subfolders": what is below is meant too. */
export const takeRecursive = (phrase: Phrase): boolean =>
  phrase.take(
    /\b(?:recursively|(?:including|with|and|in)\s+(?:all\s+)?(?:its\s+|the\s+)?sub-?(?:folders|directories)|and\s+(?:everything\s+)?below)\b/i,
  ) !== undefined
