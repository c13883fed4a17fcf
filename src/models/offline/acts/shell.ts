import type { Got, Site } from '../site.ts'
import { act, got, look, notOffered, refusal } from '../site.ts'
import type { Work } from '../work.ts'

export type CommandRun = {
  readonly command: string
  /** `undefined` when the tool did not say. */
  readonly exitCode: number | undefined
  readonly output: string
  /** A part of the output was left out. */
  readonly cut: boolean
}

/**
 * Runs a command with the tool `shell`.
 *
 * @param aim what it is for, as an infinitive.
 * @param nature `looks` for a command that changes nothing.
 */
export function* run(site: Site, command: string, aim: string, nature: 'looks' | 'acts'): Work<Got<CommandRun>> {
  if (!site.tools.has('shell')) return notOffered(['shell'], aim)
  const call = { tool: 'shell', input: { command } }
  const outcome = yield* nature === 'looks' ? look(site, call) : act(site, call)
  const ran = runIn(command, outcome.text)
  // A command that failed has an exit code. Without one it did not run, or was ended.
  return outcome.status === 'error' && ran.exitCode === undefined ? refusal({ ...outcome, text: ran.output }, aim) : got(ran)
}

/** Reads what `shell` shows: `exit_code: N`, then the output. */
function runIn(command: string, shown: string): CommandRun {
  const head = /^\s*exit_code:\s*(-?\d+|unknown)[^\n]*(?:\n|$)/.exec(shown)
  const output = (head ? shown.slice(head[0].length) : shown).replace(/^\(no output\)(?:\n|$)/, '').replace(/^\n+|\s+$/g, '')
  return {
    command,
    exitCode: head === null || head[1] === 'unknown' ? undefined : Number(head[1]),
    output,
    cut: /<persisted-output|\[… \d+ characters? left out …\]/.test(output),
  }
}

/** A word that the shell takes as it stands. */
export const shellWord = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
