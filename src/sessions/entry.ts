import { InputError } from '../errors.ts'
import type { ToolResultBlock } from '../messages/content.ts'
import type { Message } from '../messages/message.ts'
import type { Ids } from '../util/ids.ts'
import type { JsonObject } from '../util/json.ts'
import { freezeOwn, frozenCopy, isObject } from '../util/json.ts'
import type { KeptMessages } from './compaction.ts'

/** One thing that happened in a session. */
export type SessionEntry =
  | { readonly type: 'message'; readonly message: Message }
  /** The message takes the place of another. */
  | { readonly type: 'amend'; readonly message: Message; readonly replaces: string }
  /** A call has ended. It holds on every branch, because what a tool did is done. */
  | { readonly type: 'tool_result'; readonly idempotencyKey: string; readonly result: ToolResultBlock }
  /** Somebody begins a call that must not run twice. The first claim of a key in the log has it, on every branch. */
  | { readonly type: 'claim'; readonly idempotencyKey: string }
  /** The whole state; the newest counts. */
  | { readonly type: 'state'; readonly state: JsonObject }
  /** What a run that stopped needs to go on, without the history, which is here already. `null`: nothing is pending any more. */
  | { readonly type: 'pending'; readonly checkpoint: JsonObject | null }
  /** A new history in the place of the old one. What stays of the old one is named, not written again. */
  | { readonly type: 'compaction'; readonly messages: readonly (Message | KeptMessages)[] }

/** An entry as it is stored: named, dated, and behind another. */
export type SessionRecord = {
  /** Of the format, `major.minor`. A newer minor one adds entries and fields, a newer major one cannot be read. */
  readonly version: string
  readonly id: string
  /** The record that it follows; `null` for the first. Two records with one parent begin two branches. */
  readonly parent: string | null
  /** Milliseconds since the epoch. */
  readonly time: number
  readonly entry: SessionEntry
}

export const formatVersion = '1.0'

/** Entries as records, each behind the one before it. */
export function recordsOf(
  entries: readonly SessionEntry[],
  { after, time, ids }: { readonly after: string | null; readonly time: number; readonly ids: Ids },
): readonly SessionRecord[] {
  let parent = after
  return entries.map((entry) => {
    const id = ids.next('record')
    const record: SessionRecord = freezeOwn({ version: formatVersion, id, parent, time, entry: plainEntry(entry) })
    parent = id
    return record
  })
}

/**
 * Freezes a record that a store has read, and shares with nobody. What a session is restored from is shared from then on: its
 * messages, a result, a state; of their parts nothing is remembered, which is dear where there are millions.
 *
 * @throws {TypeError} when it is nested too deep to be sent.
 */
export function freezeRecord(value: unknown): void {
  const entry = isObject(value) && isObject(value['entry']) ? value['entry'] : {}
  const { messages } = entry
  for (const part of Array.isArray(messages) ? (messages as readonly unknown[]) : []) freezeOwn(part)
  for (const name of ['message', 'result', 'state', 'checkpoint']) freezeOwn(entry[name])
  freezeOwn(value, 'nothing')
}

/** Messages are frozen and shared already, so this copies nothing but what is new. */
function plainEntry(entry: SessionEntry): SessionEntry {
  try {
    return frozenCopy(entry, entry.type)
  } catch (cause) {
    throw new InputError(`A session keeps plain data. ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** Does it look like a record, of whatever version? */
export function isSessionRecord(value: unknown): value is SessionRecord {
  return (
    isObject(value) &&
    typeof value['version'] === 'string' &&
    typeof value['id'] === 'string' &&
    value['id'] !== '' &&
    (value['parent'] === null || typeof value['parent'] === 'string') &&
    typeof value['time'] === 'number' &&
    isObject(value['entry']) &&
    typeof value['entry']['type'] === 'string'
  )
}
