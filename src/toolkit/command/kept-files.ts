import { dirname, join } from 'node:path'
import type { Lookups } from '../../host/file-system.ts'

/** Of the list of files of a repository; of a larger one it is not known what it holds. */
const maxIndexBytes = 4 * 1024 * 1024

/** The nearest folder with a repository in it, from a folder upwards; with none it is the folder itself. */
export function repositoryAbove(look: Lookups, folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (look.exists(join(at, '.git'))) return at
    if (dirname(at) === at) return folder
  }
}

/** What stands in the list of files of a repository. `any` where that cannot be read, and where there are repositories in it. */
export function filesKept(look: Lookups, root: string): readonly string[] | 'any' {
  const index = join(root, '.git', 'index')
  try {
    // One that is new keeps nothing yet.
    if (!look.exists(index)) return look.stat(join(root, '.git')).kind === 'folder' ? [] : 'any'
    return look.stat(index).size > maxIndexBytes ? 'any' : (pathsIn(Buffer.from(look.read(index))) ?? 'any')
  } catch {
    return 'any'
  }
}

const headBytes = 12
/** Of an entry before its path: times and numbers of the file, its name by its content (20 bytes of SHA-1), flags. */
const fixedBytes = 62
const modeAt = 24
const extended = 0x4000
const checksumBytes = 20
/** Modes of folders, which stand for all that is in them, and of repositories. */
const notFiles: ReadonlySet<number> = new Set([0o040000, 0o160000])

/** The list of files as git writes it, in the versions 2 and 3. `undefined` for any other one, and for what is not whole. */
function pathsIn(index: Buffer): readonly string[] | undefined {
  if (index.length < headBytes || index.toString('latin1', 0, 4) !== 'DIRC' || ![2, 3].includes(index.readUInt32BE(4))) return undefined
  const count = index.readUInt32BE(8)
  const paths: string[] = []
  let at = headBytes
  while (paths.length < count) {
    if (at + fixedBytes > index.length || notFiles.has(index.readUInt32BE(at + modeAt))) return undefined
    const start = at + fixedBytes + (index.readUInt16BE(at + fixedBytes - 2) & extended ? 2 : 0)
    const end = index.indexOf(0, start)
    if (end <= start) return undefined
    paths.push(index.toString('utf8', start, end))
    // Filled up with zeros, at least one, to a multiple of eight.
    at += (end - at + 8) & ~7
  }
  return isAtEnd(index, at) ? paths : undefined
}

/** Nothing but extensions and the checksum is left, and none of them names another file with entries. */
function isAtEnd(index: Buffer, start: number): boolean {
  let at = start
  while (at + 8 <= index.length - checksumBytes) {
    if (index.toString('latin1', at, at + 4) === 'link') return false
    at += 8 + index.readUInt32BE(at + 4)
  }
  return at === index.length - checksumBytes
}
