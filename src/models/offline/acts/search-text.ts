import { code } from '../language/english.ts'
import { escaped, extensionOf } from '../language/names.ts'
import type { Got, Site } from '../site.ts'
import { got, look, notOffered, refusal } from '../site.ts'
import type { Work } from '../work.ts'
import { skippedFolders } from './find-files.ts'
import { readFile } from './read-file.ts'
import { run, shellWord } from './shell.ts'

export type Hit = { readonly path: string; readonly line: number; readonly text: string }
export type Hits = { readonly hits: readonly Hit[]; readonly complete: boolean }
export type SearchOptions = { readonly ignoreCase: boolean; readonly globs: readonly string[] }

/** Lines that hold a text, below a path, by `grep` as a tool or in the shell. */
export function* searchText(site: Site, text: string, path: string, { ignoreCase, globs }: SearchOptions): Work<Got<Hits>> {
  const aim = path === '.' ? `search for ${code(text)}` : `search for ${code(text)} in ${code(path)}`
  if (site.tools.has('grep')) {
    const glob = globs.length > 1 ? `{${globs.join(',')}}` : globs[0]
    const outcome = yield* look(site, {
      tool: 'grep',
      input: { pattern: escapedForGrep(text, ignoreCase), ...(path !== '.' && { path }), ...(glob !== undefined && { glob }) },
    })
    return outcome.status === 'error' ? refusal(outcome, aim) : got(hitsIn(outcome.text, path))
  }
  // One file is read: that needs no shell.
  if (site.tools.has('read_file') && extensionOf(path) !== '') return yield* searchFile(site, text, path, ignoreCase)
  if (!site.tools.has('shell')) return notOffered(['grep', 'shell'], aim)
  const excluded = skippedFolders.map((name) => `--exclude-dir=${name}`).join(' ')
  const included = globs.map((glob) => ` --include=${shellWord(glob)}`).join('')
  const ran = yield* run(
    site,
    `grep -rnHIF${ignoreCase ? 'i' : ''} ${excluded}${included} -e ${shellWord(text)} -- ${shellWord(path)}`,
    aim,
    'looks',
  )
  if (!ran.ok) return ran
  const { exitCode, output, cut } = ran.value
  // 1 is "no line matched".
  if (exitCode === 1) return got({ hits: [], complete: true })
  if (exitCode !== 0 && exitCode !== undefined) {
    const found = hitsIn(output, path)
    return found.hits.length > 0 ? got({ ...found, complete: false }) : refusal({ status: 'error', text: output }, aim)
  }
  const found = hitsIn(output, path)
  return got({ ...found, complete: found.complete && !cut })
}

function* searchFile(site: Site, text: string, path: string, ignoreCase: boolean): Work<Got<Hits>> {
  const read = yield* readFile(site, path, { whole: true })
  if (!read.ok) return read
  const plain = (line: string): string => (ignoreCase ? line.toLowerCase() : line)
  const hits = read.value.lines.flatMap((line, index) =>
    plain(line).includes(plain(text)) ? [{ path, line: index + 1, text: line.trim() }] : [],
  )
  return got({ hits, complete: read.value.complete && read.value.exact })
}

const escapedForGrep = (text: string, ignoreCase: boolean): string =>
  `${ignoreCase ? '(?i)' : ''}${escaped(text).replaceAll('\\/', '/').replaceAll('\\-', '-')}`

/** Reads `path:line:text` lines, or lines below their path. */
function hitsIn(shown: string, path: string): Hits {
  const hits: Hit[] = []
  let complete = true
  let under = path
  for (const row of shown.split('\n')) {
    const full = /^(.+?):(\d+):(.*)$/.exec(row)
    const short = /^\s*(\d+)[:\t](.*)$/.exec(row)
    if (short) hits.push({ path: under, line: Number(short[1]), text: short[2]!.trim() })
    else if (full) hits.push({ path: full[1]!.replace(/^\.\//, ''), line: Number(full[2]), text: full[3]!.trim() })
    else if (/^[[(<…].*[\])>.…]$/.test(row.trim())) complete = complete && /^[[(]?no\b/i.test(row.trim())
    else if (/^\S.*[^:]:?$/.test(row) && !/\s/.test(row.trim())) under = row.trim().replace(/:$/, '').replace(/^\.\//, '')
  }
  return { hits, complete }
}
