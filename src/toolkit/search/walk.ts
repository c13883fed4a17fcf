import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoringIn, isVersionControl } from './ignore-files.ts'
import type { Ignoring } from './ignore-files.ts'

/**
 * The regular files below a folder, relative to it, in the order of their names, without those that ignore files name. Links are
 * not followed, and what cannot be opened is passed over.
 *
 * @param root with its links resolved; it is looked through even if it is ignored itself.
 */
export async function* walk(root: string, signal: AbortSignal): AsyncGenerator<string> {
  yield* walkIn(root, '', await ignoringIn(root), signal)
}

async function* walkIn(root: string, folder: string, ignoring: Ignoring, signal: AbortSignal): AsyncGenerator<string> {
  for (const { name, isFolder } of await entriesOf(join(root, folder), signal)) {
    signal.throwIfAborted()
    if (isVersionControl(name) || ignoring.isIgnored(name, isFolder)) continue
    const path = folder === '' ? name : `${folder}/${name}`
    if (isFolder) yield* walkIn(root, path, await ignoring.enter(name), signal)
    else yield path
  }
}

async function entriesOf(folder: string, signal: AbortSignal): Promise<readonly { readonly name: string; readonly isFolder: boolean }[]> {
  const entries: { readonly name: string; readonly isFolder: boolean }[] = []
  try {
    for await (const dirent of await opendir(folder, { bufferSize: 256 })) {
      signal.throwIfAborted()
      const isFolder = dirent.isDirectory()
      if (isFolder || dirent.isFile()) entries.push({ name: dirent.name, isFolder })
    }
  } catch (error) {
    if (signal.aborted) throw error
  }
  return entries.sort((a, b) => compareNames(a.name, b.name))
}

/** By their bytes, as the file system has them. UTF-16 would order characters beyond the first plane otherwise. */
const compareNames = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
