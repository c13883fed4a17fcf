import type { AgentError } from '../errors.ts'
import type { Message } from '../messages/message.ts'
import type { Usage } from '../messages/usage.ts'
import type { ModelEvent } from '../models/model-events.ts'
import type { Model, ModelRequest } from '../models/model.ts'
import type { ResultReader, ResultStore } from '../results/result-store.ts'
import type { Ids } from '../util/ids.ts'

/** What a context manager sees. */
export type ContextView = {
  readonly messages: readonly Message[]
  /** Tokens of the next request: the provider's last count, and an estimate of what came after it. Without a count, all is estimated. */
  readonly tokens: number
  /** Tokens that the model takes in all. */
  readonly contextWindow: number
  readonly model: Model
  readonly signal: AbortSignal
  /** Names the messages that a manager writes. Default: random ids. */
  readonly ids?: Ids | undefined
  /** Where large results can be kept whole, and what the model reads them with. */
  readonly results?:
    | {
        readonly store: ResultStore
        readonly conversationId: string
        /** Asked once there is something to read. */
        readonly reader: () => ResultReader | undefined
      }
    | undefined
  /** Tells of something that went wrong without keeping the manager from its work. */
  readonly warn?: ((message: string) => void | Promise<void>) | undefined
  /** Calls a model in such a way that whoever looks at the run sees it. Left out, a manager calls `model.stream` itself. */
  readonly ask?: ((model: Model, request: ModelRequest, options: { readonly signal: AbortSignal }) => AsyncIterable<ModelEvent>) | undefined
  /** Counts what a model used that the manager asked; `model` is its `provider/id`. */
  readonly spend?: ((usage: Partial<Usage>, model: string) => void) | undefined
}

/**
 * Keeps the history within the model's context window. Its functions give the new history, or `undefined` to leave it as it
 * is; what they give is repaired where it is not legal.
 */
export interface ContextManager {
  readonly name: string
  /** Before each request. */
  before?(view: ContextView): Promise<readonly Message[] | undefined>
  /** After the provider has refused a request as too long, at most three times a model call. `undefined`: it cannot be shortened. */
  reduce(view: ContextView & { readonly error: AgentError }): Promise<readonly Message[] | undefined>
  /**
   * When somebody asks for it, however long the history is. `focus` says what must not get lost. Left out, `compact()` takes
   * `reduce` instead.
   */
  compact?(view: ContextView & { readonly focus?: string | undefined }): Promise<readonly Message[] | undefined>
}
