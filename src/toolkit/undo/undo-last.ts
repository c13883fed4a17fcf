import { AgentError, InputError } from '../../errors.ts'
import type { FileSystem } from '../../host/file-system.ts'
import type { Host } from '../../host/host.ts'
import { localFiles } from '../../host/local-files.ts'
import { aSignal, checkOptions } from '../../util/check-options.ts'
import type { RulesOf } from '../../util/check-options.ts'
import { describe } from '../../util/describe.ts'
import { lstatOrNothing, writeAtomically } from '../files/atomic-write.ts'
import { onePerFile } from '../files/one-per-file.ts'
import { openRegular } from '../files/open-regular.ts'
import { versionOf } from '../files/read-lines.ts'
import { aHost } from '../options.ts'
import type { Change, UndoLog } from './undo-log.ts'

export type UndoOptions = {
  /** The machine that the tools worked on. Default: this one. */
  readonly host?: Host | undefined
  readonly signal?: AbortSignal | undefined
}

export type Undone = {
  readonly path: string
  /** The file has its old content again, or, as there was none before, is gone. */
  readonly did: 'restored' | 'removed'
}

/**
 * Takes back the last change that a tool made to a file: its content and mode, or the file itself if the tool had created it.
 * Folders stay. Models that go on with the file have to read it again. Call it again for the change before.
 *
 * @returns what was done; `undefined` when there is nothing left to undo.
 * @throws {AgentError} `undo_refused` when the file is no longer as the tool left it; nothing is changed then.
 */
export async function undoLast(log: UndoLog, options: UndoOptions = {}): Promise<Undone | undefined> {
  if (typeof (log as Partial<UndoLog> | null | undefined)?.changes !== 'function')
    throw new InputError(`undoLast() needs an undo log, such as the \`undo\` of a toolkit, got ${describe(log)}.`)
  checkOptions('undoLast', options, { host: aHost, signal: aSignal } satisfies RulesOf<UndoOptions>)
  const { host, signal = new AbortController().signal } = options
  const files = host?.files ?? localFiles
  const change = (await log.changes()).at(-1)
  if (!change) return undefined
  return await onePerFile(files, change.path, () => undo(files, log, change, signal), signal)
}

async function undo(files: FileSystem, log: UndoLog, change: Change, signal: AbortSignal): Promise<Undone> {
  const { path, before } = change
  const stats = await lstatOrNothing(files, path)
  if (!stats) throw refused(change, 'it is not there any more')
  if ((await hashNow(files, path, signal)) !== change.writtenHash) throw refused(change, 'it was changed since')
  if (before) {
    const content = await log.contentOf(change.id)
    if (!content) throw refused(change, 'its old content is not kept any more')
    await writeAtomically({ files, path, data: content, replaces: stats, mode: before.mode, signal })
  } else await files.remove(path)
  await log.forget(change.id)
  return { path, did: before ? 'restored' : 'removed' }
}

const refused = ({ path, id }: Change, why: string): AgentError =>
  new AgentError(
    `The last change, of ${JSON.stringify(path)}, was not undone: ${why}. To pass over it, forget the change: undo.forget(${JSON.stringify(id)}).`,
    { code: 'undo_refused' },
  )

async function hashNow(files: FileSystem, path: string, signal: AbortSignal): Promise<string | undefined> {
  const { handle, stats } = await openRegular(files, path, path)
  try {
    return (await versionOf(handle, stats, signal)).hash
  } finally {
    await handle.close()
  }
}
