/** Is anybody left in a process group? One that has ended and was not waited for counts, too. */
export function hasMembers(group: number): boolean {
  try {
    process.kill(-group, 0)
    return true
  } catch {
    return false
  }
}
