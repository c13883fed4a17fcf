import { constants } from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { fileError } from './file-error.ts'

export type OpenFile = { readonly handle: FileHandle; readonly stats: BigIntStats }

/**
 * Opens a file to read it, if it is a regular file. Anything else is refused before it is opened: opening a FIFO waits for a
 * writer, and reading a device may never end.
 *
 * @param given the path as the model wrote it, for messages.
 */
export async function openRegular(path: string, given: string): Promise<OpenFile> {
  let handle: FileHandle | undefined
  try {
    refuseOther(await stat(path, { bigint: true }), given)
    // It may have become something else by now: without waiting for a writer, and looked at again.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const stats = await handle.stat({ bigint: true })
    refuseOther(stats, given)
    return { handle, stats }
  } catch (error) {
    await handle?.close()
    throw await fileError(error, path, given)
  }
}

/** @throws {Error} when it is no regular file. */
export function refuseOther(stats: BigIntStats, given: string): void {
  if (stats.isFile()) return
  const shown = JSON.stringify(given)
  if (stats.isDirectory()) throw new Error(`${shown} is a folder, not a file. Use list_dir to see what is in it.`)
  throw new Error(`${shown} is ${kindOf(stats)}, not a regular file, and was not opened.`)
}

function kindOf(stats: BigIntStats): string {
  if (stats.isFIFO()) return 'a named pipe (FIFO)'
  if (stats.isSocket()) return 'a socket'
  if (stats.isCharacterDevice() || stats.isBlockDevice()) return 'a device'
  return 'something special'
}
