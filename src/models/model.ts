import type { CachePointBlock, TextBlock } from '../messages/content.ts'
import type { SendableMessage } from '../messages/normalise.ts'
import type { JsonObject } from '../util/json.ts'
import type { JsonSchema } from '../util/json-schema.ts'
import type { ModelEvent } from './model-events.ts'

/** A tool as the model is told of it. */
export type ToolSpec = { readonly name: string; readonly description: string; readonly inputSchema: JsonSchema }

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

export type ModelSettings = {
  readonly maxTokens?: number | undefined
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly stopSequences?: readonly string[] | undefined
  readonly thinking?:
    | false
    | { readonly budgetTokens?: number | undefined; readonly effort?: 'low' | 'medium' | 'high' | undefined }
    | undefined
  /** Passed through to the provider's request body as it is. */
  readonly extra?: JsonObject | undefined
}

/**
 * One request. `messages` are shared and frozen: the same message is the same object in the next request, so that a
 * provider can keep what it made of it (keyed by identity).
 */
export type ModelRequest = {
  readonly system: readonly (TextBlock | CachePointBlock)[]
  readonly messages: readonly SendableMessage[]
  readonly tools: readonly ToolSpec[]
  readonly toolChoice: ToolChoice
  readonly output?: { readonly name: string; readonly schema: JsonSchema } | undefined
  readonly settings: ModelSettings
}

export type ModelAbilities = { readonly output: 'native' | 'forced_tool' | 'prompt'; readonly images: boolean; readonly documents: boolean }

export type ModelStreamOptions = {
  readonly signal: AbortSignal
  /** Yield each chunk of the wire as a `raw` event too. */
  readonly raw?: boolean | undefined
}

/** The port to a model. */
export interface Model {
  /** Name of the provider; also the key of its data in `block.provider`. */
  readonly provider: string
  readonly id: string
  readonly abilities?: Partial<ModelAbilities> | undefined
  /** Tokens that a request and its answer may have together. */
  readonly contextWindow?: number | undefined
  /**
   * Streams one answer. Throws a `ModelError` when there is none; ends soon after `signal` fires, and ends its transport
   * when the iteration is left.
   */
  stream(request: ModelRequest, options: ModelStreamOptions): AsyncIterable<ModelEvent>
  countTokens?(request: ModelRequest, options: { readonly signal: AbortSignal }): Promise<number>
}

/** A model by name: `provider/model`, or `offline`. */
export type ModelName =
  | `${'anthropic' | 'openai' | 'google' | 'bedrock' | 'ollama' | 'openrouter' | 'groq' | 'mistral' | 'deepseek' | 'xai' | 'local'}/${string}`
  | 'offline'
  | (string & {})

export type ModelChoice = Model | ModelName

export const nameOf = (model: Pick<Model, 'provider' | 'id'>): string =>
  model.provider === model.id ? model.id : `${model.provider}/${model.id}`
