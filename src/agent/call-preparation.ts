import type { ToolUseBlock } from '../messages/content.ts'
import type { CallEnvironment, PreparedCall } from '../tools/call-environment.ts'
import { gatesAllowEarly } from '../tools/judge.ts'
import { prepareCall } from '../tools/run-call.ts'
import type { ScheduledCall } from '../tools/strategies.ts'
import { settle } from '../util/abort.ts'

/**
 * Brings calls behind their hooks, which may change what will run. When that may not run beside what was allowed for the call
 * as it was, the call goes back to the schedule with its new flags, and with it those behind it that have not begun: no call
 * overtakes an unsafe one before it.
 */
export class CallPreparation {
  readonly #env: CallEnvironment
  readonly #known = new Map<string, PreparedCall>()
  readonly #under = new Map<number, Promise<unknown>>()
  readonly #gone = new Set<number>()
  readonly #mustWait = new Set<string>()

  constructor(env: CallEnvironment) {
    this.#env = env
  }

  /** @param early does the message of the call still go on? Then only what reads, and needs nobody's leave, may begin. */
  async prepare(scheduled: ScheduledCall, call: ToolUseBlock, early: boolean): Promise<PreparedCall | { readonly again: ScheduledCall }> {
    const { index, id } = scheduled
    this.#gone.delete(index)
    const known = this.#known.get(id)
    // Once is enough: a strategy of the user's may want it so.
    if (known && sameCall(known.toolUse, call)) return known
    const preparing = early ? this.#prepareEarly(call) : prepareCall(call, this.#env)
    this.#under.set(index, settle(preparing))
    const prepared = await preparing
    this.#known.set(id, prepared)
    this.#under.delete(index)
    const { safe, readOnly } = prepared.flags
    const mustWait = early && this.#mustWait.has(id)
    if (!prepared.refused && (safe !== scheduled.safe || readOnly !== scheduled.readOnly || mustWait)) {
      this.#gone.add(index)
      return { again: { ...scheduled, readOnly: readOnly && !mustWait, safe } }
    }
    await Promise.all([...this.#under].flatMap(([other, ended]) => (other < index ? [ended] : [])))
    return [...this.#gone].some((other) => other < index) ? { again: scheduled } : prepared
  }

  /** With the flags that it has. One that had to wait for its message was said to write, so that it did not begin. */
  revised(scheduled: ScheduledCall): ScheduledCall {
    const known = this.#known.get(scheduled.id)
    if (!known || known.refused || known.interrupted) return scheduled
    const { readOnly, safe } = known.flags
    return { ...scheduled, readOnly, safe }
  }

  /** Those behind it wait until it is known, too, whether it may begin now: it may have to go back. */
  async #prepareEarly(call: ToolUseBlock): Promise<PreparedCall> {
    const prepared = await prepareCall(call, this.#env, true)
    const { flags, refused, tool } = prepared
    const mayStart = refused || !tool || (flags.readOnly && flags.safe !== false && (await gatesAllowEarly(prepared, tool, this.#env)))
    if (mayStart) this.#mustWait.delete(call.id)
    else this.#mustWait.add(call.id)
    return prepared
  }
}

/** Does the one say what the other says? An engine may have given a copy; and later pieces may have spoiled what seemed complete. */
export function sameCall(offered: ToolUseBlock, stored: ToolUseBlock): boolean {
  if (offered === stored) return true
  if (offered.name !== stored.name || offered.invalidInput?.text !== stored.invalidInput?.text) return false
  return offered.input === stored.input || JSON.stringify(offered.input) === JSON.stringify(stored.input)
}
