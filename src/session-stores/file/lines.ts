import type { SessionRecord } from '../../sessions/entry.ts'
import { formatVersion, freezeRecord, isSessionRecord } from '../../sessions/entry.ts'
import { checkVersion } from '../../sessions/log.ts'
import { isObject } from '../../util/json.ts'

const format = 'lena-session'

/** The first line of a file: whose it is. Its name may be a shortened form of the id. */
export const headerLine = (session: string): string => `${JSON.stringify({ format, version: formatVersion, session })}\n`

/** The session that a header names, if the line is one. */
export function sessionOf(line: string): string | undefined {
  const value = parsed(line)
  return isObject(value) && value['format'] === format && typeof value['session'] === 'string' ? value['session'] : undefined
}

/** One line for all that is appended at once, so that it is there whole or not at all. */
export function recordLine(records: readonly SessionRecord[]): string {
  // In this order: `recovered` finds a record by how it begins.
  const plain = records.map(({ version, id, parent, time, entry }) => ({ version, id, parent, time, entry }))
  return `${JSON.stringify(plain.length === 1 ? plain[0] : plain)}\n`
}

export type Line = { readonly records: readonly SessionRecord[]; readonly damaged: boolean }

/** What is put behind a writing that was cut. No JSON ends like this, so nothing in that line is taken for a record. */
export const seal = '~\n'

/**
 * @param ended is there a newline behind it?
 * @throws {SessionError} for the header of a newer version: its lines may be of another kind, and would all seem damaged.
 */
export function readLine(text: string, ended: boolean): Line {
  const isSealed = text.endsWith('~')
  const line = isSealed ? text.slice(0, -1) : text
  if (line.trim() === '') return { records: [], damaged: false }
  const value = parsed(line)
  if (isObject(value) && value['format'] === format) {
    if (typeof value['version'] === 'string') checkVersion(value['version'])
    return { records: [], damaged: false }
  }
  const records = recordsIn(value)
  return records ? { records, damaged: false } : { records: ended && !isSealed ? recovered(line) : [], damaged: true }
}

/**
 * A writing that was cut may have another's behind it, on the same line, when both were under way at once. JSON that begins in the midst of other JSON does not
 * end with it, so the first beginning from which the rest of the line can be read is that of the whole record.
 */
function recovered(line: string): readonly SessionRecord[] {
  for (const { index } of line.matchAll(/\{"version":"/g)) {
    const records = (line[index - 1] === '[' ? recordsIn(parsed(line.slice(index - 1))) : undefined) ?? recordsIn(parsed(line.slice(index)))
    if (records) return records
  }
  return []
}

function recordsIn(value: unknown): readonly SessionRecord[] | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.every(isSessionRecord) ? list : undefined
}

/** `undefined` for what is not JSON, or is nested too deep to be sent. */
function parsed(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown
    for (const record of Array.isArray(value) ? (value as readonly unknown[]) : [value]) freezeRecord(record)
    return value
  } catch {
    return undefined
  }
}
