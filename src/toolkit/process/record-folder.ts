import { constants } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { shellWord } from '../files/paths.ts'

/** A private folder with the file in it where a command says in which folder it ended. */
export type FolderRecord = { readonly folder: string; read(): Promise<string | undefined>; remove(): Promise<void> }

/** None where there is no place for temporary files, and then the folder is not kept. */
export async function folderRecord(): Promise<FolderRecord | undefined> {
  try {
    const folder = await mkdtemp(join(tmpdir(), 'lena-shell-'))
    return { folder, read: () => read(fileIn(folder)), remove: () => rm(folder, { recursive: true, force: true }).catch(() => {}) }
  } catch {
    return undefined
  }
}

const fileIn = (folder: string): string => join(folder, 'folder')

/**
 * The script around a command, which is its first argument.
 *
 * Both streams go into one pipe, for two would lose their order. The folder is recorded on the way out, so `exit` does not skip
 * it; a file holds it, because any number of a stream may be used by the command. `shift` takes the command out of the arguments
 * before it runs.
 */
export function scriptRecording(record: FolderRecord | undefined): string {
  const trap =
    record === undefined ? '' : `trap ${shellWord(`{ command pwd -P >|${shellWord(fileIn(record.folder))}; } 2>/dev/null`)} EXIT; `
  return `exec 2>&1; ${trap}eval "shift; $1"`
}

async function read(path: string): Promise<string | undefined> {
  let file: FileHandle | undefined
  try {
    // The command can reach it: a link would be read for it, a pipe waited for.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0))
    const stats = await file.stat()
    if (!stats.isFile() || stats.size > maxRecordBytes) return undefined
    const said = (await file.readFile('utf8')).replace(/\n$/, '')
    return isAbsolute(said) ? said : undefined
  } catch {
    // Killed before it could say, or it replaced the shell.
    return undefined
  } finally {
    await file?.close().catch(() => {})
  }
}

/** Paths are no longer than 4,096 bytes on Linux. */
const maxRecordBytes = 65_536
