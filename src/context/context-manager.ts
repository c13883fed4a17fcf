import type { AgentError } from '../errors.ts'
import type { Message } from '../messages/message.ts'
import type { Model } from '../models/model.ts'

/** What a context manager sees. */
export type ContextView = {
  readonly messages: readonly Message[]
  /** Tokens of the history: the provider's last count, and an estimate of what came after it. */
  readonly tokens: number
  /** Tokens that the model takes in all. */
  readonly contextWindow: number
  readonly model: Model
  readonly signal: AbortSignal
}

/**
 * Keeps the history within the model's context window. Both functions give the new history, or `undefined` to leave it as it
 * is; what they give is repaired where it is not legal.
 */
export interface ContextManager {
  readonly name: string
  /** Before each request. */
  before?(view: ContextView): Promise<readonly Message[] | undefined>
  /** After the provider has refused a request as too long, at most three times a model call. `undefined`: it cannot be shortened. */
  reduce(view: ContextView & { readonly error: AgentError }): Promise<readonly Message[] | undefined>
}
