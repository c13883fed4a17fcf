import type { FileStats, FileSystem, OpenedFile } from '../../host/file-system.ts'
import { fileError } from './file-error.ts'

export type OpenFile = { readonly handle: OpenedFile; readonly stats: FileStats }

/**
 * Opens a file to read it, if it is a regular file. Anything else is refused before it is opened: opening a FIFO waits for a
 * writer, and reading a device may never end.
 *
 * @param given the path as the model wrote it, for messages.
 */
export async function openRegular(files: FileSystem, path: string, given: string): Promise<OpenFile> {
  let handle: OpenedFile | undefined
  try {
    refuseOther(await files.stat(path), given)
    // It may have become something else by now: without waiting for a writer, and looked at again.
    handle = await files.open(path)
    const stats = await handle.stat()
    refuseOther(stats, given)
    return { handle, stats }
  } catch (error) {
    await handle?.close()
    throw await fileError(files, error, path, given)
  }
}

/** @throws {Error} when it is no regular file. */
export function refuseOther({ kind }: FileStats, given: string): void {
  if (kind === 'file') return
  const shown = JSON.stringify(given)
  if (kind === 'folder') throw new Error(`${shown} is a folder, not a file. Use list_dir to see what is in it.`)
  throw new Error(`${shown} is ${named[kind] ?? 'something special'}, not a regular file, and was not opened.`)
}

const named: Readonly<Record<string, string>> = { fifo: 'a named pipe (FIFO)', socket: 'a socket', device: 'a device' }
