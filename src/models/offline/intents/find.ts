import { findFiles } from '../acts/find-files.ts'
import { code, plural } from '../language/english.ts'
import type { NamePattern } from '../language/names.ts'
import { takeFolder } from '../language/folders.ts'
import { baseName, inFolder, takeKnown, takePaths } from '../language/names.ts'
import { takePattern } from '../language/patterns.ts'
import type { Finding, Site } from '../site.ts'
import { failed } from '../site.ts'
import type { Work } from '../work.ts'
import type { Intent, Task } from './intent.ts'

const maxShown = 60

export const find: Intent = {
  name: 'find',
  examples: ['find all .ts files in src', 'where is package.json?'],
  group: 'Find and count',
  tools: ['glob', 'shell', 'list_dir'],
  starts: 'find|locate|where|which|what|list|show|search for|look for|are there|is there',
  recognise: (phrase) => {
    const verb = phrase.take(
      /^\W*(?:(find|locate|search for|look for|where(?:'s|’s| is| are)?|is there|are there)|list|show|which|what|get|give|see)(?:\s+(?:me|us))?(?=\s|$)/i,
    )
    if (!verb) return undefined
    const pattern = takePattern(phrase)
    let wanted: NamePattern | undefined = pattern?.pattern
    let folder = pattern?.folder
    if (!wanted && verb[1] !== undefined) {
      const [path, ...more] = takePaths(phrase)
      const stem = path === undefined ? takeKnown(phrase) : undefined
      if (more.length > 0 || (path === undefined && stem === undefined)) return undefined
      const name = path === undefined ? `${stem}*` : baseName(path)
      if (path !== undefined && path !== name) folder = path.slice(0, -name.length - 1)
      wanted =
        path === undefined
          ? {
              globs: [...new Set([name, name.toUpperCase(), `${stem!.charAt(0).toUpperCase()}${stem!.slice(1).toLowerCase()}*`])],
              said: `${stem} files`,
            }
          : { globs: [name], said: `files named ${name}` }
    }
    if (!wanted) return undefined
    const below = takeFolder(phrase)
    phrase.take(/\b(?:are|is|do|does|have)\s*(?:there|we|it|you see)?\b/i)
    const where = folder === undefined ? (below ?? '.') : below === undefined ? folder : inFolder(below, folder)
    return findTask(wanted, where)
  },
}

export const findTask = (pattern: NamePattern, folder: string): Task => ({
  aim: `find ${pattern.said} in ${folder === '.' ? 'this folder' : code(folder)}`,
  folder,
  files: { type: 'matching', pattern, folder },
  work: (site) => findWork(site, pattern, folder),
})

function* findWork(site: Site, pattern: NamePattern, folder: string): Work<Finding> {
  const found = yield* findFiles(site, pattern, folder)
  if (!found.ok) return failed(found.said)
  const { paths, complete } = found.value
  const where = folder === '.' ? 'this folder and those below it' : `${code(folder)} and the folders below it`
  if (paths.length === 0)
    return {
      say: `${complete ? 'There are' : 'I saw'} no ${pattern.said} in ${where}.${complete ? '' : ' I did not see everything.'}`,
      value: '',
      files: [],
    }
  const shown = paths.slice(0, maxShown).map((path) => `- ${path}`)
  if (paths.length > maxShown) shown.push(`- and ${paths.length - maxShown} more`)
  return {
    say: `${complete ? '' : 'At least '}${plural(paths.length, 'file')} in ${where} (${pattern.said}):\n\n${shown.join('\n')}`,
    value: paths.join('\n'),
    partial: !complete,
    files: paths,
    amount: { number: paths.length, said: plural(paths.length, 'file') },
  }
}
