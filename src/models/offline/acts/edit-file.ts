import { code } from '../language/english.ts'
import type { Got, Site } from '../site.ts'
import { act, got, refusal } from '../site.ts'
import type { Work } from '../work.ts'

/** Replaces a text everywhere in a file that was read, with the tool `edit_file`: the rest of the file does not pass through the model. */
export function* editFile(site: Site, path: string, old: string, fresh: string): Work<Got<string>> {
  const outcome = yield* act(site, { tool: 'edit_file', input: { path, old, new: fresh, all: true } })
  return outcome.status === 'success' ? got(outcome.text) : refusal(outcome, `change ${code(path)}`)
}
