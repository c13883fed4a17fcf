import { InputError, SessionError } from '../../errors.ts'
import { describe } from '../../messages/stored.ts'
import type { OwnSessionStore, SessionInfo } from '../../sessions/session-store.ts'
import { checkAppend, checkList, checkLoad, checkRemove } from '../../sessions/store-calls.ts'
import { reasonOf, settle } from '../../util/abort.ts'
import { isObject } from '../../util/json.ts'
import type { Row, Tables } from '../rows.ts'
import { checkNames, logOf, rowAfter, tablesOf, textsOf } from '../rows.ts'
import type { SqliteDatabase } from './database.ts'
import { pragma, transaction } from './database.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open-database.ts'

export type SqliteSessionsOptions = {
  /** The database file, made when it is needed, for its user alone. Or `:memory:`. */
  readonly path?: string | undefined
  /** One that is open already, of `node:sqlite`, `better-sqlite3` or `libsql`. It is not closed here. */
  readonly database?: SqliteDatabase | undefined
  /** How the names of the tables begin. Default `lena_sessions`. */
  readonly table?: string | undefined
  /** How long a writing waits for those of others, in milliseconds. With `path` only. Default 5,000. */
  readonly busyMs?: number | undefined
}

const now = `CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)`
const full = 2

/**
 * Sessions in a SQLite database, which several processes may share. Dispose of it to close the file.
 *
 * Needs Node 22.13, or one of the packages `better-sqlite3` and `libsql`; the first that is found is used, in this order.
 * The file is opened at the first use.
 *
 * @throws {InputError}
 */
export function sqliteSessions(options: SqliteSessionsOptions): OwnSessionStore & AsyncDisposable {
  checkOptions(options)
  const tables = tablesOf(options.table)
  let opening: Promise<SqliteDatabase> | undefined
  let isClosed = false

  const open = async (): Promise<SqliteDatabase> => {
    const database = options.database ?? (await openDatabase(options.path!, options.busyMs ?? 5000))
    try {
      migrate(database, tables)
      return database
    } catch (error) {
      if (!options.database) database.close()
      throw error
    }
  }
  const begin = async (signal: AbortSignal): Promise<SqliteDatabase> => {
    if (signal.aborted) throw reasonOf(signal)
    checkOpen(isClosed)
    opening ??= open()
    const mine = opening
    const outcome = await settle(mine)
    // What failed once may succeed later.
    if (!outcome.ok && opening === mine) opening = undefined
    if (signal.aborted) throw reasonOf(signal)
    checkOpen(isClosed)
    if (!outcome.ok) throw outcome.error
    return outcome.value
  }

  return {
    async load(id, options) {
      const { after, signal } = checkLoad(id, options)
      const database = await begin(signal)
      const from = rowAfter(after)
      const select = database.prepare(`SELECT "row", record FROM ${tables.records} WHERE session = ? AND "row" > ? ORDER BY "row"`)
      return logOf(select.all(id, Number(from)) as Row[], from)
    },
    async append(id, given, options) {
      const { records, durable, signal } = checkAppend(id, given, options)
      const texts = textsOf(records)
      const database = await begin(signal)
      if (durable) synced(database, () => write(database, tables, id, texts))
      else write(database, tables, id, texts)
    },
    async list(options) {
      const signal = checkList(options)
      const database = await begin(signal)
      const select = database.prepare(`SELECT id, updated FROM ${tables.sessions} ORDER BY updated DESC, rowid DESC`)
      // Plain objects, whatever the library makes of a row.
      return (select.all() as SessionInfo[]).map(({ id, updated }) => ({ id, updated }))
    },
    async remove(id, options) {
      const signal = checkRemove(id, options)
      const database = await begin(signal)
      transaction(database, () => {
        database.prepare(`DELETE FROM ${tables.records} WHERE session = ?`).run(id)
        database.prepare(`DELETE FROM ${tables.sessions} WHERE id = ?`).run(id)
      })
    },
    async [Symbol.asyncDispose]() {
      if (isClosed) return
      isClosed = true
      // One that could not be opened is not open.
      const database = await opening?.catch(() => undefined)
      if (!options.database) database?.close()
    },
  }
}

function write(database: SqliteDatabase, { sessions, records }: Tables, id: string, texts: readonly string[]): void {
  transaction(database, () => {
    // Nothing to write, only to be synced: a change of something, since SQLite does not sync a commit that changed nothing.
    if (texts.length === 0) return void database.prepare(`UPDATE ${sessions} SET syncs = syncs + 1 WHERE id = ?`).run(id)
    database
      .prepare(`INSERT INTO ${sessions} (id, updated) VALUES (?, ${now}) ON CONFLICT (id) DO UPDATE SET updated = excluded.updated`)
      .run(id)
    const insert = database.prepare(`INSERT INTO ${records} (session, record) VALUES (?, ?)`)
    for (const text of texts) insert.run(id, text)
  })
}

/** A commit in here is on the disk, and with it all before. */
function synced(database: SqliteDatabase, work: () => void): void {
  const before = Number(pragma(database, 'synchronous'))
  if (before >= full) return work()
  database.exec(`PRAGMA synchronous = ${full}`)
  try {
    work()
  } finally {
    database.exec(`PRAGMA synchronous = ${before}`)
  }
}

function checkOpen(isClosed: boolean): void {
  if (isClosed) throw new SessionError('This store of sessions has been disposed of. Make a new one.', { code: 'session_closed' })
}

function checkOptions(options: SqliteSessionsOptions): void {
  const { path, database, busyMs } = isObject(options) ? options : {}
  const hasPath = typeof path === 'string' && path !== ''
  if (hasPath === isObject(database))
    throw new InputError(
      `sqliteSessions() needs a file or an open database: { path: '/path.db' } or { database }, got ${describe(path ?? options)}.`,
    )
  checkNames(options, ['path', 'database', 'table', 'busyMs'], 'sqliteSessions()')
  if (busyMs !== undefined && !(Number.isSafeInteger(busyMs) && busyMs >= 0 && busyMs < 2 ** 31))
    throw new InputError(`\`busyMs\` is a whole number of milliseconds, got ${describe(busyMs)}.`)
}
