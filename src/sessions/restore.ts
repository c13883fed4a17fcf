import type { ToolResultBlock } from '../messages/content.ts'
import type { Message } from '../messages/message.ts'
import { storedBlocks } from '../messages/stored.ts'
import type { JsonObject } from '../util/json.ts'
import { frozenCopy, isObject } from '../util/json.ts'
import type { SessionEntry, SessionRecord } from './entry.ts'
import { RestoredHistory } from './restored-history.ts'
import type { Warn } from './log.ts'
import { chainTo, placeOf, readLog } from './log.ts'

/** What a session comes to. */
export type RestoredSession = {
  /** The history, frozen. It may end in the middle of a turn: `repair` closes it. */
  readonly messages: readonly Message[]
  readonly state: JsonObject | undefined
  /** What a run that stopped needs to go on. */
  readonly pending: JsonObject | undefined
  /** What calls came to, by idempotency key, on all branches. */
  readonly results: ReadonlyMap<string, ToolResultBlock>
  /** Who began a call, by idempotency key: the id of the record that claims it. On all branches. */
  readonly claims: ReadonlyMap<string, string>
  /** The record that the next one follows; `null` in a new session. */
  readonly leaf: string | null
  /** What could not be read. */
  readonly warnings: readonly string[]
}

/**
 * Follows a log to its newest record, or to `at` (the id of a record or a message). Takes time in proportion to the log.
 *
 * @throws {SessionError} `session_version`: a newer version of the format; `record_not_found`: there is no `at`.
 */
export function restore(records: readonly SessionRecord[], options: { readonly at?: string | undefined } = {}): RestoredSession {
  const warnings = new Set<string>()
  const warn = (text: string): void => void warnings.add(text)
  const log = readLog(records, warn)
  const chain = chainTo(log, placeOf(log, options.at), warn)
  const history = new RestoredHistory(warn)
  let state: unknown
  let pending: unknown
  for (const { id, entry } of chain) {
    if (entry.type === 'message') history.add(entry.message, id)
    else if (entry.type === 'amend') history.replace(entry.message, entry.replaces, id)
    else if (entry.type === 'compaction') history.compact(entry.messages, id)
    else if (entry.type === 'state') state = entry.state
    else if (entry.type === 'pending') pending = entry.checkpoint
    else if (entry.type !== 'tool_result' && entry.type !== 'claim')
      warn(`entries of the type "${String((entry as { type: unknown }).type)}" are not known to this version; they are left out`)
  }
  const effects = new Effects(warn)
  for (const record of log.records) effects.take(record)
  const { results, claims } = effects
  return {
    messages: history.messages,
    state: objectOf(state),
    pending: objectOf(pending),
    results,
    claims,
    leaf: chain.at(-1)?.id ?? null,
    warnings: [...warnings],
  }
}

const objectOf = (value: unknown): JsonObject | undefined => (isObject(value) ? frozenCopy(value as JsonObject) : undefined)

/** What was done, whichever branch it was done on. */
export class Effects {
  readonly results: Map<string, ToolResultBlock>
  readonly claims: Map<string, string>
  readonly #warn: Warn

  constructor(warn: Warn, { results, claims }: Partial<Pick<RestoredSession, 'results' | 'claims'>> = {}) {
    this.#warn = warn
    this.results = new Map(results)
    this.claims = new Map(claims)
  }

  /** Records in the order of the log; the same ones may come again. */
  take({ id, entry }: SessionRecord): void {
    if (entry.type === 'claim') {
      if (!this.claims.has(entry.idempotencyKey)) this.claims.set(entry.idempotencyKey, id)
    } else if (entry.type === 'tool_result') this.#takeResult(entry, id)
  }

  #takeResult({ idempotencyKey, result }: SessionEntry & { readonly type: 'tool_result' }, id: string): void {
    try {
      // The newest: a hook may have had the call run again.
      this.results.set(idempotencyKey, storedBlocks([result], 'user', `the record ${id}`)[0]!)
    } catch (error) {
      this.#warn(`${error instanceof Error ? error.message : String(error)} The result is left out`)
    }
  }
}
