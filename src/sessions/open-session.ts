import type { ToolResultBlock } from '../messages/content.ts'
import { settle } from '../util/abort.ts'
import type { Clock } from '../util/clock.ts'
import { systemClock } from '../util/clock.ts'
import type { Ids } from '../util/ids.ts'
import { randomIds } from '../util/ids.ts'
import type { SessionEntry, SessionRecord } from './entry.ts'
import { recordsOf } from './entry.ts'
import { fromStore } from './from-store.ts'
import type { RestoredSession } from './restore.ts'
import { Effects, restore } from './restore.ts'
import type { Session } from './session.ts'
import { load, storeFailed } from './session.ts'

export type OpenSessionOptions = {
  readonly signal: AbortSignal
  readonly clock?: Clock | undefined
  readonly ids?: Ids | undefined
  /** How long one writing may take, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number | undefined
}

/**
 * Reads a session and opens it for writing.
 *
 * @throws {SessionError}
 */
export async function openSession(session: Session, options: OpenSessionOptions): Promise<OpenSession> {
  const { records, cursor, warnings } = await load(session, options)
  const restored = restore(records, { at: session.at })
  return new OpenSession(session, { ...restored, warnings: [...warnings, ...restored.warnings] }, cursor, options)
}

/**
 * A session that is written to. It goes on from where it was opened: what other processes append to the same id becomes
 * branches beside it, and is seen here only as results and claims.
 */
export class OpenSession {
  readonly id: string
  /** As it was when it was opened. */
  readonly restored: RestoredSession
  readonly #session: Session
  readonly #clock: Clock
  readonly #ids: Ids
  readonly #timeoutMs: number
  readonly #effects: Effects
  /** The record of each claim that was made here. */
  readonly #own = new Map<string, SessionRecord>()
  #leaf: string | null
  #cursor: string
  /** Records that are not known to be stored. Those of a writing that failed are written again with the next. */
  #unsaved: SessionRecord[] = []
  #wantsSync = false
  #isSynced = true
  #writing: Promise<unknown> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(session: Session, restored: RestoredSession, cursor: string, options: Omit<OpenSessionOptions, 'signal'>) {
    this.id = session.id
    this.restored = restored
    this.#session = session
    this.#leaf = restored.leaf
    this.#cursor = cursor
    this.#effects = new Effects(() => {}, restored)
    this.#clock = options.clock ?? systemClock
    this.#ids = options.ids ?? randomIds
    this.#timeoutMs = options.timeoutMs ?? 30_000
  }

  /** The newest record of this branch. */
  get leaf(): string | null {
    return this.#leaf
  }

  /** What calls came to, by idempotency key. */
  get results(): ReadonlyMap<string, ToolResultBlock> {
    return this.#effects.results
  }

  /** Who began which call: the ids of records, by idempotency key. */
  get claims(): ReadonlyMap<string, string> {
    return this.#effects.claims
  }

  /**
   * Appends entries behind those before. Their order is that of the calls; what is appended while a writing is under way shares
   * the next. The promise resolves when they are stored, and need not be waited for: what fails stays here, is tried again with
   * the next writing, and `flush` tells of it.
   *
   * @throws {InputError} at once, when an entry is not plain data.
   */
  append(entries: readonly SessionEntry[], options: { readonly durable?: boolean | undefined } = {}): Promise<void> {
    this.#add(entries)
    return this.#save(options.durable === true)
  }

  /** Resolves when all is stored, and on the disk. Throws what keeps it from being that. */
  async flush(): Promise<void> {
    if (this.#unsaved.length > 0 || !this.#isSynced) await this.#save(true)
  }

  /**
   * Asks for the right to run a call that must not run twice. `true` for one caller alone, in whatever process, and for that
   * one as often as it asks. `false`: somebody has begun it; what it came to is in `results`, or not known.
   */
  async claim(idempotencyKey: string, { signal }: { readonly signal: AbortSignal }): Promise<boolean> {
    const { claims } = this.#effects
    let mine = this.#own.get(idempotencyKey)
    if (!mine) {
      if (claims.has(idempotencyKey) || this.results.has(idempotencyKey)) return false
      mine = this.#add([{ type: 'claim', idempotencyKey }]).at(-1)!
      this.#own.set(idempotencyKey, mine)
    }
    if (!claims.has(idempotencyKey)) {
      await this.#save(true)
      // The order of the log decides, and only the store knows it.
      await this.#catchUp(signal)
    }
    return claims.get(idempotencyKey) === mine.id
  }

  #add(entries: readonly SessionEntry[]): readonly SessionRecord[] {
    const records = recordsOf(entries, { after: this.#leaf, time: this.#clock.now(), ids: this.#ids })
    for (const record of records) {
      this.#unsaved.push(record)
      this.#leaf = record.id
      if (record.entry.type === 'tool_result') this.#effects.take(record)
    }
    return records
  }

  #save(durable: boolean): Promise<void> {
    if (durable) this.#wantsSync = true
    this.#next ??= this.#writeNext()
    const saved = this.#next
    // Who does not wait for it hears of a failure from `flush`.
    void settle(saved)
    return saved
  }

  async #writeNext(): Promise<void> {
    await this.#writing
    this.#next = undefined
    const writing = this.#write()
    this.#writing = settle(writing)
    return await writing
  }

  async #write(): Promise<void> {
    const records = this.#unsaved.slice()
    const durable = this.#wantsSync
    this.#wantsSync = false
    if (records.length === 0 && (this.#isSynced || !durable)) return
    try {
      await this.#bounded((signal) => this.#session.store.append(this.id, records, { durable, signal }))
    } catch (error) {
      this.#wantsSync ||= durable
      throw storeFailed(this, 'written', error)
    }
    this.#unsaved.splice(0, records.length)
    this.#isSynced = durable
  }

  async #catchUp(signal: AbortSignal): Promise<void> {
    const { store } = this.#session
    try {
      const { records, cursor } = await this.#bounded((signal) => store.load(this.id, { after: this.#cursor, signal }), signal)
      for (const record of records) this.#effects.take(record)
      this.#cursor = cursor
    } catch (error) {
      throw storeFailed(this, 'read', error)
    }
  }

  async #bounded<T>(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return await fromStore(this.id, work, { timeoutMs: this.#timeoutMs, clock: this.#clock, signal })
  }
}
