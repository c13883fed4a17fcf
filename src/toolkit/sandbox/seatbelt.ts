import { keptOf } from './place.ts'
import type { SandboxPlace } from './place.ts'

/** The same in the language of macOS: the last rule that fits decides. */
export function seatbeltProfile(place: SandboxPlace): string {
  const { workspace, recordFolder, writable, fixed, hidden, network } = place
  const open = [workspace, ...writable, ...(recordFolder === undefined ? [] : [recordFolder])]
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    `(allow file-write* ${open.map((path) => `(subpath ${quoted(path)})`).join(' ')})`,
    '(allow file-write-data (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/dtracehelper"))',
    // Nobody moves the folder of what is fixed away, to put another there.
    ...keptOf(place).map((path) => `(deny file-write-unlink (literal ${quoted(path)}))`),
    ...fixed.map((path) => `(deny file-write* (subpath ${quoted(path)}))`),
    ...hidden.map(({ path }) => `(deny file-read* file-write* (subpath ${quoted(path)}))`),
    ...(network ? [] : ['(deny network*)']),
  ].join('\n')
}

const quoted = (path: string): string => `"${path.replace(/[\\"]/g, (char) => `\\${char}`)}"`
