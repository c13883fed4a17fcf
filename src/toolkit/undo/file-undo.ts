import { constants } from 'node:fs'
import { chmod, lstat, mkdir, open, readdir, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { InputError } from '../../errors.ts'
import { isOurs, refuseShared } from '../../results/private-folder.ts'
import { oneAtATime } from '../process/one-at-a-time.ts'
import type { Clock } from '../../util/clock.ts'
import { systemClock } from '../../util/clock.ts'
import { isObject } from '../../util/json.ts'
import { aText, checkOptions, having } from '../../util/check-options.ts'
import type { RulesOf } from '../../util/check-options.ts'
import { boundRules, boundsOf, surplusOf } from './undo-log.ts'
import type { Change, UndoBounds, UndoLog } from './undo-log.ts'

export type FileUndoOptions = UndoBounds & {
  /** A folder for this log alone, one for each session; made if need be, with mode 0700. */
  readonly dir: string
  readonly clock?: Pick<Clock, 'now'> | undefined
}

const nameOfChange = /^(\d{15}-\d{6}-[0-9a-f]{16})\.undo$/
/** The first line says what was changed; the rest is the old content. */
const maxHeadBytes = 64 * 1024

/**
 * Keeps old content in files that only this user can read, so that a session that is taken up again can still be undone. The
 * folder must be private: one that is a link, another user's, or open to others is refused.
 *
 * @throws {InputError} without a folder.
 */
export function fileUndo(options: FileUndoOptions): UndoLog {
  checkOptions('fileUndo', options, { ...boundRules, dir: aText, clock: having('a clock', 'now') } satisfies RulesOf<FileUndoOptions>)
  const { dir, clock = systemClock } = options
  if (typeof dir !== 'string' || dir === '') throw new InputError('fileUndo() needs `dir`, the path of a folder for it alone.')
  // Now: the working folder of the process may be another one later.
  const folder = resolve(dir)
  const bounds = boundsOf(options)
  const inTurn = oneAtATime()
  const never = new AbortController().signal
  /** What is in the folder, as far as is known: entries that were forgotten count until it is full. */
  let held: { readonly bytes: number; readonly changes: number } | undefined

  const pathOf = (id: string): string => {
    if (!nameOfChange.test(`${id}.undo`)) throw new InputError(`${JSON.stringify(id)} is no id of a change.`)
    return join(folder, `${id}.undo`)
  }
  const ids = async (): Promise<readonly string[]> => {
    const names = await readdir(folder).catch(nothingThere)
    return names.flatMap((name) => nameOfChange.exec(name)?.[1] ?? []).sort()
  }
  const changes = async (): Promise<readonly Change[]> => {
    const found: Change[] = []
    for (const id of await ids()) {
      const entry = await readEntry(pathOf(id), id)
      if (entry) found.push(entry.change)
    }
    return found
  }
  /** Times may stand still, or go back from one process to the next; ids may not. */
  const newId = async (): Promise<string> => {
    const [lastTime, lastCount] = ((await ids()).at(-1) ?? '').split('-', 2).map(Number)
    const time = Math.max(clock.now(), lastTime ?? 0)
    const count = time === lastTime ? (lastCount ?? 0) + 1 : 0
    const { randomBytes } = await import('node:crypto')
    return `${String(time).padStart(15, '0')}-${String(count).padStart(6, '0')}-${randomBytes(8).toString('hex')}`
  }
  /** The folder is read through only when it may be full. */
  const makeRoom = async (bytes: number): Promise<void> => {
    if (held) {
      held = { bytes: held.bytes + bytes, changes: held.changes + 1 }
      if (held.bytes <= bounds.maxBytes && held.changes <= bounds.maxChanges) return
    }
    const all = await changes()
    const surplus = surplusOf(all, bounds)
    for (const { id } of surplus) await unlink(pathOf(id)).catch(() => {})
    const left = all.slice(surplus.length)
    held = { bytes: left.reduce((sum, { before }) => sum + (before?.bytes ?? 0), 0), changes: left.length }
  }

  return {
    keep: ({ path, before, writtenHash }) =>
      inTurn(async () => {
        const bytes = before?.content.length ?? 0
        if (bytes > Math.min(bounds.maxFileBytes, bounds.maxBytes)) return undefined
        await makeFolder(folder)
        const id = await newId()
        const head = { path, at: clock.now(), before: before && { mode: before.mode, bytes }, writtenHash }
        const handle = await open(pathOf(id), 'wx', 0o600)
        try {
          await handle.writeFile(Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), before?.content ?? new Uint8Array()]))
        } catch (error) {
          await unlink(pathOf(id)).catch(() => {})
          throw error
        } finally {
          await handle.close()
        }
        await makeRoom(bytes)
        return id
      }, never),
    forget: async (id) => {
      await unlink(pathOf(id)).catch(() => {})
    },
    changes,
    contentOf: async (id) => (await readEntry(pathOf(id), id, true))?.content,
  }
}

async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined) await chmod(folder, 0o700)
  refuseShared(await lstat(folder), folder)
}

type Entry = { readonly change: Change; readonly content: Uint8Array | undefined }

/** `undefined` for what is gone, half written, or no entry. */
async function readEntry(path: string, id: string, withContent = false): Promise<Entry | undefined> {
  let handle: FileHandle | undefined
  try {
    handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    const stats = await handle.stat()
    if (!stats.isFile() || !isOurs(stats)) return undefined
    const start = Buffer.alloc(Math.min(maxHeadBytes, stats.size))
    const { bytesRead } = await handle.read(start, 0, start.length, 0)
    const end = start.subarray(0, bytesRead).indexOf('\n')
    const change = end < 0 ? undefined : changeOf(id, start.toString('utf8', 0, end))
    if (!change || (change.before?.bytes ?? 0) !== stats.size - end - 1) return undefined
    if (!withContent || !change.before) return { change, content: undefined }
    const content = Buffer.alloc(change.before.bytes)
    for (let at = 0; at < content.length;) {
      const { bytesRead: more } = await handle.read(content, at, content.length - at, end + 1 + at)
      if (more === 0) return undefined
      at += more
    }
    return { change, content }
  } catch {
    return undefined
  } finally {
    await handle?.close()
  }
}

function changeOf(id: string, head: string): Change | undefined {
  const said: unknown = JSON.parse(head)
  if (!isObject(said)) return undefined
  const { path, at, before, writtenHash } = said
  if (typeof path !== 'string' || typeof at !== 'number' || typeof writtenHash !== 'string') return undefined
  if (before === undefined) return { id, path, at, before, writtenHash }
  if (!isObject(before) || !Number.isInteger(before['mode']) || !Number.isInteger(before['bytes'])) return undefined
  return { id, path, at, before: { mode: before['mode'] as number, bytes: before['bytes'] as number }, writtenHash }
}

function nothingThere(error: unknown): readonly string[] {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
  throw error
}
