// A machine behind a command that starts programs there and passes bytes on: `docker exec -i`, `podman exec -i`, `kubectl exec -i`, `ssh`.
// Copy this folder, and look through what `hostConformance` of lena-agent/testing says of it on your machine.
import type { Host } from 'lena-agent/toolkit'
import { commandsBehind } from './commands.ts'
import { scriptsBehind } from './far.ts'
import type { Prefix } from './far.ts'
import { filesBehind } from './files.ts'

/** What is needed over there, besides Linux. */
const programs = [
  'bash',
  'cat',
  'chmod',
  'chown',
  'cut',
  'dd',
  'df',
  'env',
  'mkdir',
  'mktemp',
  'mv',
  'readlink',
  'rm',
  'stat',
  'tail',
  'tr',
]
/** Says what of the shell's own is of no use to others. */
const ofTheShell = ['PWD', 'OLDPWD', 'SHLVL', '_']

const ask = `
for each in "$@"; do command -v "$each" >/dev/null || missing="$missing $each"; done
[ -z "$missing" ] || { echo "over there is no$missing" >&2; exit 1; }
cd && pwd -P && cat /proc/self/environ`

/**
 * The machine that a command leads to.
 *
 * @throws {Error} when it does not answer, or something is missing there.
 */
export async function hostBehind(prefix: Prefix): Promise<Host> {
  const run = scriptsBehind(prefix)
  const answer = (await run({ what: `the machine behind ${prefix.command.join(' ')}`, script: ask, args: programs })).toString()
  const end = answer.indexOf('\n')
  const pairs = answer.slice(end + 1).split('\0')
  const env = pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const)
  return {
    files: filesBehind(run),
    home: answer.slice(0, end),
    env: Object.fromEntries(env.filter(([name]) => name !== '' && !ofTheShell.includes(name))),
    // Not behind operations on files: what is to end ends at once.
    ...commandsBehind(prefix, scriptsBehind(prefix)),
  }
}
