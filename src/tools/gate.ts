import { InputError } from '../errors.ts'
import type { InterruptRequest } from '../interrupts/interrupt.ts'
import { describe } from '../util/describe.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'
import type { ToolFlags } from './flags.ts'
import type { Tool } from './tool.ts'

/** The call that a gate judges: exactly what will run. */
export type GateRequest = {
  readonly tool: Tool
  /** The input after validation, as the model's JSON. */
  readonly input: JsonObject
  readonly flags: ToolFlags
  readonly toolUse: { readonly id: string; readonly name: string }
  readonly signal: AbortSignal
  /** Has a person approved this call with this very input? Then it need not be asked for again; what is forbidden stays so. */
  readonly approved: boolean
  /**
   * Asks a person by ending the run: gives the answer when the run is resumed with it, and leaves by a throw before. The
   * interrupt `approval` is answered by `true`, `false` or `{ approved, reason?, input? }`.
   */
  interrupt<T = JsonValue>(request: InterruptRequest): T
}

/**
 * With `input` the call runs on that instead; it is validated and judged again. `withholds` names files, by their absolute paths, that a
 * tool which looks through a folder must leave out (see `isWithheld` of its context).
 */
export type GateVerdict =
  | {
      readonly decision: 'allow'
      readonly input?: JsonObject | undefined
      readonly withholds?: ((path: string) => boolean) | undefined
    }
  | { readonly decision: 'deny'; readonly reason: string }

/**
 * The innermost seam of one call: nothing can change the call between its verdict and the run. A gate that throws, or is cut
 * off by a cancel, denies.
 */
export interface Gate {
  readonly name: string
  judge(request: GateRequest): GateVerdict | Promise<GateVerdict>
  /**
   * Does it ask by `interrupt`? Then it judges calls, too, that wait behind one that has interrupted the run, so that a person
   * is asked all questions of a turn at once.
   */
  readonly asksByInterrupt?: boolean | undefined
  /**
   * Is it sure, without asking anybody, that this call will be allowed? Only then it may begin while the model still speaks; it is
   * judged all the same. A gate that does not say so, or throws here, has calls wait for the whole message.
   */
  allowsEarly?(request: GateRequest): boolean | Promise<boolean>
}

/** @throws {InputError} for what is no gate: one that is not asked would let everything pass. */
export function checkGate(gate: unknown): asserts gate is Gate {
  const { name, judge, asksByInterrupt, allowsEarly } = (gate ?? {}) as Partial<Record<keyof Gate, unknown>>
  if (typeof judge !== 'function') throw new InputError(`A gate is an object { name, judge(request) }, got ${describe(gate)}.`)
  if (typeof name !== 'string' || name === '')
    throw new InputError(`A gate needs a \`name\`, which is part of what it asks; got ${describe(name)}.`)
  if (asksByInterrupt !== undefined && typeof asksByInterrupt !== 'boolean')
    throw new InputError(`The gate "${name}": \`asksByInterrupt\` must be true or false, got ${describe(asksByInterrupt)}.`)
  if (allowsEarly !== undefined && typeof allowsEarly !== 'function')
    throw new InputError(`The gate "${name}": \`allowsEarly\` must be a function of the request, got ${describe(allowsEarly)}.`)
}
