import { InputError } from '../errors.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'
import { frozenCopy, isObject } from '../util/json.ts'

/** A question to a person, which a run ended with. Plain data: it may be kept, shown and answered in another process. */
export type Interrupt = {
  /** The same for the same question of the same call, in whatever process it is asked. */
  readonly id: string
  readonly name: string
  /** What the one who asks says of it. */
  readonly reason: JsonValue
  /** The call that waits for the answer, with the input as it would run; absent where a hook around the whole turn asks. */
  readonly toolUse?: { readonly id: string; readonly name: string; readonly input: JsonObject } | undefined
  /** The calls of sub-agents that lead to the one that asks, outermost first; empty for the agent itself. */
  readonly path: readonly string[]
  /** Milliseconds since the epoch. An answer that comes later does not count: the call is refused. */
  readonly expiresAt?: number | undefined
}

/** What `interrupt()` takes. */
export type InterruptRequest = {
  /** Tells the questions of one call apart. */
  readonly name: string
  readonly reason?: JsonValue | undefined
  /** How long an answer counts, in milliseconds from now. For ever unless given. */
  readonly expiresInMs?: number | undefined
}

export type InterruptResponse = { readonly type: 'interrupt_response'; readonly id: string; readonly response: JsonValue }

/** What answers the interrupt `approval`. `input` is what shall run instead of what was asked for; it is validated again. */
export type ApprovalAnswer =
  | boolean
  | { readonly approved: boolean; readonly reason?: string | undefined; readonly input?: JsonObject | undefined }

/**
 * Answers an interrupt: `agent.invoke(result.interrupts.map((interrupt) => answer(interrupt, true)))`. `null` is an answer, too.
 *
 * @throws {InputError} for what is no interrupt, and for an answer that JSON cannot carry.
 */
export function answer(interrupt: Interrupt | string, response: JsonValue | ApprovalAnswer): InterruptResponse {
  const id: unknown = typeof interrupt === 'string' ? interrupt : interrupt?.id
  if (typeof id !== 'string' || id === '') throw new InputError('answer() needs an interrupt, or the id of one, and the response.')
  if (response === undefined) throw new InputError(`The answer to ${id} is undefined. Give a JSON value; \`null\` is one.`)
  try {
    return Object.freeze({ type: 'interrupt_response', id, response: frozenCopy(response, 'the response') })
  } catch (error) {
    throw new InputError(`answer(): ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

export const isInterruptResponse = (value: unknown): value is InterruptResponse =>
  isObject(value) && value['type'] === 'interrupt_response' && typeof value['id'] === 'string' && value['response'] !== undefined

/** How an answer to `approval` is understood. Nothing but a clear yes is a yes. */
export function approvalOf(response: JsonValue): { readonly approved: boolean; readonly reason?: string; readonly input?: JsonObject } {
  if (!isObject(response)) return { approved: response === true }
  const { approved, reason, input } = response
  return {
    approved: approved === true,
    ...(typeof reason === 'string' && reason !== '' && { reason }),
    ...(isObject(input) && { input }),
  }
}

/**
 * What `interrupt()` throws to leave the one who asks. It is no failure: let it pass. One that is caught interrupts all the same.
 */
export class InterruptSignal extends Error {
  override readonly name = 'InterruptSignal'
  readonly code = 'interrupt'
  readonly interrupt: Interrupt

  constructor(interrupt: Interrupt) {
    super(`The run waits for an answer to "${interrupt.name}". This is no failure: let it pass.`)
    this.interrupt = interrupt
  }
}
