import { constants } from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { access, lstat, mkdir, open, realpath, rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export type AtomicWrite = {
  /** Where to write, links resolved. */
  readonly path: string
  readonly data: Uint8Array
  /** The file that is to be replaced, as it was when that was decided; `undefined` when there was none. */
  readonly replaces: BigIntStats | undefined
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
export async function writeAtomically({ path, data, replaces, mode, signal }: AtomicWrite): Promise<BigIntStats> {
  if (replaces) await refuseReadOnly(path, replaces)
  const folder = dirname(path)
  await mkdir(folder, { recursive: true })
  const { randomBytes } = await import('node:crypto')
  // In the same folder, for a rename cannot cross file systems; a name of its own, for the file's may already be as long as names can be.
  const temporary = join(folder, `.lena-${randomBytes(8).toString('hex')}.tmp`)
  signal.throwIfAborted()
  const handle = await open(temporary, 'wx', 0o666)
  try {
    try {
      // A folder on the way may have become a link to somewhere else by now.
      if ((await realpath(folder)) !== folder)
        throw new Error(`The folder of ${JSON.stringify(path)} was changed to a link just now. Nothing was written; look at what is there.`)
      await handle.writeFile(data)
      // Owner before mode: changing the owner takes the set-user-ID bit away. Who may not give files away keeps it.
      if (replaces) await handle.chown(Number(replaces.uid), Number(replaces.gid)).catch(() => {})
      if (replaces) await handle.chmod(mode ?? Number(replaces.mode & 0o7777n))
      // Without it a crash after the rename can leave an empty file.
      await handle.datasync()
    } finally {
      await handle.close()
    }
    signal.throwIfAborted()
    if (!isSameFile(await lstatOrNothing(path), replaces))
      throw new Error(`${JSON.stringify(path)} was changed by somebody else just now. It was not written; read it again first.`)
    await rename(temporary, path)
  } catch (error) {
    await unlink(temporary).catch(() => {})
    throw error
  }
  return await lstat(path, { bigint: true })
}

/** A rename needs no permission on the file it replaces, so it is asked for here. */
async function refuseReadOnly(path: string, { mode }: BigIntStats): Promise<void> {
  const writable = (mode & 0o222n) !== 0n
  if (!writable)
    throw new Error(
      `${JSON.stringify(path)} is read-only (mode ${(mode & 0o777n).toString(8)}). If it should be changed all the same, make it writable first: chmod u+w`,
    )
  await access(path, constants.W_OK)
}

const isSameFile = (now: BigIntStats | undefined, before: BigIntStats | undefined): boolean =>
  now === undefined || before === undefined
    ? now === before
    : now.ino === before.ino && now.dev === before.dev && now.size === before.size && now.mtimeNs === before.mtimeNs

export async function lstatOrNothing(path: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(path, { bigint: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
