import { dirname, join } from 'node:path'
import type { FileStats, FileSystem } from '../../host/file-system.ts'
import { codeOf } from '../../host/paths.ts'

export type AtomicWrite = {
  readonly files: FileSystem
  /** Where to write, links resolved. */
  readonly path: string
  readonly data: Uint8Array
  /** The file that is to be replaced, as it was when that was decided; `undefined` when there was none. */
  readonly replaces: FileStats | undefined
  /** Of the new file. Default: that of the one it replaces. */
  readonly mode?: number | undefined
  readonly signal: AbortSignal
}

/**
 * Writes a file in one step: whoever looks sees the old content or the new one, never a part. Missing parent folders are made,
 * mode and owner of the old file are kept. When it fails the old file is untouched and no temporary file is left.
 *
 * @returns the new file's state.
 * @throws {Error} also when the file is no longer what it `replaces`.
 */
export async function writeAtomically({ files, path, data, replaces, mode, signal }: AtomicWrite): Promise<FileStats> {
  if (replaces) await refuseReadOnly(files, path, replaces)
  const folder = dirname(path)
  await files.makeFolder(folder)
  const { randomBytes } = await import('node:crypto')
  // In the same folder, for a rename cannot cross file systems; a name of its own, for the file's may already be as long as names can be.
  const temporary = join(folder, `.lena-${randomBytes(8).toString('hex')}.tmp`)
  signal.throwIfAborted()
  const file = await files.create(temporary)
  try {
    try {
      // A folder on the way may have become a link to somewhere else by now.
      if ((await files.realpath(folder)) !== folder)
        throw new Error(`The folder of ${JSON.stringify(path)} was changed to a link just now. Nothing was written; look at what is there.`)
      await file.write(data, replaces && { mode: mode ?? replaces.mode, uid: replaces.uid, gid: replaces.gid })
    } finally {
      await file.close()
    }
    signal.throwIfAborted()
    if (!isSameFile(await lstatOrNothing(files, path), replaces))
      throw new Error(`${JSON.stringify(path)} was changed by somebody else just now. It was not written; read it again first.`)
    await files.rename(temporary, path)
  } catch (error) {
    await files.remove(temporary).catch(() => {})
    throw error
  }
  return await files.lstat(path)
}

/** A rename needs no permission on the file it replaces, so it is asked for here. */
async function refuseReadOnly(files: FileSystem, path: string, { mode }: FileStats): Promise<void> {
  const writable = (mode & 0o222) !== 0
  if (!writable)
    throw new Error(
      `${JSON.stringify(path)} is read-only (mode ${(mode & 0o777).toString(8)}). If it should be changed all the same, make it writable first: chmod u+w`,
    )
  await files.checkWritable(path)
}

const isSameFile = (now: FileStats | undefined, before: FileStats | undefined): boolean =>
  now === undefined || before === undefined
    ? now === before
    : now.id === before.id && now.size === before.size && now.mtimeNs === before.mtimeNs

export async function lstatOrNothing(files: FileSystem, path: string): Promise<FileStats | undefined> {
  try {
    return await files.lstat(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
