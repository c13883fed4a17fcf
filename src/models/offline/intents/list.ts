import { listDir } from '../acts/list-dir.ts'
import { describeListing } from '../facts/listing.ts'
import { code, listed } from '../language/english.ts'
import { takeFolders, takeRecursive } from '../language/folders.ts'
import { takePaths } from '../language/names.ts'
import { takePattern } from '../language/patterns.ts'
import type { Phrase } from '../language/phrase.ts'
import { gap, quoteWord } from '../language/quotes.ts'
import { failed, joined } from '../site.ts'
import { all } from '../work.ts'
import { findTask } from './find.ts'
import type { Intent, Talk } from './intent.ts'

const noun =
  '(?:(?:project|folder|directory|file)\\s+(?:structure|tree|layout)|files?|folders?|sub-?folders?|director(?:y|ies)|dirs?|entries|contents?|things?|stuff)'
const things = new RegExp(
  `\\b(?:(?:a|the|all|any|list|names|of)\\s+)*${noun}(?:(?:\\s+and\\s+|\\s*,\\s*)(?:the\\s+)?${noun})*(?=\\W|$)`,
  'i',
)
const name = `(?:${quoteWord}|[\\w@~.][\\w@./+~-]*)`
const onlyNames = new RegExp(`^(?:the\\s+)?${name}(?:(?:\\s*,\\s*(?:and\\s+)?|\\s+and\\s+|\\s+)(?:the\\s+)?${name})*$`, 'i')

export const list: Intent = {
  name: 'list',
  examples: ['list the files in src', 'what is in this folder?'],
  group: 'Look at files',
  tools: ['list_dir', 'shell'],
  starts: 'list|ls|dir|show|what|which|see|enumerate|name|display',
  recognise: (phrase, talk) => {
    const verb = phrase.take(
      /^\W*(?:(list|ls|dir|enumerate)|(show|display|name|see|give|tell|get|print|look at)(?:\s+me)?|(what|which|are there|is there))(?:'s|’s)?(?=\s|$)/i,
    )
    if (!verb || takePattern(phrase.copy())) return undefined
    const isList = verb[1] !== undefined
    const asks = verb[3] !== undefined
    const isRecursive = takeRecursive(phrase)
    const named = foldersNamed(phrase, talk)
    const thing = phrase.take(things) !== undefined
    if (asks) phrase.take(/\b(?:is|are|do you see|can you see|do we have|does it (?:have|contain))\b/i)
    const folders = named.length > 0 ? named : isList ? plainNames(phrase) : []
    const isHere = phrase.take(/\b(?:in |over )?here\b/i) !== undefined
    if (folders.length === 0) {
      if (!thing && !isHere && !(isList && phrase.leftovers().length === 0)) return undefined
      folders.push('.')
    } else if (
      !isList &&
      !thing &&
      !(asks && /\b(?:in|inside|under|within)\b/i.test(phrase.whole)) &&
      !folders.every((folder) => /^\.\.?$|\/$/.test(folder)) &&
      !/\b(?:folder|directory|dir)\b/i.test(phrase.whole)
    )
      return undefined
    if (isRecursive) return findTask({ globs: ['*'], said: 'files' }, folders[0]!)
    return {
      aim: `list ${listed(folders.map((folder) => (folder === '.' ? 'this folder' : code(folder))))}`,
      folder: folders[0],
      work: function* (site) {
        const listings = yield* all(folders.map((folder) => listDir(site, folder)))
        return joined(listings.map((listing) => (listing.ok ? describeListing(listing.value) : failed(listing.said))))
      },
    }
  },
}

function foldersNamed(phrase: Phrase, talk: Talk): string[] {
  const folders = [...takeFolders(phrase), ...takePaths(phrase)]
  if (folders.length === 0 && talk.folder !== undefined && phrase.take(/\b(?:in )?(?:there|it)\b(?=\W*$)/i)) return [talk.folder]
  return [...new Set(folders)]
}

/** "list src and test": where nothing else is said, plain words are names. */
function plainNames(phrase: Phrase): string[] {
  const rest = phrase.text
    .replaceAll(gap, ' ')
    .replace(/[\s?!.:]+$/, '')
    .trim()
  // Only a shell parts names by blanks alone.
  if (
    /[^,\s]\s+(?!and\b)[^,\s]/.test(rest.replaceAll(/\s+and\s+/g, ', ').replace(/^the\s+/i, '')) &&
    !/^\W*(?:ls|dir)\b/i.test(phrase.whole)
  )
    return []
  if (rest === '' || /^(?:a|an|all|every|everything|some)\b/i.test(rest) || !onlyNames.test(rest)) return []
  phrase.takeAll()
  return rest
    .split(/\s*,\s*|\s+/)
    .filter((word) => !/^(?:and|the)$/i.test(word))
    .map((word) => phrase.plain(word))
}
