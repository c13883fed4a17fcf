import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { SessionError } from '../../errors.ts'
import { reasonOf } from '../../util/abort.ts'
import { headerLine, seal } from './lines.ts'

// Not through a link: the file is the user's own. Windows has no such flag.
const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)
const newline = 0x0a
/** How many names are remembered. One that is forgotten costs another look at its folder. */
const mostNames = 1000

/**
 * Puts a line at the end of the file with one write. The system gives each such write a place of its own behind all others, so
 * processes need no lock. The file is opened anew each time: one that was removed in between is not written to any more.
 *
 * @param options.named files whose name is on the disk, as far as is known.
 */
export async function appendLine(
  path: string,
  session: string,
  line: string,
  { sync, named, signal }: { readonly sync: boolean; readonly named: Set<string>; readonly signal: AbortSignal },
): Promise<void> {
  const handle = await openForAppend(path)
  try {
    const { size } = await handle.stat()
    // A writing that was cut, by a crash or a full disk: it gets an end, and is left where it is. It may have been the header.
    const isTorn = size > 0 && (await lastByte(handle, size)) !== newline
    const bytes = Buffer.from(`${isTorn ? seal : ''}${size === 0 || isTorn ? headerLine(session) : ''}${line}`)
    if (signal.aborted) throw reasonOf(signal)
    // Not `appendFile`: it writes what is large in several pieces, and another process may come between them.
    const { bytesWritten } = await handle.write(bytes, 0, bytes.length)
    if (bytesWritten < bytes.length)
      throw new SessionError(`Only ${bytesWritten} of ${bytes.length} bytes went into ${path}. Is the disk full?`)
    if (size === 0) named.delete(path)
    if (!sync) return
    await handle.datasync()
    await syncName(path, named)
  } finally {
    await handle.close()
  }
}

/** Sees to it that what was written before is on the disk. */
export async function syncFile(path: string, named: Set<string>): Promise<void> {
  const handle = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  try {
    if (!handle) return
    await handle.datasync()
    await syncName(path, named)
  } finally {
    await handle?.close()
  }
}

async function openForAppend(path: string): Promise<FileHandle> {
  try {
    return await open(path, flags, 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  return await open(path, flags, 0o600)
}

async function lastByte(handle: FileHandle, size: number): Promise<number | undefined> {
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0]
}

/** A file's name is on the disk when its folder is, whoever made it, and when. Not every system can do that. */
async function syncName(path: string, named: Set<string>): Promise<void> {
  if (named.has(path)) return
  const handle = await open(dirname(path), 'r').catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
  if (named.size >= mostNames) named.clear()
  named.add(path)
}
