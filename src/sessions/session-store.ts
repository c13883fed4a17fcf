import type { SessionRecord } from './entry.ts'

export type SessionLog = {
  /** In the order in which they were appended. Of two records with one id the first counts. */
  readonly records: readonly SessionRecord[]
  /** Where the next reading goes on. */
  readonly cursor: string
  /** What could not be read, and where. */
  readonly warnings: readonly string[]
}

export type SessionInfo = {
  readonly id: string
  /** When something was last appended, in milliseconds since the epoch. */
  readonly updated: number
}

/**
 * Where sessions are kept: one append-only log of records for each id. It knows nothing of what the records mean; who reads
 * them follows their parents. `sessionStoreConformance` of `lena-agent/testing` checks an implementation.
 *
 * Several processes may append to one id at the same time. None waits for another longer than its write takes, none
 * fails because of another, and all see the records in one order.
 */
export interface SessionStore {
  /**
   * The log of a session, empty when there is none of that id. With `after`, the cursor of an earlier reading, only what came
   * behind that: it may give a record again, but it leaves none out.
   */
  load(id: string, options: { readonly after?: string | undefined; readonly signal: AbortSignal }): Promise<SessionLog>
  /**
   * Puts records at the end of the log: all of them or none. When it resolves they survive the end of the process; with `durable`
   * they, and all that was appended before them, survive a power cut too. No records and `durable`: only that.
   */
  append(
    id: string,
    records: readonly SessionRecord[],
    options: { readonly durable?: boolean | undefined; readonly signal: AbortSignal },
  ): Promise<void>
  /** All sessions, the last changed first. */
  list?(options: { readonly signal: AbortSignal }): Promise<readonly SessionInfo[]>
  /** Forgets a session; nothing happens when there is none of that id. */
  remove?(id: string, options: { readonly signal: AbortSignal }): Promise<void>
}

export type StoreOptions = { readonly signal?: AbortSignal | undefined }
export type LoadOptions = StoreOptions & { readonly after?: string | undefined }
export type AppendOptions = StoreOptions & { readonly durable?: boolean | undefined }

/**
 * A store that comes with Lena. An agent always gives a signal; a program that calls the store by hand may leave it out, and all
 * options with it: `await store.list()`.
 *
 * @throws {InputError} (each method) that says what was expected and what came.
 */
export interface OwnSessionStore extends SessionStore {
  load(id: string, options?: LoadOptions): Promise<SessionLog>
  append(id: string, records: readonly SessionRecord[], options?: AppendOptions): Promise<void>
  list(options?: StoreOptions): Promise<readonly SessionInfo[]>
  remove(id: string, options?: StoreOptions): Promise<void>
}
