import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'

/**
 * Ends what this program has started when the program itself is ended in a way that lets it do nothing any more: by SIGKILL, by a
 * signal that nobody listens to, by a crash. To listen to signals would not do, for it changes what they mean: a program with a
 * listener lives on, and libraries that do the same each leave the end to the other.
 *
 * It is a shell that waits for the end of a pipe, which the system brings when this program is gone. It is in no group of ours, so
 * that what the terminal sends to us does not reach it.
 */
const script = `
while read -r kind rest; do
  case $kind in groups) groups=$rest;; processes) processes=$rest;; mark) mark=$rest;; esac
done
for group in $groups; do kill -KILL -- "-$group"; done 2>/dev/null
for process in $processes; do kill -KILL "$process"; done 2>/dev/null
[ -n "$mark" ] || exit 0
for round in 1 2 3 4 5; do
  found=$(grep -laF -- "$mark" /proc/[0-9]*/environ 2>/dev/null)
  [ -n "$found" ] || exit 0
  for file in $found; do pid=\${file#/proc/}; kill -KILL "\${pid%/environ}"; done 2>/dev/null
done
`

/**
 * `groups`: process groups by their numbers, with spaces between them. `processes`: single ones. `mark`: every process with this text
 * in its environment (Linux).
 */
type Kind = 'groups' | 'processes' | 'mark'

let guardian: ChildProcess | undefined
const told = new Map<Kind, string>()

/** Says what is to be ended with us; the newest word of each kind counts. */
export function tellGuardian(kind: Kind, rest: string): void {
  if (process.platform === 'win32') return
  told.set(kind, rest)
  if (guardian) return write(kind, rest)
  guardian = started()
  for (const [each, text] of told) write(each, text)
}

const write = (kind: string, rest: string): void => void guardian?.stdin?.write(`${kind} ${rest}\n`)

function started(): ChildProcess | undefined {
  try {
    const { spawn } = process.getBuiltinModule('node:child_process')
    const child = spawn('/bin/sh', ['-c', script], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
    })
    // Without one there is still the listener on `exit`. The next who asks tries again.
    const gone = (): void => {
      if (guardian === child) guardian = undefined
    }
    child.once('error', gone).once('exit', gone)
    child.stdin.on('error', gone)
    // It waits for us, not we for it.
    child.unref()
    // A socket, whatever its type says.
    const pipe = child.stdin as Partial<Pick<Socket, 'unref'>>
    pipe.unref?.()
    return child
  } catch {
    return undefined
  }
}
