import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The root of the repository that a folder is in: the nearest with a `.git`. */
export function repositoryOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return undefined
  }
}

/** The folders from the root of the repository down to this one; only this one outside of any. */
export function foldersDownTo(folder: string): readonly string[] {
  const root = repositoryOf(folder)
  if (root === undefined) return [folder]
  const folders = [folder]
  while (folders[0] !== root) folders.unshift(dirname(folders[0]!))
  return folders
}
