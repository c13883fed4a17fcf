import type { FileStats, FileSystem } from '../../host/file-system.ts'
import type { UndoLog } from '../undo/undo-log.ts'
import { writeAtomically } from './atomic-write.ts'
import type { FileVersion } from './file-log.ts'
import { hashOf } from './read-lines.ts'

/** Larger files are overwritten without keeping what was in them. */
export const maxKeptBytes = 64 * 1024 * 1024

export type Replace = {
  readonly files: FileSystem
  /** Where to write, links resolved. */
  readonly path: string
  readonly data: Uint8Array
  /** What is there; `content` is absent when it is too large to be kept. */
  readonly old: { readonly stats: FileStats; readonly content: Uint8Array | undefined } | undefined
  readonly undo: UndoLog | undefined
  readonly signal: AbortSignal
}

/** Writes a file in one step, after its old content was kept. @throws {Error} when nothing was written. */
export async function replaceFile({
  files,
  path,
  data,
  old,
  undo,
  signal,
}: Replace): Promise<{ readonly version: FileVersion; readonly notes: string[] }> {
  const hash = await hashOf(data)
  const before = old?.content && { mode: old.stats.mode, content: old.content }
  const id = undo && (!old || before) ? await keep(undo, { path, before, writtenHash: hash }) : undefined
  try {
    const { size, mtimeNs } = await writeAtomically({ files, path, data, replaces: old?.stats, signal })
    const notes = undo && id === undefined ? ['[The old content is too large to be kept: this cannot be undone.]'] : []
    return { version: { size, mtimeNs, hash }, notes }
  } catch (error) {
    if (id !== undefined) await undo?.forget(id)
    throw error
  }
}

async function keep(undo: UndoLog, change: Parameters<UndoLog['keep']>[0]): Promise<string | undefined> {
  try {
    return await undo.keep(change)
  } catch (error) {
    throw new Error(
      `The old content of the file could not be kept for undo, so nothing was written: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    )
  }
}
