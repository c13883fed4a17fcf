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
  yield* walkIn(files, root, '', () => ignoringIn(files, root), signal)
}

/** @param ignoringAmong gives the rules that hold in the folder, once its names are known. */
async function* walkIn(
  files: FileSystem,
  root: string,
  folder: string,
  ignoringAmong: (names: ReadonlySet<string>) => Promise<Ignoring>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { found, names } = await entriesOf(files, join(root, folder), signal)
  const ignoring = await ignoringAmong(names)
  for (const { name, isFolder } of found) {
    signal.throwIfAborted()
    if (isVersionControl(name) || ignoring.isIgnored(name, isFolder)) continue
    const path = folder === '' ? name : `${folder}/${name}`
    if (isFolder) yield* walkIn(files, root, path, (below) => ignoring.enter(name, below), signal)
    else yield path
  }
}

type Entries = { readonly found: readonly { readonly name: string; readonly isFolder: boolean }[]; readonly names: ReadonlySet<string> }

/** What may be looked through, in order, and the names of all that is there. */
async function entriesOf(files: FileSystem, folder: string, signal: AbortSignal): Promise<Entries> {
  const found: { readonly name: string; readonly isFolder: boolean }[] = []
  const names = new Set<string>()
  try {
    for await (const { name, kind } of files.list(folder)) {
      signal.throwIfAborted()
      names.add(name)
      if (kind === 'folder' || kind === 'file') found.push({ name, isFolder: kind === 'folder' })
    }
  } catch (error) {
    if (signal.aborted) throw error
  }
  return { found: found.sort((a, b) => compareNames(a.name, b.name)), names }
}

/** By their bytes, as the file system has them. UTF-16 would order characters beyond the first plane otherwise. */
const compareNames = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
