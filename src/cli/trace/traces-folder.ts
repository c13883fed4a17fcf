import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { stateFolder } from '../folders.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'

type Place = Pick<Io, 'env' | 'platform'>

/** Where the traces of tasks go that were given no file. */
export const tracesFolder = (io: Place): string => join(stateFolder(io), 'traces')

/**
 * The file for the trace of a run that begins now. Names sort by time.
 *
 * @param tag makes it another one than that of a run that began at the same time.
 */
export function newTracePath(io: Place & Pick<Io, 'clock'>, tag: string): string {
  const time = new Date(io.clock.now()).toISOString().replaceAll(/[:.]/g, '-')
  return join(tracesFolder(io), `${time}-${tag}.jsonl`)
}

/**
 * The file that is meant by what was said: a path, or `last` for the newest that was written without one.
 *
 * @throws {UsageError} when there is none.
 */
export async function traceMeant(io: Place, said: string, workspace: string): Promise<string> {
  if (said !== 'last') return resolve(workspace, said)
  const newest = await newestIn(tracesFolder(io))
  if (newest === undefined)
    throw new UsageError(
      `There is no trace in ${JSON.stringify(tracesFolder(io))} yet. One is written by a task with --trace, for example: lena --trace run.jsonl "what does this project do?"`,
    )
  return newest
}

async function newestIn(folder: string): Promise<string | undefined> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.jsonl')).sort()
  let newest: { readonly path: string; readonly changedMs: number } | undefined
  for (const name of names) {
    const path = join(folder, name)
    const stats = await stat(path).catch(() => undefined)
    if (stats?.isFile() && (!newest || stats.mtimeMs >= newest.changedMs)) newest = { path, changedMs: stats.mtimeMs }
  }
  return newest?.path
}
