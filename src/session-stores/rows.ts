import { didYouMean } from '../util/text.ts'
import { InputError } from '../errors.ts'
import { describe } from '../messages/stored.ts'
import type { SessionRecord } from '../sessions/entry.ts'
import { freezeRecord, isSessionRecord } from '../sessions/entry.ts'
import type { SessionLog } from '../sessions/session-store.ts'

/** The version of the tables. */
export const schemaVersion = 1

/** A record as a database keeps it. The row number grows, and is never used again. */
export type Row = { readonly row: number | string; readonly record: string }

/** Records as text. JSON escapes what a database does not take: NUL and halves of surrogate pairs. */
export const textsOf = (records: readonly SessionRecord[]): string[] => records.map((record) => JSON.stringify(record))

/** Where a reading goes on. A cursor of another store begins anew: rather a record twice than none. */
export const rowAfter = (cursor: string | undefined): string => (cursor !== undefined && /^\d{1,15}$/.test(cursor) ? cursor : '0')

export function logOf(rows: readonly Row[], after: string): SessionLog {
  const records: SessionRecord[] = []
  const warnings: string[] = []
  for (const { row, record } of rows) {
    const value = parsed(record)
    if (isSessionRecord(value)) records.push(value)
    else warnings.push(`row ${row} holds no record; it is left out`)
  }
  return { records, cursor: String(rows.at(-1)?.row ?? after), warnings }
}

function parsed(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown
    freezeRecord(value)
    return value
  } catch {
    return undefined
  }
}

/** The names of the tables, quoted. */
export type Tables = { readonly meta: string; readonly sessions: string; readonly records: string; readonly index: string }

/**
 * A name goes into SQL as it is, so it has nothing that could end it.
 *
 * @throws {InputError}
 */
export function tablesOf(table: unknown = 'lena_sessions'): Tables {
  // PostgreSQL cuts names at 63 bytes; two that are alike up to there would be one.
  if (typeof table !== 'string' || !/^[A-Za-z_][A-Za-z0-9_]{0,39}$/.test(table))
    throw new InputError(`\`table\` is a name of 1 to 40 letters, digits and "_", not with a digit first, got ${describe(table)}.`)
  return { meta: `"${table}_meta"`, sessions: `"${table}"`, records: `"${table}_records"`, index: `"${table}_records_by_session"` }
}

/** @throws {InputError} for an option that does not exist. */
export function checkNames(options: object, known: readonly string[], of: string): void {
  const wrong = Object.keys(options).find((name) => !known.includes(name))
  if (wrong !== undefined)
    throw new InputError(`There is no option "${wrong}" of ${of}.${didYouMean(wrong, known)} Known: ${known.join(', ')}.`)
}
