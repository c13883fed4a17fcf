import { SessionError } from '../../errors.ts'
import type { Tables } from '../rows.ts'
import { schemaVersion } from '../rows.ts'
import type { SqliteDatabase } from './database.ts'
import { transaction } from './database.ts'

/** Makes the tables when they are not there. Two processes may do so at once: the second one finds them. */
export function migrate(database: SqliteDatabase, tables: Tables): void {
  const name = tables.meta.slice(1, -1)
  const there = database.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get(name)
  if (there === undefined || there === null) transaction(database, () => makeTables(database, tables))
  const meta = database.prepare(`SELECT version FROM ${tables.meta}`).get() as { readonly version: number } | undefined
  if (meta?.version === schemaVersion) return
  throw new SessionError(
    `The tables ${tables.sessions} have the version ${meta?.version}, and this lena-agent knows ${schemaVersion}. Update lena-agent.`,
    { code: 'session_version' },
  )
}

function makeTables(database: SqliteDatabase, { meta, sessions, records, index }: Tables): void {
  database.exec(`CREATE TABLE IF NOT EXISTS ${meta} (only INTEGER PRIMARY KEY CHECK (only = 1), version INTEGER NOT NULL)`)
  database.exec(`CREATE TABLE IF NOT EXISTS ${sessions} (id TEXT PRIMARY KEY, updated INTEGER NOT NULL, syncs INTEGER NOT NULL DEFAULT 0)`)
  // AUTOINCREMENT: a cursor must not point behind new records because old ones were removed.
  database.exec(
    `CREATE TABLE IF NOT EXISTS ${records} ("row" INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, record TEXT NOT NULL)`,
  )
  database.exec(`CREATE INDEX IF NOT EXISTS ${index} ON ${records} (session, "row")`)
  database.exec(`INSERT OR IGNORE INTO ${meta} (only, version) VALUES (1, ${schemaVersion})`)
}
