import { InputError } from '../errors.ts'
import { aBoolean, aSignal, aText, checkOptions } from '../util/check-options.ts'
import type { RulesOf } from '../util/check-options.ts'
import { describe } from '../util/describe.ts'
import { frozenCopy } from '../util/json.ts'
import type { SessionRecord } from './entry.ts'
import { isSessionRecord } from './entry.ts'
import { checkSessionId } from './session-id.ts'
import type { AppendOptions, LoadOptions, StoreOptions } from './session-store.ts'

// What a store that comes with Lena is called with, checked: the agent's own calls are right, those of a program may not be.

// One table for all: a store around another may hand on what it was given for a call of another kind.
const rules: RulesOf<LoadOptions & AppendOptions> = { signal: aSignal, after: aText, durable: aBoolean }
const signalOf = ({ signal }: StoreOptions): AbortSignal => signal ?? new AbortController().signal

/** @throws {InputError} */
export function checkLoad(id: unknown, options: LoadOptions = {}): { readonly after: string | undefined; readonly signal: AbortSignal } {
  checkSessionId(id)
  checkOptions('load', options, rules)
  return { after: options.after, signal: signalOf(options) }
}

/** @throws {InputError} */
export function checkAppend(
  id: unknown,
  records: unknown,
  options: AppendOptions = {},
): { readonly records: readonly SessionRecord[]; readonly durable: boolean; readonly signal: AbortSignal } {
  checkSessionId(id)
  checkOptions('append', options, rules)
  return { records: recordsGiven(records), durable: options.durable ?? false, signal: signalOf(options) }
}

/** @throws {InputError} */
export function checkList(options: StoreOptions = {}): AbortSignal {
  checkOptions('list', options, rules)
  return signalOf(options)
}

/** @throws {InputError} */
export function checkRemove(id: unknown, options: StoreOptions = {}): AbortSignal {
  checkSessionId(id)
  checkOptions('remove', options, rules)
  return signalOf(options)
}

/** The store's own. Those that a session made are frozen and shared already, so this copies nothing of them. */
function recordsGiven(given: unknown): readonly SessionRecord[] {
  if (!Array.isArray(given)) throw new InputError(`append() needs a list of session records, got ${describe(given)}.`)
  const wrong = given.findIndex((record) => !isSessionRecord(record))
  if (wrong >= 0)
    throw new InputError(
      `append() needs session records { version, id, parent, time, entry }, got ${describe(given[wrong])} at ${wrong}. An agent with a session writes them; ` +
        'records that a store has loaded can be appended as they are.',
    )
  try {
    return frozenCopy(given as readonly SessionRecord[], 'records')
  } catch (cause) {
    throw new InputError(`A session keeps plain data. ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** Where a reading goes on, as a count. A cursor of another store begins anew: rather a record twice than none. */
export const countIn = (cursor: string | undefined): number => (cursor !== undefined && /^\d{1,15}$/.test(cursor) ? Number(cursor) : 0)
