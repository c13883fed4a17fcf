import { join } from 'node:path'
import type { FileSystem } from '../../host/file-system.ts'
import { ignoringIn, isVersionControl } from './ignore-files.ts'
import type { Ignoring } from './ignore-files.ts'

/**
 * The regular files below a folder, relative to it, in the order of their names, without those that ignore files name. Links are
 * not followed, and what cannot be opened is passed over.
 *
 * @param root with its links resolved; it is looked through even if it is ignored itself.
 */
export async function* walk(files: FileSystem, root: string, signal: AbortSignal): AsyncGenerator<string> {
  yield* walkIn(files, root, '', await ignoringIn(files, root), signal)
}

async function* walkIn(files: FileSystem, root: string, folder: string, ignoring: Ignoring, signal: AbortSignal): AsyncGenerator<string> {
  for (const { name, isFolder } of await entriesOf(files, join(root, folder), signal)) {
    signal.throwIfAborted()
    if (isVersionControl(name) || ignoring.isIgnored(name, isFolder)) continue
    const path = folder === '' ? name : `${folder}/${name}`
    if (isFolder) yield* walkIn(files, root, path, await ignoring.enter(name), signal)
    else yield path
  }
}

type Found = { readonly name: string; readonly isFolder: boolean }

async function entriesOf(files: FileSystem, folder: string, signal: AbortSignal): Promise<readonly Found[]> {
  const entries: Found[] = []
  try {
    for await (const { name, kind } of files.list(folder)) {
      signal.throwIfAborted()
      if (kind === 'folder' || kind === 'file') entries.push({ name, isFolder: kind === 'folder' })
    }
  } catch (error) {
    if (signal.aborted) throw error
  }
  return entries.sort((a, b) => compareNames(a.name, b.name))
}

/** By their bytes, as the file system has them. UTF-16 would order characters beyond the first plane otherwise. */
const compareNames = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
