import { findFiles } from '../acts/find-files.ts'
import { listDir } from '../acts/list-dir.ts'
import { countsSaid } from '../facts/listing.ts'
import { countsOf } from '../facts/plain-text.ts'
import { takeCountVerb } from '../language/count-verb.ts'
import { code, listed, plural } from '../language/english.ts'
import { takeFolder, takeFolders, takeRecursive } from '../language/folders.ts'
import type { NamePattern } from '../language/names.ts'
import { takePaths } from '../language/names.ts'
import { takePattern } from '../language/patterns.ts'
import type { Phrase } from '../language/phrase.ts'
import type { Finding, Site } from '../site.ts'
import { failed, joined } from '../site.ts'
import type { Work } from '../work.ts'
import { all, done } from '../work.ts'
import type { Intent, Talk, Task } from './intent.ts'

const noun =
  /\b(?:all\s+|the\s+)*(files?|folders?|sub-?folders?|director(?:y|ies)|entries|things|items)(?:\s+and\s+(?:the\s+)?(files?|folders?|director(?:y|ies)))?\b/i
const found =
  /^\W*(?:of\s+)?(?:the\s+)?(?:them|those|these|there|there are|are there|that is|that are|results?|matches|hits|findings|entries)\W*$/i

/** "how many files are in src", "how many .ts files are there", and "count them". */
export const countEntries: Intent = {
  name: 'count-entries',
  examples: ['how many files are in src?'],
  group: 'Find and count',
  tools: ['list_dir', 'shell'],
  starts: 'count|how many|the number of',
  recognise: (phrase, talk) => {
    if (!takeCountVerb(phrase)) return undefined
    const task = countMatching(phrase) ?? (talk.hasPrevious && phrase.take(found) ? countFound : countFolders(phrase, talk))
    phrase.take(/\b(?:are|is)\s+there\b/i)
    return task
  },
}

function countMatching(phrase: Phrase): Task | undefined {
  const matching = takePattern(phrase)
  if (!matching) return undefined
  return countBelow(matching.pattern, matching.folder ?? takeFolder(phrase) ?? '.')
}

function countBelow(pattern: NamePattern, folder: string): Task {
  const where = folder === '.' ? 'here' : `in ${code(folder)}`
  return {
    aim: `count ${pattern.said} ${where}`,
    isExact: true,
    folder,
    work: function* (site) {
      const files = yield* findFiles(site, pattern, folder)
      if (!files.ok) return failed(files.said)
      const { paths, complete } = files.value
      const said = paths.length === 1 ? pattern.said.replace('files', 'file') : pattern.said
      return {
        say: `I count ${complete ? '' : 'at least '}${paths.length} ${said} ${where}, folders below included.`,
        value: String(paths.length),
        files: paths,
      }
    },
  }
}

function countFolders(phrase: Phrase, talk: Talk): Task | undefined {
  const said = phrase.take(noun)
  if (!said) return undefined
  const nouns = [said[1]!, said[2] ?? said[1]!].map((word) => word.toLowerCase())
  const only = nouns.every((word) => word.startsWith('file'))
    ? 'files'
    : nouns.every((word) => /folder|^director/.test(word))
      ? 'folders'
      : undefined
  phrase.take(/\b(?:there\s+(?:are|is)|(?:are|is)\s+there)\b/i)
  phrase.take(/\b(?:in\s+total|altogether|all\s+in\s+all)\b/i)
  if (takeRecursive(phrase) && only === 'files')
    return countBelow({ globs: ['*'], said: 'files' }, takeFolder(phrase) ?? takePaths(phrase)[0] ?? '.')
  const named = [...takeFolders(phrase), ...takePaths(phrase)]
  const folders = named.length > 0 ? named : [(phrase.take(/\b(?:in\s+)?(?:there|it)\b/i) ? talk.folder : undefined) ?? '.']
  return {
    aim: `count what is in ${listed(folders.map((folder) => (folder === '.' ? 'this folder' : code(folder))))}`,
    isExact: true,
    folder: folders[0],
    work: function* (site) {
      return joined(yield* all(folders.map((folder) => countFolder(site, folder, only))))
    },
  }
}

function* countFolder(site: Site, folder: string, only: 'files' | 'folders' | undefined): Work<Finding> {
  const listing = yield* listDir(site, folder)
  if (!listing.ok) return failed(listing.said)
  const { entries, complete } = listing.value
  const folders = entries.filter(({ isFolder }) => isFolder).length
  const files = entries.length - folders
  const number = only === 'files' ? files : only === 'folders' ? folders : entries.length
  const said = only === 'files' ? plural(files, 'file') : only === 'folders' ? plural(folders, 'folder') : countsSaid(folders, files)
  const besides = only === 'files' && folders > 0 ? `, besides ${plural(folders, 'folder')} that I did not look into` : ''
  return {
    say: `${folder === '.' ? 'This folder' : code(folder)} has ${complete ? '' : 'at least '}${said}${besides}.`,
    value: String(number),
  }
}

const countFound: Task = {
  aim: 'count what was found',
  usesPrevious: true,
  work: ({ previous }) => {
    const lines = countsOf(previous?.value ?? '').lines
    const amount = previous?.amount ?? (previous?.value === undefined ? undefined : { number: lines, said: plural(lines, 'line') })
    return done(
      amount ? { say: `That is ${amount.said}.`, value: String(amount.number) } : failed('There is nothing yet that I could count.'),
    )
  },
}
