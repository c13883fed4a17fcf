import { isInside } from '../../host/paths.ts'
import { keptOf } from './place.ts'
import type { SandboxPlace } from './place.ts'

/** Private to the command and gone with it. Sockets of other programs lie there, too. */
const privateFolders = ['/tmp', '/var/tmp', '/run']

/**
 * The arguments of `bwrap` before the command: all is read-only but the workspace, temporary folders are new ones, keys are not there,
 * no network, no other processes. What a command starts ends with it: it has a process space of its own.
 */
export function bubblewrapArgs(place: SandboxPlace): readonly string[] {
  const { workspace, cwd, recordFolder, writable, fixed, hidden, network } = place
  const open = [workspace, ...writable, ...(recordFolder === undefined ? [] : [recordFolder])]
  // A folder that is not there inside can be entered no more.
  const isThere =
    open.some((folder) => isInside(folder, cwd)) ||
    ![...privateFolders, ...hidden.map(({ path }) => path)].some((folder) => isInside(folder, cwd))
  return [
    '--die-with-parent',
    '--unshare-all',
    ...(network ? ['--share-net'] : []),
    '--cap-drop',
    'ALL',
    ...bound('--ro-bind', '/'),
    ...mounted('--dev', '/dev'),
    ...mounted('--proc', '/proc'),
    // To root its own of these would be open, and what is set there holds for the whole machine.
    ...['/proc/sys', '/proc/sysrq-trigger'].flatMap((path) => bound('--ro-bind-try', path)),
    ...privateFolders.flatMap((folder) => mounted('--tmpfs', folder)),
    // Names of hosts are looked up by what is written there.
    ...(network ? bound('--ro-bind-try', '/run/systemd/resolve') : []),
    ...open.flatMap((folder) => bound('--bind', folder)),
    // A place of its own cannot be moved away, and another put where it was.
    ...keptOf(place).flatMap((path) => bound('--bind', path)),
    ...fixed.flatMap((path) => bound('--ro-bind', path)),
    ...hidden.flatMap(({ path, isFolder }) => (isFolder ? mounted('--tmpfs', path) : ['--ro-bind', '/dev/null', path])),
    '--setenv',
    'TMPDIR',
    '/tmp',
    '--chdir',
    isThere ? cwd : workspace,
    '--',
  ]
}

/** At the same place as outside. */
const bound = (how: string, path: string): readonly string[] => [how, path, path]
const mounted = (what: string, path: string): readonly string[] => [what, path]
