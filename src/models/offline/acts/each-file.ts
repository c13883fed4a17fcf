import { describeListing } from '../facts/listing.ts'
import { plural } from '../language/english.ts'
import type { Files } from '../language/names.ts'
import type { Finding, Site } from '../site.ts'
import { failed, joined } from '../site.ts'
import type { Work } from '../work.ts'
import { all } from '../work.ts'
import { pathsOf } from './find-files.ts'
import { listDir } from './list-dir.ts'
import type { FileText, ReadRange } from './read-file.ts'
import { readFile } from './read-file.ts'

/** How many files one request may read. */
const maxFiles = 30

export type EachFile = {
  readonly range?: ReadRange | undefined
  /** What is made of one file. */
  readonly make: (file: FileText) => Finding
  /** What is made of all. Default: all that was said of each. */
  readonly join?: ((findings: readonly Finding[]) => Finding) | undefined
  /** A folder that was taken for a file is listed. */
  readonly listsFolders?: boolean | undefined
}

/** Reads each of a set of files, side by side, and makes one finding of them. */
export function* eachFile(site: Site, files: Files, options: EachFile): Work<Finding> {
  const found = yield* pathsOf(site, files)
  if (!found.ok) return failed(found.said)
  const { paths, complete } = found.value
  const findings = yield* all(paths.slice(0, maxFiles).map((path) => oneFile(site, path, options)))
  const finding = (options.join ?? joined)(findings)
  const notes: string[] = []
  if (paths.length > maxFiles) notes.push(`I read the first ${maxFiles} of ${plural(paths.length, 'file')}.`)
  if (!complete) notes.push('There may be more such files: I did not see all of them.')
  return notes.length === 0 ? finding : { ...finding, say: [finding.say, ...notes].filter((part) => part !== '').join('\n\n') }
}

function* oneFile(site: Site, path: string, { range, make, listsFolders }: EachFile): Work<Finding> {
  const read = yield* readFile(site, path, range)
  if (read.ok) return make(read.value)
  if (listsFolders && site.tools.has('list_dir') && isFolderError(read.outcome?.text ?? '')) {
    const listing = yield* listDir(site, path)
    if (listing.ok) return describeListing(listing.value)
  }
  return failed(read.said)
}

const isFolderError = (words: string): boolean =>
  /\b(?:folder|directory|EISDIR)\b/i.test(words) && !/\bdoes not exist\b|\bno such file\b|\bnot found\b/i.test(words)

/** The text of a file as it was read. */
export const contentOf = ({ lines, lineEnd, endsWithNewline, complete }: FileText): string =>
  lines.join(lineEnd) + (lines.length > 0 && endsWithNewline && complete ? lineEnd : '')

/** What must be added where only a part was read. */
export const partNote = ({ complete, exact, lines, total }: FileText): string => {
  if (!complete)
    return total === undefined
      ? `Only the first ${plural(lines.length, 'line')} could be read.`
      : `Only ${plural(lines.length, 'line')} of ${total} could be read.`
  return exact ? '' : 'Not all of it could be shown as it is (long lines, or unusual characters or line ends).'
}
