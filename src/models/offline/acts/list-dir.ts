import { code } from '../language/english.ts'
import type { Got, Site } from '../site.ts'
import { got, look, notOffered, refusal } from '../site.ts'
import type { Outcome, Work } from '../work.ts'
import { run, shellWord } from './shell.ts'

export type Entry = { readonly name: string; readonly isFolder: boolean }

export type Listing = {
  readonly path: string
  readonly entries: readonly Entry[]
  /** False when the tool showed only a part. */
  readonly complete: boolean
}

/** What stands in a folder, by the tool `list_dir`, or by `ls` where there is only a shell. */
export function* listDir(site: Site, path: string): Work<Got<Listing>> {
  const aim = path === '.' ? 'list this folder' : `list ${code(path)}`
  if (site.tools.has('list_dir')) {
    const outcome: Outcome = yield* look(site, { tool: 'list_dir', input: { path } })
    return outcome.status === 'error' ? refusal(outcome, aim) : got(listingIn(path, outcome.text))
  }
  if (!site.tools.has('shell')) return notOffered(['list_dir', 'shell'], aim)
  const ran = yield* run(site, `ls -1Ap -- ${shellWord(path)}`, aim, 'looks')
  if (!ran.ok) return ran
  if (ran.value.exitCode !== 0) return refusal({ status: 'error', text: ran.value.output }, aim)
  return got({ ...listingIn(path, ran.value.output), complete: !ran.value.cut })
}

const measure = / \((?:[\d.]+ (?:B|KB|MB|GB|TB)|named pipe|socket|device|not readable)\)$/

/** Reads what `list_dir` shows: an entry a line, folders marked with `/`; a size, a link's target or other columns may follow. */
function listingIn(path: string, shown: string): Listing {
  const entries: Entry[] = []
  let complete = true
  for (const row of shown.split('\n')) {
    const line = row.trim()
    const measured = measure.test(line)
    if (line === '') continue
    if (!measured && isNote(line)) {
      if (!/\bempty\b|\bno entries\b/i.test(line)) complete = false
      continue
    }
    const name = line
      .replace(measure, '')
      .split(/\t| {2,}/)[0]!
      .replace(/ -> .*$/, '')
    entries.push({ name: name.replace(/[/\\]$/, ''), isFolder: /[/\\]$/.test(name) })
  }
  return { path, entries, complete }
}

/** Notes stand in brackets. So do some names, but hardly with a space in them and no size behind. */
const isNote = (line: string): boolean => /^[[(<…].* .*[\])>…]$/.test(line) || /^\(empty\)$/i.test(line) || /^(?:…|\.\.\.) /.test(line)
