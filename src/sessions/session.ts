import { InputError, SessionError } from '../errors.ts'
import { describe } from '../messages/stored.ts'
import { didYouMean } from '../util/text.ts'
import type { Clock } from '../util/clock.ts'
import { systemClock } from '../util/clock.ts'
import { aSignal, aText, checkOptions } from '../util/check-options.ts'
import { randomIds } from '../util/ids.ts'
import { isObject } from '../util/json.ts'
import { effectsFor } from './forked.ts'
import { fromStore } from './from-store.ts'
import type { SessionBranch } from './log.ts'
import { branchesOf, chainTo, placeOf, readLog } from './log.ts'
import type { RestoredSession } from './restore.ts'
import { restore } from './restore.ts'
import { checkSessionId } from './session-id.ts'
import type { SessionStore } from './session-store.ts'

export type SessionOptions = {
  /** Its name in the store: 1 to 200 characters. */
  readonly id: string
  readonly store: SessionStore
  /** Where to go on from: the id of a record or a message. Default: the newest record. */
  readonly at?: string | undefined
}
type WithSignal = { readonly signal?: AbortSignal | undefined }

/** How long a store may take for a whole session, in milliseconds: one may be large, and the store far away. */
const wholeMs = 120_000

/** One conversation in a store. Nothing is read before it is used. */
export class Session {
  readonly id: string
  readonly store: SessionStore
  readonly at: string | undefined

  /** @throws {InputError} */
  constructor(options: SessionOptions) {
    if (!isObject(options)) throw new InputError(`new Session() needs { id, store }, got ${describe(options)}.`)
    const known = ['id', 'store', 'at']
    const wrong = Object.keys(options).find((key) => !known.includes(key))
    if (wrong !== undefined) throw new InputError(`There is no option "${wrong}" of a session.${didYouMean(wrong, known)}`)
    checkSessionId(options.id)
    if (typeof options.store?.load !== 'function' || typeof options.store.append !== 'function')
      throw new InputError(`\`store\` must be a session store such as memorySessions(), got ${describe(options.store)}.`)
    if (options.at !== undefined && typeof options.at !== 'string')
      throw new InputError(`\`at\` must be the id of a record or a message, got ${describe(options.at)}.`)
    this.id = options.id
    this.store = options.store
    this.at = options.at
  }

  /**
   * What the session comes to now, without opening it.
   *
   * @throws {SessionError} `session_version`, `record_not_found`, or `session_failed` when the store cannot be read.
   */
  async restore(options: WithSignal = {}): Promise<RestoredSession> {
    checkOptions('restore', options, { signal: aSignal })
    const { records, warnings } = await load(this, options)
    const restored = restore(records, { at: this.at })
    return { ...restored, warnings: [...warnings, ...restored.warnings] }
  }

  /** Its branches, the newest first. Processes that wrote at the same time made one each. */
  async branches(options: WithSignal = {}): Promise<readonly SessionBranch[]> {
    checkOptions('branches', options, { signal: aSignal })
    const { records } = await load(this, options)
    return branchesOf(readLog(records, ignore), ignore)
  }

  /**
   * A new session with the history of this one up to `at` (default: this session's own, else the newest record). What is
   * appended to one of them is not seen by the other. Calls that were under way there or done are not run again in the copy.
   *
   * @throws {SessionError} `session_exists` when the new id is taken.
   */
  async fork(options: { readonly id: string; readonly at?: string | undefined } & WithSignal): Promise<Session> {
    checkOptions('fork', options, { id: aText, at: aText, signal: aSignal })
    const fork = new Session({ id: options.id, store: this.store })
    const [{ records }, there] = await Promise.all([load(this, options), load(fork, options)])
    if (there.records.length > 0)
      throw new SessionError(`There is a session "${fork.id}" already. Give the fork another id.`, { code: 'session_exists' })
    const log = readLog(records, ignore)
    const at = options.at ?? this.at
    const chain = chainTo(log, placeOf(log, at), ignore)
    const effects = effectsFor(records, { from: this.id, to: fork.id, at, time: systemClock.now(), ids: randomIds })
    try {
      const append = (signal: AbortSignal): Promise<void> => this.store.append(fork.id, [...chain, ...effects], { durable: true, signal })
      await fromStore(fork.id, append, { timeoutMs: wholeMs, clock: systemClock, signal: signalOf(options) })
    } catch (error) {
      throw storeFailed(fork, 'written', error)
    }
    return fork
  }
}

const ignore = (): void => {}
const signalOf = ({ signal }: WithSignal): AbortSignal => signal ?? new AbortController().signal

/** @throws {SessionError} */
export async function load(
  session: Session,
  options: WithSignal & { readonly clock?: Clock | undefined },
): ReturnType<SessionStore['load']> {
  const { clock = systemClock } = options
  try {
    const whole = (signal: AbortSignal): ReturnType<SessionStore['load']> => session.store.load(session.id, { signal })
    return await fromStore(session.id, whole, { timeoutMs: wholeMs, clock, signal: signalOf(options) })
  } catch (error) {
    throw storeFailed(session, 'read', error)
  }
}

export function storeFailed({ id }: { readonly id: string }, what: 'read' | 'written', cause: unknown): Error {
  if (cause instanceof SessionError) return cause
  return new SessionError(`The session "${id}" could not be ${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
}
