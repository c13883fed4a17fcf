import { constants } from 'node:fs'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { resolveLinks, shellWord } from '../files/paths.ts'

/** The folder that commands run in. It is kept from one to the next: each starts where the one before it ended. */
export interface WorkingFolder {
  /** Links resolved. */
  path(): string
  /**
   * Runs a script there. `run` gets it with an addition that records where it ends, in a file of the folder that it gets last; a script
   * that does not move needs none. Gives notes for the model.
   */
  run<T>(
    moves: boolean,
    run: (wrapped: string, cwd: string, recordFolder: string | undefined) => Promise<T>,
  ): Promise<{ readonly value: T; readonly notes: readonly string[] }>
}

export function workingFolder(workspace: string): WorkingFolder {
  let current: string | undefined
  const path = (): string => (current ??= resolveLinks(workspace))
  return {
    path,
    async run(moves, run) {
      const notes: string[] = []
      if (!(await isFolder(path()))) {
        notes.push(`[The working folder ${path()} is gone; the command ran in the workspace.]`)
        current = resolveLinks(workspace)
        if (!(await isFolder(current)))
          throw new Error(
            `There is no workspace folder ${JSON.stringify(workspace)} to run commands in. Create it with write_file, which makes parent folders.`,
          )
      }
      const cwd = path()
      const record = moves ? await newRecord() : undefined
      try {
        const value = await run(wrapScript(record), cwd, record && join(record, '..'))
        const end = record && (await read(record))
        if (end !== undefined && end !== cwd && (await isFolder(end))) {
          current = end
          notes.push(`[The working folder is ${end} now.]`)
        }
        return { value, notes }
      } finally {
        if (record) await rm(join(record, '..'), { recursive: true, force: true }).catch(() => {})
      }
    },
  }
}

/**
 * The script around a command, which is its first argument.
 *
 * Both streams go into one pipe, for two would lose their order. The folder is recorded on the way out, so `exit` does not skip
 * it; a file holds it, because any number of a stream may be used by the command. `shift` takes the command out of the arguments
 * before it runs.
 */
function wrapScript(record: string | undefined): string {
  const trap = record === undefined ? '' : `trap ${shellWord(`{ command pwd -P >|${shellWord(record)}; } 2>/dev/null`)} EXIT; `
  return `exec 2>&1; ${trap}eval "shift; $1"`
}

/** A file in a private folder of its own; none where there is no place for temporary files, and then the folder is not kept. */
async function newRecord(): Promise<string | undefined> {
  try {
    return join(await mkdtemp(join(tmpdir(), 'lena-shell-')), 'folder')
  } catch {
    return undefined
  }
}

async function read(record: string): Promise<string | undefined> {
  let file: FileHandle | undefined
  try {
    // The command can reach it: a link would be read for it, a pipe waited for.
    file = await open(record, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0))
    const stats = await file.stat()
    if (!stats.isFile() || stats.size > maxRecordBytes) return undefined
    const path = (await file.readFile('utf8')).replace(/\n$/, '')
    return isAbsolute(path) ? path : undefined
  } catch {
    // Killed before it could say, or it replaced the shell.
    return undefined
  } finally {
    await file?.close().catch(() => {})
  }
}

/** Paths are no longer than 4,096 bytes on Linux. */
const maxRecordBytes = 65_536

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
