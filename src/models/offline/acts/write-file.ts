import { code } from '../language/english.ts'
import type { Got, Site } from '../site.ts'
import { act, got, lacking, notOffered, refusal } from '../site.ts'
import type { Work } from '../work.ts'
import { readFile } from './read-file.ts'

/* In a refusal that a look at the file first would lift. "read-only" is not one. */
const wantsReading = /\bread_file\b|\b(?:not|last|were) read\b/i

export type Written = { readonly path: string; readonly replaced: number | undefined; readonly said: string }

/**
 * Writes a whole file with the tool `write_file`.
 *
 * @param existing what to do when the tool wants a file that exists to be read first: `replace` reads it and writes again, `keep` leaves it,
 *   `known` was to have read it.
 */
export function* writeFile(site: Site, path: string, content: string, existing: 'replace' | 'keep' | 'known'): Work<Got<Written>> {
  const aim = `write ${code(path)}`
  if (!site.tools.has('write_file')) return notOffered(['write_file'], aim)
  const call = { tool: 'write_file', input: { path, content } }
  const first = yield* act(site, call)
  if (first.status === 'success') return got({ path, replaced: undefined, said: first.text })
  if (existing === 'known' || first.code !== undefined || !wantsReading.test(first.text)) return refusal(first, aim)
  if (existing === 'keep')
    return lacking(`${code(path)} exists already, so I did not create it. To replace it, ask me to write it: write "…" to ${path}.`, first)
  const old = yield* readFile(site, path, { whole: true })
  if (!old.ok || !old.value.complete) return refusal(first, aim)
  const second = yield* act(site, call)
  return second.status === 'success' ? got({ path, replaced: old.value.lines.length, said: second.text }) : refusal(second, aim)
}
