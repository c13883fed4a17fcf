import { join, relative } from 'node:path'
import type { FolderEntry, Lookups } from '../host/file-system.ts'
import { isInside } from '../host/paths.ts'
import type { Glob } from './glob.ts'
import { folded } from './paths.ts'

/** What is denied, and the folder that all of it lies in. */
export type Denied = { readonly globs: readonly Glob[]; readonly base: string }

/** Names that are looked at; with more it cannot be told. */
const maxLooked = 10_000

/**
 * May a file below a folder be one that is denied? Those that are there now are looked at, as far as the patterns reach; links are not
 * followed.
 *
 * @param folders what the folder is called: a pattern may speak of it by each name.
 * @param wants which of the files count, by their paths from the folder.
 */
export function holdsBelow(look: Lookups, { globs, base }: Denied, folders: readonly string[], wants: (path: string) => boolean): boolean {
  let looked = 0
  const left = folders.map((folder) => (isInside(folder, base) ? { folder: base, way: relative(folder, base) } : { folder, way: '' }))
  for (const { folder, way } of left) {
    for (const entry of entriesOf(look, folder)) {
      if (++looked > maxLooked) return true
      const path = join(folder, entry.name)
      const from = join(way, entry.name)
      const name = folded(path)
      const isFolder = entry.kind === 'folder'
      if (!isFolder && globs.some((glob) => glob.matches(name)) && wants(from)) return true
      if (isFolder && globs.some((glob) => glob.fitsBeginning(`${name}/`) !== 'never')) left.push({ folder: path, way: from })
    }
  }
  return false
}

/** The same of files that need not be there: of these, or of any. */
export function mayHoldBelow(
  { globs }: Denied,
  folders: readonly string[],
  wants: (path: string) => boolean,
  among: readonly string[] | 'any',
): boolean {
  if (among !== 'any')
    return among.some((path) => globs.some((glob) => folders.some((folder) => glob.matches(folded(join(folder, path))))) && wants(path))
  return folders.some((folder) => globs.some((glob) => glob.fitsBeginning(folded(folder === '/' ? folder : `${folder}/`)) !== 'never'))
}

function entriesOf(look: Lookups, folder: string): readonly FolderEntry[] {
  try {
    return look.list(folder)
  } catch {
    // No folder, or one that may not be looked at: then a program of this user may not, either.
    return []
  }
}
