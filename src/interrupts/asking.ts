import { InputError } from '../errors.ts'
import { anything, checkOptions } from '../util/check-options.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'
import { frozenCopy, isObject } from '../util/json.ts'
import type { Interrupt, InterruptRequest } from './interrupt.ts'
import { InterruptSignal } from './interrupt.ts'

/** What is known of the questions of a run: which are answered, and which it will end with. */
export interface Questions {
  /** The answer, if there is one that still counts: it was given to this question about this very input. */
  answerTo(id: string, input: JsonObject | undefined): { readonly response: JsonValue } | { readonly expired: string } | undefined
  /** The run will end with this question. */
  raise(interrupt: Interrupt): void
  /** How many questions about this call have an answer. */
  answered(callId: string): number
  readonly now: () => number
}

export type Asker = {
  readonly questions: Questions
  /** What the ids of its questions begin with: a call, a message, a turn. */
  readonly about: string
  readonly toolUse?: { readonly id: string; readonly name: string; readonly input: JsonObject } | undefined
  /** Why it is too late to ask, once it is. */
  readonly tooLate?: (() => string | undefined) | undefined
}

/** Thrown in the place of an answer that came too late. */
export class ExpiredError extends InputError {
  constructor(message: string) {
    super(message, { code: 'interrupt_expired' })
  }
}

/**
 * The function `interrupt()` of one tool, hook or gate: gives the answer, or leaves. The same name may be used again: the
 * questions are told apart by their order.
 */
export class Asking {
  readonly #asker: Asker
  readonly #count = new Map<string, number>()
  /** The question that was raised. The one who asked has been left then, whatever it made of that. */
  raised: Interrupt | undefined
  #closed: string | undefined

  constructor(asker: Asker) {
    this.#asker = asker
  }

  readonly interrupt = <T = JsonValue>(request: InterruptRequest): T => {
    const { questions, toolUse } = this.#asker
    const { name, reason, expiresInMs } = checkRequest(request)
    const tooLate = this.#closed ?? this.#asker.tooLate?.()
    if (tooLate !== undefined) throw new InputError(`"${name}" cannot be asked any more: ${tooLate}`, { code: 'too_late_to_ask' })
    const id = this.#idOf(name)
    const known = questions.answerTo(id, toolUse?.input)
    if (known && 'response' in known) return known.response as T
    if (known) throw new ExpiredError(known.expired)
    const interrupt: Interrupt = Object.freeze({
      id,
      name,
      reason: frozenCopy(reason, 'the `reason` of an interrupt'),
      ...(toolUse && { toolUse }),
      path: Object.freeze([]) as readonly string[],
      ...(expiresInMs !== undefined && { expiresAt: questions.now() + expiresInMs }),
    })
    questions.raise(interrupt)
    this.raised = interrupt
    throw new InterruptSignal(interrupt)
  }

  /** From now on it is too late to ask: nobody would run again with the answer. */
  close(why: string): void {
    this.#closed ??= why
  }

  /** Asks what others ask, each under the id that it has, and leaves. */
  raiseAll(interrupts: readonly Interrupt[]): never {
    for (const interrupt of interrupts) this.#asker.questions.raise(interrupt)
    this.raised = interrupts[0]!
    throw new InterruptSignal(interrupts[0]!)
  }

  #idOf(name: string): string {
    const count = (this.#count.get(name) ?? 0) + 1
    this.#count.set(name, count)
    // A name with the signs of which ids are made must not look like another question.
    return `${this.#asker.about}/${name.replaceAll(/[%/#]/g, encodeURIComponent)}${count === 1 ? '' : `#${count}`}`
  }
}

function checkRequest(request: InterruptRequest): {
  readonly name: string
  readonly reason: JsonValue
  readonly expiresInMs: number | undefined
} {
  if (!isObject(request) || typeof request['name'] !== 'string' || request['name'].trim() === '')
    throw new InputError('interrupt() takes { name, reason?, expiresInMs? }, and the name is a text that is not blank.')
  checkOptions('interrupt', request, { name: anything, reason: anything, expiresInMs: anything })
  const { name, reason = null, expiresInMs } = request
  if (expiresInMs !== undefined && !(typeof expiresInMs === 'number' && expiresInMs > 0))
    throw new InputError(`interrupt({ expiresInMs }) must be a positive number of milliseconds, got ${String(expiresInMs)}.`)
  return { name, reason, expiresInMs: expiresInMs === Infinity ? undefined : expiresInMs }
}
