/** What is needed of a SQLite library. `node:sqlite`, `better-sqlite3` and `libsql` have it. */
export interface SqliteDatabase {
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
  close(): unknown
}

export interface SqliteStatement {
  run(...values: SqliteValue[]): unknown
  get(...values: SqliteValue[]): unknown
  all(...values: SqliteValue[]): unknown[]
}

export type SqliteValue = string | number | null

/** Runs `work` whole or not at all, and alone: it waits for other writers first, not in the midst, where SQLite would refuse. */
export function transaction(database: SqliteDatabase, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    try {
      database.exec('ROLLBACK')
    } catch {
      // After some errors SQLite has rolled back by itself. The first error is the one to tell.
    }
    throw error
  }
}

/** The one value of a pragma. */
export function pragma(database: SqliteDatabase, name: string): unknown {
  // Not `get`: libsql adds a field to its row.
  const [row] = database.prepare(`PRAGMA ${name}`).all()
  return typeof row === 'object' && row !== null ? Object.values(row)[0] : undefined
}
