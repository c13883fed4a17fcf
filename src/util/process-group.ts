import { tellGuardian } from './guardian.ts'

/** Process groups that this program started and that may still run. */
const groups = new Set<number>()

/**
 * Ends the group with this program, whatever happens, until it is let go: commands run in groups of their own, so nothing else
 * would tell them.
 *
 * @returns lets it go.
 */
export function endWithUs(group: number): () => void {
  if (groups.size === 0) process.on('exit', endAll)
  groups.add(group)
  tell()
  return () => {
    if (!groups.delete(group)) return
    // The number may be another group's soon.
    tell()
    if (groups.size === 0) process.off('exit', endAll)
  }
}

const tell = (): void => tellGuardian('groups', [...groups].join(' '))

function endAll(): void {
  for (const group of groups) signalGroup(group, 'SIGKILL')
}

/** Signals every process of a group. One that is gone already is no error. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal)
  } catch {
    // Gone, or not ours any more.
  }
}
