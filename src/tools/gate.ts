import type { JsonObject } from '../util/json.ts'
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
}

export type GateVerdict = { readonly decision: 'allow' } | { readonly decision: 'deny'; readonly reason: string }

/**
 * The innermost seam of one call: nothing can change the call between its verdict and the run. A gate that throws, or is cut
 * off by a cancel, denies.
 */
export interface Gate {
  readonly name: string
  judge(request: GateRequest): GateVerdict | Promise<GateVerdict>
  /**
   * Is it sure, without asking anybody, that this call will be allowed? Only then it may begin while the model still speaks; it is
   * judged all the same. A gate that does not say so, or throws here, has calls wait for the whole message.
   */
  allowsEarly?(request: GateRequest): boolean | Promise<boolean>
}
