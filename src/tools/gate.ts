import type { InterruptRequest } from '../interrupts/interrupt.ts'
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

/** With `input` the call runs on that instead; it is validated and judged again. */
export type GateVerdict =
  | { readonly decision: 'allow'; readonly input?: JsonObject | undefined }
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
