import type { ModelAbilities, ModelSettings } from '../../models/model.ts'
import type { Clock } from '../../util/clock.ts'
import type { Metadata } from './spec.ts'

/**
 * How an AI SDK model is asked. The settings are the model's own; those of a request win.
 *
 * `extra` holds further call options of the specification, which win over ours: `topK`, `seed`, `presencePenalty`, `tools` that
 * the provider runs itself, `providerOptions`. The last two and `headers` are added to ours.
 *
 * `thinking` is the call option `reasoning` of v4, which knows efforts alone: a budget counts as the effort that it is worth.
 * v3 has no such option; there the provider's own is given in `providerOptions`.
 */
export type AiSdkOptions = ModelSettings & {
  /** The name under which this provider's data is kept in messages, and which errors name. Default `ai-sdk.` and the model's own. */
  readonly provider?: string | undefined
  /** By provider, as the AI SDK names them: `{ anthropic: { effort: 'low' } }`. */
  readonly providerOptions?: Metadata | undefined
  /** More headers, where the provider speaks HTTP. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * What the model can do. `output` is `native` unless the model says that it cannot be bound to a schema
   * (`supportsStructuredOutputs`); images and documents are sent unless this says no.
   */
  readonly abilities?: Partial<ModelAbilities> | undefined
  /**
   * Do results of tools carry images and documents? Where not, these are told to stand in the user message behind the results,
   * as many providers would write their base64 as text. Default: yes for Anthropic, Bedrock, Google, the gateway and OpenAI Responses.
   */
  readonly mediaInResults?: boolean | undefined
  /**
   * `whole`: the input of a call is told when the call is whole, for a middleware that changes the inputs of calls.
   * Default `streamed`: as it comes.
   */
  readonly toolInput?: 'streamed' | 'whole' | undefined
  /** Tokens that a request and its answer may have together. Not known unless given. */
  readonly contextWindow?: number | undefined
  /** How long the model may take to begin its stream, in milliseconds. Default 5 minutes. */
  readonly headersTimeoutMs?: number | undefined
  /** How long it may then be silent, in milliseconds. Default 5 minutes. */
  readonly idleTimeoutMs?: number | undefined
  readonly clock?: Clock | undefined
}

export const defaultTimeoutMs = 300_000
