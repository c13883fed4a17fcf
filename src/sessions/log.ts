import { SessionError } from '../errors.ts'
import type { SessionRecord } from './entry.ts'
import { formatVersion, isSessionRecord } from './entry.ts'

/** Records that can be read, each once, and where each stands. */
export type Log = {
  readonly records: readonly SessionRecord[]
  readonly places: ReadonlyMap<string, number>
}
export type Warn = (text: string) => void

const ownMajor = majorOf(formatVersion)!

/**
 * Leaves out what is no record, and what was written twice because nobody knew whether the first writing had succeeded.
 *
 * @throws {SessionError} with the code `session_version` when a newer version of the format wrote some of it.
 */
export function readLog(given: readonly unknown[], warn: Warn): Log {
  const records: SessionRecord[] = []
  const places = new Map<string, number>()
  given.forEach((record, index) => {
    if (!isSessionRecord(record) || !checkVersion(record.version)) return warn(`record ${index + 1} is not one; it is left out`)
    if (places.has(record.id)) return
    places.set(record.id, records.length)
    records.push(record)
  })
  return { records, places }
}

/**
 * Can that version be read? `false` for what is no version.
 *
 * @throws {SessionError} with the code `session_version` for a newer one.
 */
export function checkVersion(version: string): boolean {
  const major = majorOf(version)
  if (major !== undefined && major > ownMajor)
    throw new SessionError(
      `The session was written in version ${version} of the format, and this lena-agent reads ${formatVersion}. Update lena-agent.`,
      { code: 'session_version' },
    )
  return major !== undefined
}

function majorOf(version: string): number | undefined {
  const [, major] = /^(\d{1,6})\.\d{1,6}$/.exec(version) ?? []
  return major === undefined ? undefined : Number(major)
}

/**
 * Where the parent of a record stands, -1 for the first. A parent that is lost, or that stands behind its child, is replaced by
 * the record before: most likely that was its parent.
 */
function parentOf(log: Log, place: number, warn: Warn): number {
  const { id, parent } = log.records[place]!
  if (parent === null) return -1
  const found = log.places.get(parent)
  if (found !== undefined && found < place) return found
  warn(`the record ${id} follows ${parent}, which is not before it; it is put behind the record before it`)
  return place - 1
}

/** From the first record to this one. */
export function chainTo(log: Log, place: number, warn: Warn): readonly SessionRecord[] {
  const chain: SessionRecord[] = []
  for (let at = place; at >= 0; at = parentOf(log, at, warn)) chain.push(log.records[at]!)
  return chain.reverse()
}

/**
 * Where a record stands: the newest when none is named, else the one of that id, else the newest that holds the message of
 * that id. -1 when there is none at all.
 */
export function placeOf(log: Log, at: string | undefined): number {
  // What follows another stands behind it, so the last record is the newest leaf.
  if (at === undefined) return log.records.length - 1
  const place = log.places.get(at) ?? log.records.findLastIndex(({ entry }) => 'message' in entry && entry.message?.id === at)
  if (place >= 0) return place
  throw new SessionError(
    `The session has no record and no message of the id "${at}". \`session.branches()\` names the ends of its branches.`,
    {
      code: 'record_not_found',
    },
  )
}

/** A line of records that nothing follows. */
export type SessionBranch = {
  /** The id of its last record. */
  readonly leaf: string
  /** When that was written, in milliseconds since the epoch. */
  readonly time: number
  /** The record where it left another branch; `null` when it left none. */
  readonly forkedAt: string | null
}

/** All branches, the newest first: that is the one which is followed. */
export function branchesOf(log: Log, warn: Warn): readonly SessionBranch[] {
  const parents = log.records.map((_, place) => parentOf(log, place, warn))
  const children = new Map<number, number>()
  for (const parent of parents) children.set(parent, (children.get(parent) ?? 0) + 1)
  const forks: (string | null)[] = []
  parents.forEach((parent, place) => {
    const isFork = parent >= 0 && children.get(parent)! > 1
    forks[place] = isFork ? log.records[parent]!.id : parent >= 0 ? forks[parent]! : null
  })
  return log.records
    .map(({ id, time }, place) => ({ leaf: id, time, forkedAt: forks[place]! }))
    .filter((_, place) => !children.has(place))
    .reverse()
}
