import { readdir, stat } from 'node:fs/promises'
import { statSync } from 'node:fs'
import { join } from 'node:path'

/** Does a file of this name in a folder hold tools? Declarations, tests, and names that begin with `.` or `_` do not. */
const isToolFile = (name: string): boolean => /\.[cm]?[jt]s$/.test(name) && !/^[._]|\.d\.[cm]?ts$|\.(test|spec)\.[cm]?[jt]s$/.test(name)

/** The files of a folder that hold tools, sorted; a file alone is its own list. Nothing there is an empty one. */
export async function toolFiles(path: string): Promise<readonly string[]> {
  const there = await stat(path).catch(() => undefined)
  if (!there) return []
  if (!there.isDirectory()) return [path]
  const names = (await readdir(path).catch(() => [])).filter((name) => isToolFile(name))
  // By code units: the order must not depend on the machine's language.
  const files = names.sort((a, b) => (a < b ? -1 : 1)).map((name) => join(path, name))
  const kinds = await Promise.all(files.map((file) => stat(file).catch(() => undefined)))
  return files.filter((_, index) => kinds[index]?.isFile())
}

/**
 * Tells two versions of a file apart; `undefined` when there is none that can be reached: a link may lead in a circle, a folder be closed.
 * Follows links. At once: nothing may happen between this and the reading.
 */
export function versionOf(file: string): string | undefined {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true })
    return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`
  } catch {
    return undefined
  }
}
