import { contentOf } from '../acts/each-file.ts'
import { editFile } from '../acts/edit-file.ts'
import { readFile } from '../acts/read-file.ts'
import { writeFile } from '../acts/write-file.ts'
import { code, plural } from '../language/english.ts'
import { gap } from '../language/quotes.ts'
import type { Finding, Site } from '../site.ts'
import { failed } from '../site.ts'
import type { Work } from '../work.ts'
import { unsafe } from './append.ts'
import type { Intent } from './intent.ts'
import { pathIn } from './write.ts'

const some = '(\\uE000\\d+\\uE001|\\S+)'
const the = '(?:the\\s+)?(?:(?:word|text|string|line)\\s+)?'
const file = '(?:(?:the|my)\\s+)?(file\\s+)?(\\uE000\\d+\\uE001|[^\\s,;:]*[^\\s,;:.?!])'
const form = new RegExp(
  `^(?:(?:all|every|each)\\s+)?(?:occurr?ences?\\s+of\\s+)?${the}${some}\\s+(?:with|by|to|into)\\s+${the}${some}(?:\\s+(?:in|inside|within)\\s+${file})?[.?!]*$`,
  'is',
)
const fileBefore = new RegExp(`^\\W*(?:in|inside|within)\\s+${file}\\s*,?\\s*(replace|change)\\s+(.+)$`, 'is')

export const replace: Intent = {
  name: 'replace',
  examples: ['replace "foo" with "bar" in notes.txt'],
  group: 'Change files',
  tools: ['edit_file', 'write_file'],
  starts: 'replace|change|in \\S+,? (?:replace|change)',
  recognise: (phrase, talk) => {
    const words = phrase.text.replaceAll(gap, ' ').trim()
    const turned = fileBefore.exec(words)
    const said = turned
      ? `${turned[4]!.replace(/[.?!]+$/, '')} in ${turned[2]}`
      : /^\W*(?:replace|change|substitute)\s+(.+)$/is.exec(words)?.[1]
    const match = said === undefined ? null : form.exec(said)
    const path = pathIn(match?.[4] ?? 'it', match?.[3], phrase, talk)
    if (!match || path === undefined) return undefined
    const [old, fresh] = [phrase.plain(match[1]!), phrase.plain(match[2]!)]
    if (old === '') return undefined
    phrase.takeAll()
    return {
      aim: `replace ${code(old)} in ${code(path)}`,
      acts: 'writes',
      files: { type: 'named', paths: [path] },
      work: (site) => replaceAll(site, path, old, fresh),
    }
  },
}

function* replaceAll(site: Site, path: string, old: string, fresh: string): Work<Finding> {
  const read = yield* readFile(site, path, { whole: true })
  if (!read.ok) return failed(read.said)
  const before = contentOf(read.value)
  const count = before.split(old).length - 1
  if (count === 0)
    return failed(
      `${code(path)} does not contain ${code(old)}${read.value.complete ? '' : ' in the part that I could read'}, so I changed nothing.`,
    )
  if (site.tools.has('edit_file')) {
    const edited = yield* editFile(site, path, old, fresh)
    return edited.ok ? replaced(path, old, fresh, count) : failed(edited.said)
  }
  const refused = unsafe(read.value)
  if (refused) return failed(`I did not change ${code(path)}: ${refused}`)
  const written = yield* writeFile(
    site,
    path,
    before.replaceAll(old, () => fresh),
    'known',
  )
  return written.ok ? replaced(path, old, fresh, count) : failed(written.said)
}

const replaced = (path: string, old: string, fresh: string, count: number): Finding => ({
  say: `I replaced ${code(old)} with ${fresh === '' ? 'nothing' : code(fresh)} in ${code(path)}, ${plural(count, 'time')}.`,
  value: fresh,
})
