import { didYouMean } from '../../util/text.ts'
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { InputError } from '../../errors.ts'
import { describe } from '../../messages/stored.ts'
import type { SessionRecord } from '../../sessions/entry.ts'
import type { OwnSessionStore, SessionInfo } from '../../sessions/session-store.ts'
import { checkAppend, checkList, checkLoad, checkRemove, countIn } from '../../sessions/store-calls.ts'
import { reasonOf } from '../../util/abort.ts'
import { isObject } from '../../util/json.ts'
import { appendLine, syncFile } from './append-line.ts'
import { fileNameOf } from './file-name.ts'
import { readLine, recordLine, sessionOf } from './lines.ts'
import { readLines } from './read-lines.ts'

export type FileSessionsOptions = {
  /** The folder, made when it is needed, for its user alone. */
  readonly dir: string
  /**
   * When what is written is forced onto the disk. `durable` (the default): when it is asked for, at the end of turns and before
   * a call that must not run twice. Whatever this says, what was appended outlives the process.
   */
  readonly sync?: 'durable' | 'always' | 'never' | undefined
}

/** How many files are looked into at once for a list. */
const filesAtOnce = 32

/**
 * Sessions as files, one of JSON lines for each, append-only. The format is in `docs/sessions.md`.
 *
 * @throws {InputError}
 */
export function fileSessions(options: FileSessionsOptions): OwnSessionStore {
  checkOptions(options)
  const { dir, sync = 'durable' } = options
  const named = new Set<string>()
  const begin = (id: string, signal: AbortSignal): string => {
    if (signal.aborted) throw reasonOf(signal)
    return join(dir, fileNameOf(id))
  }
  return {
    async load(id, options) {
      const { after, signal } = checkLoad(id, options)
      const path = begin(id, signal)
      const records: SessionRecord[] = []
      const warnings: string[] = []
      let cursor = countIn(after)
      for await (const { text, start, next, ended } of readLines(path, cursor, signal)) {
        const line = readLine(text, ended)
        // Another process may be writing it just now: it is read again with the next.
        const isUnderWay = line.damaged && !ended
        cursor = isUnderWay ? start : next
        if (isUnderWay) warnings.push(`${path}: the last line has no end, its writing was cut or is under way; it is left out`)
        else if (line.damaged)
          warnings.push(`${path}: the line at byte ${start} is damaged; ${line.records.length} record(s) of it could be read`)
        // One by one: a fork writes a whole session as one line, and a call takes only so many arguments.
        if (!isUnderWay) for (const record of line.records) records.push(record)
      }
      return { records, cursor: String(cursor), warnings }
    },
    async append(id, given, options) {
      const { records, durable, signal } = checkAppend(id, given, options)
      const path = begin(id, signal)
      const wantsSync = sync === 'always' || (durable && sync !== 'never')
      if (records.length > 0) await appendLine(path, id, recordLine(records), { sync: wantsSync, named, signal })
      else if (wantsSync) await syncFile(path, named)
    },
    async list(options) {
      const signal = checkList(options)
      const infos: SessionInfo[] = []
      const names = await namesIn(dir)
      for (let at = 0; at < names.length; at += filesAtOnce) {
        if (signal.aborted) throw reasonOf(signal)
        const some = await Promise.all(names.slice(at, at + filesAtOnce).map((name) => infoOf(join(dir, name), signal)))
        for (const info of some) if (info) infos.push(info)
      }
      return infos.sort((a, b) => b.updated - a.updated)
    },
    async remove(id, options) {
      await rm(begin(id, checkRemove(id, options)), { force: true })
    },
  }
}

async function namesIn(dir: string): Promise<readonly string[]> {
  try {
    return (await readdir(dir)).filter((name) => name.endsWith('.jsonl'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Nothing for a file that is no session, that was removed meanwhile, or that may not be read: it keeps no other from the list. */
async function infoOf(path: string, signal: AbortSignal): Promise<SessionInfo | undefined> {
  try {
    const info = await stat(path)
    if (!info.isFile()) return undefined
    for await (const { text } of readLines(path, 0, signal)) {
      const id = sessionOf(text)
      if (id !== undefined) return fileNameOf(id) === basename(path) ? { id, updated: info.mtimeMs } : undefined
    }
  } catch (error) {
    if (signal.aborted || !isOfTheFile(error)) throw error
  }
  return undefined
}

/** Not of the process, such as too many open files: then the whole list would be wrong. */
const isOfTheFile = (error: unknown): boolean =>
  ['ENOENT', 'EACCES', 'EPERM', 'ELOOP', 'EIO'].includes((error as NodeJS.ErrnoException).code ?? '')

function checkOptions(options: FileSessionsOptions): void {
  if (!isObject(options) || typeof options.dir !== 'string' || options.dir === '')
    throw new InputError(`fileSessions() needs a folder: { dir: '/path' }, got ${describe(isObject(options) ? options.dir : options)}.`)
  const { dir: _, sync, ...others } = options
  const [wrong] = Object.keys(others)
  if (wrong !== undefined)
    throw new InputError(`There is no option "${wrong}" of fileSessions().${didYouMean(wrong, ['dir', 'sync'])} Known: dir, sync.`)
  if (sync !== undefined && !['durable', 'always', 'never'].includes(sync))
    throw new InputError(`\`sync\` is "durable", "always" or "never", got ${describe(sync)}.`)
}
