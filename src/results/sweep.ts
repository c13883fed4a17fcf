import { lstat, opendir, readdir, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../util/clock.ts'
import { refuseShared } from './private-folder.ts'
import { isConversationFolder, isResultName } from './result-path.ts'

const day = 24 * 60 * 60 * 1000
/** A conversation's results go this long after its last one. */
const keptMs = 30 * day

type Folder = { readonly path: string; readonly changedMs: number; readonly bytes: number }

export type SweepOptions = {
  readonly root: string
  readonly clock: Pick<Clock, 'now'>
  readonly signal: AbortSignal
  /** No folder is begun after this time, in milliseconds. What is left is for the next sweep. */
  readonly maxMs: number
  readonly maxFolders: number
}

/**
 * Removes conversations whose last result is older than 30 days, and counts the bytes of the others. Several processes may
 * do so at once: what another one has removed is no error.
 */
export async function sweep({ root, clock, signal, maxMs, maxFolders }: SweepOptions): Promise<readonly Folder[]> {
  const startedAt = clock.now()
  const folders: Folder[] = []
  let seen = 0
  for await (const { name } of await opendir(root)) {
    if (signal.aborted || clock.now() - startedAt > maxMs || seen >= maxFolders) break
    if (!isConversationFolder(name)) continue
    seen++
    const path = join(root, name)
    try {
      const { mtimeMs } = await lstat(path)
      // A folder changes with each result that is added, and results never do: all of them are older than that.
      if (startedAt - mtimeMs > keptMs) await removeConversation(path, startedAt - keptMs)
      else folders.push({ path, changedMs: mtimeMs, bytes: await bytesIn(path) })
    } catch {
      // Gone by now, or not ours to remove; either way it is not why a result was to be stored.
    }
  }
  return folders
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0
  for (const name of await readdir(folder)) bytes += (await lstat(join(folder, name))).size
  return bytes
}

/**
 * Removes the results of one folder, and the folder if nothing else is in it. Never follows a link and removes nothing but results:
 * one that another process adds meanwhile keeps itself and its folder.
 *
 * @param before only what was written before this time, in milliseconds since the epoch.
 * @returns the bytes that are free now.
 */
export async function removeConversation(folder: string, before = Infinity): Promise<number> {
  let freed = 0
  await unlessGone(async () => {
    refuseShared(await lstat(folder), folder)
    for (const name of await readdir(folder)) {
      if (!isResultName(name)) continue
      const path = join(folder, name)
      await unlessGone(async () => {
        const { mtimeMs, size } = await lstat(path)
        if (mtimeMs >= before) return
        await unlink(path)
        freed += size
      })
    }
    await rmdir(folder)
  })
  return freed
}

/** Another process may have been faster, or have put something into a folder that was about to go. */
async function unlessGone(remove: () => Promise<void>): Promise<void> {
  try {
    await remove()
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
