import { readFileSync } from 'node:fs'

/** Is anybody left in a process group? One that has ended and was not waited for counts, too. */
export function hasMembers(group: number): boolean {
  try {
    process.kill(-group, 0)
    return true
  } catch {
    return false
  }
}

/** The group of a process, where the system shows it in files (Linux); `undefined` when it is gone. */
export function groupOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name before may have anything in it: state, parent and group stand behind its bracket.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])
  } catch {
    return undefined
  }
}
