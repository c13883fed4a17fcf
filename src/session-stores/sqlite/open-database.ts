import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AgentError } from '../../errors.ts'
import type { SqliteDatabase } from './database.ts'
import { pragma } from './database.ts'

// Widened: this project has not its types.
const betterSqlite: string = 'better-sqlite3'

type Open = new (path: string) => SqliteDatabase

/** Opens a database file, made for its user alone when it is not there. */
export async function openDatabase(path: string, busyMs: number): Promise<SqliteDatabase> {
  const Database = await findLibrary()
  if (path !== ':memory:') await makeFile(path)
  const database = new Database(path)
  try {
    database.exec(`PRAGMA busy_timeout = ${busyMs}`)
    useWriteAheadLog(database)
    // A commit outlives the process. `durable` asks for more.
    database.exec('PRAGMA synchronous = NORMAL')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** With it readers and a writer do not wait for each other. The file remembers it. */
function useWriteAheadLog(database: SqliteDatabase): void {
  if (pragma(database, 'journal_mode') === 'wal') return
  try {
    pragma(database, 'journal_mode = WAL')
  } catch (error) {
    // Another process is at it in this moment. Without it all is right too, only slower.
    if (!(error instanceof Error) || !/locked|busy/i.test(error.message)) throw error
  }
}

// SQLite gives its other files the mode of this one.
async function makeFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const handle = await open(path, 'a', 0o600)
  await handle.close()
}

/** What Node has built in, else what is installed. */
async function findLibrary(): Promise<Open> {
  const builtin: { readonly DatabaseSync?: Open } | undefined = process.getBuiltinModule?.('node:sqlite')
  if (builtin?.DatabaseSync) return builtin.DatabaseSync
  const found = (await import(betterSqlite).catch(absent(betterSqlite))) ?? (await import('libsql').catch(absent('libsql')))
  if (found) return (found as { readonly default: Open }).default
  throw new AgentError(
    'SQLite sessions need Node 22.13 or later, or one of the packages "better-sqlite3" and "libsql": npm install better-sqlite3',
    { code: 'missing_package' },
  )
}

/** Only the package itself: one that is there and broken must say so. Vite puts an error of its own in the place of an absent peer. */
const absent =
  (name: string) =>
  (error: unknown): undefined => {
    const said = error instanceof Error ? error.message : ''
    if (said.startsWith(`Cannot find package '${name}'`) || said.startsWith(`Could not resolve "${name}"`)) return undefined
    throw error
  }
