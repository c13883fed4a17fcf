import { basename, dirname } from 'node:path'
import type { FileSystem } from '../../host/file-system.ts'
import { codeOf } from '../../host/paths.ts'
import { didYouMean } from '../../util/text.ts'
import { isFolder } from './is-folder.ts'

/** What the system said, in words that tell a model what to do next. */
const said: Readonly<Record<string, (path: string) => string>> = {
  EACCES: (path) => `No permission for ${path}.`,
  EPERM: (path) => `The system does not permit this for ${path}.`,
  EROFS: (path) => `${path} is on a file system that is read-only.`,
  ENOSPC: (path) => `No space is left on the device of ${path}. Nothing was changed.`,
  EDQUOT: (path) => `The disk quota is used up, so ${path} was not written. Nothing was changed.`,
  ELOOP: (path) => `${path} is a link that leads in a circle.`,
  ENAMETOOLONG: (path) => `The name is too long: ${path}.`,
  ENOTDIR: (path) => `A part of ${path} is a file, not a folder.`,
  EMFILE: (path) => `Too many files are open to open ${path}. Try again.`,
}

/**
 * A failure of the file system as an Error for the model. A missing path names what comes nearest to it.
 *
 * @param given the path as the model wrote it.
 */
export async function fileError(files: FileSystem, error: unknown, path: string, given: string): Promise<Error> {
  const code = codeOf(error)
  if (code === undefined) return error instanceof Error ? error : new Error(String(error))
  const shown = JSON.stringify(given)
  const message = code === 'ENOENT' ? await missing(files, path, shown) : (said[code]?.(shown) ?? `${shown}: ${(error as Error).message}`)
  return new Error(message, { cause: error })
}

async function missing(files: FileSystem, path: string, shown: string): Promise<string> {
  const folder = dirname(path)
  if (await isFolder(files, folder)) {
    return `${shown} does not exist.${didYouMean(basename(path), await namesIn(files, folder))} See what is there with list_dir.`
  }
  // Names the part that is wrong: the first folder on the way that does not exist.
  let first = folder
  while (dirname(first) !== first && !(await isFolder(files, dirname(first)))) first = dirname(first)
  const guess = didYouMean(basename(first), await namesIn(files, dirname(first)))
  return `${shown} does not exist: there is no folder ${JSON.stringify(first)}.${guess} See what is there with list_dir.`
}

/** Enough to find a near name; a folder may hold millions. */
const maxNames = 5000

async function namesIn(files: FileSystem, folder: string): Promise<readonly string[]> {
  const names: string[] = []
  try {
    for await (const { name } of files.list(folder)) if (names.push(name) >= maxNames) break
  } catch {
    // No near names then.
  }
  return names
}
