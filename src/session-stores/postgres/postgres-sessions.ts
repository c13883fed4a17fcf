import { InputError, SessionError } from '../../errors.ts'
import { describe } from '../../messages/stored.ts'
import type { OwnSessionStore } from '../../sessions/session-store.ts'
import { checkAppend, checkList, checkLoad, checkRemove } from '../../sessions/store-calls.ts'
import { reasonOf, settle, settleOrAbort } from '../../util/abort.ts'
import { isObject } from '../../util/json.ts'
import type { Row } from '../rows.ts'
import { checkNames, logOf, rowAfter, tablesOf, textsOf } from '../rows.ts'
import { migrate } from './migrate.ts'
import type { OwnPool, PostgresPool } from './pool.ts'
import { makePool } from './pool.ts'
import { statements } from './statements.ts'

export type PostgresSessionsOptions = {
  /** `postgres://user:password@host:5432/database`. */
  readonly connectionString?: string | undefined
  /** A pool of `pg` that is there already. It is not ended here; listen for its `error` events. */
  readonly pool?: PostgresPool | undefined
  /** How the names of the tables begin. Default `lena_sessions`. */
  readonly table?: string | undefined
  /** How long a connection or a query may take, in milliseconds. With `connectionString` only. Default 30,000. */
  readonly timeoutMs?: number | undefined
}

/**
 * Sessions in a PostgreSQL database, version 12 or later. Dispose of it to end its connections.
 *
 * Needs the package `pg`. It connects, and makes its tables, at the first use.
 *
 * @throws {InputError}
 */
export function postgresSessions(options: PostgresSessionsOptions): OwnSessionStore & AsyncDisposable {
  checkOptions(options)
  const tables = tablesOf(options.table)
  const sql = statements(tables)
  let own: Promise<OwnPool> | undefined
  let opening: Promise<PostgresPool> | undefined
  let isClosed = false

  const open = async (): Promise<PostgresPool> => {
    const pool = options.pool ?? (await (own ??= makePool(options.connectionString!, options.timeoutMs ?? 30_000)))
    await migrate(pool, tables)
    return pool
  }
  const opened = async (): Promise<PostgresPool> => {
    opening ??= open()
    const mine = opening
    const outcome = await settle(mine)
    if (outcome.ok) return outcome.value
    // The server may be there later.
    if (opening === mine) opening = undefined
    throw outcome.error
  }
  // A query that is left behind goes on; each one is whole or nothing.
  const query = async (text: string, values: unknown[], signal: AbortSignal): Promise<readonly unknown[]> => {
    if (signal.aborted) throw reasonOf(signal)
    checkOpen(isClosed)
    const run = async (): Promise<readonly unknown[]> => {
      const pool = await opened()
      if (signal.aborted) throw reasonOf(signal)
      checkOpen(isClosed)
      return (await pool.query(text, values)).rows
    }
    const outcome = await settleOrAbort(run(), signal)
    if (!outcome) throw reasonOf(signal)
    if (!outcome.ok) throw outcome.error
    return outcome.value
  }

  return {
    async load(id, options) {
      const { after, signal } = checkLoad(id, options)
      const from = rowAfter(after)
      return logOf((await query(sql.load, [id, from], signal)) as readonly Row[], from)
    },
    async append(id, given, options) {
      const { records, durable, signal } = checkAppend(id, given, options)
      const texts = textsOf(records)
      if (texts.length > 0) await query(sql.append, [id, texts, durable], signal)
      else if (durable) await query(sql.sync, [id], signal)
    },
    async list(options) {
      const signal = checkList(options)
      const rows = (await query(sql.list, [], signal)) as readonly { readonly id: string; readonly updated: string }[]
      return rows.map(({ id, updated }) => ({ id, updated: Number(updated) }))
    },
    async remove(id, options) {
      const signal = checkRemove(id, options)
      await query(sql.remove, [id], signal)
    },
    async [Symbol.asyncDispose]() {
      if (isClosed) return
      isClosed = true
      await (await own?.catch(() => undefined))?.end()
    },
  }
}

function checkOpen(isClosed: boolean): void {
  if (isClosed) throw new SessionError('This store of sessions has been disposed of. Make a new one.', { code: 'session_closed' })
}

function checkOptions(options: PostgresSessionsOptions): void {
  const { connectionString, pool, timeoutMs } = isObject(options) ? options : {}
  const hasString = typeof connectionString === 'string' && connectionString !== ''
  // What was given instead is not told: it may hold a password.
  if (hasString === isObject(pool))
    throw new InputError(`postgresSessions() needs one of { connectionString: 'postgres://…' } and { pool }.`)
  checkNames(options, ['connectionString', 'pool', 'table', 'timeoutMs'], 'postgresSessions()')
  if (timeoutMs !== undefined && !(Number.isSafeInteger(timeoutMs) && timeoutMs > 0 && timeoutMs < 2 ** 31))
    throw new InputError(`\`timeoutMs\` is a whole number of milliseconds above 0, got ${describe(timeoutMs)}.`)
}
