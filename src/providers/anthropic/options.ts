import type { ModelSettings } from '../../models/model.ts'
import type { Clock } from '../../util/clock.ts'
import type { JsonObject } from '../../util/json.ts'

/**
 * Where requests go, and what they carry. The settings are the model's own; those of a request win.
 *
 * Without `maxTokens` an answer may take 64,000 tokens (models from 4.6 on), 32,000 (from 3.7 on), 8,192 (3.5, and models that
 * are not Claude) or 4,096. Thinking counts in it: a budget that would leave no room is put on top.
 *
 * The newest models (Opus, Sonnet and Haiku 5.5, Fable and Mythos from 5.1 on) take thinking back only behind the very messages
 * that it followed. Where a history is shortened or edited, let the API drop such thinking: with the beta
 * `thinking-binding-controls-2026-08-01` and the body `{ thinking: { block_binding: { prefix_mismatch_behavior: 'drop_block' } } }`.
 *
 * `temperature` and `topP` are left out where a model refuses them: while it thinks, and from 4.7 on. A tool is not forced
 * while a model thinks, as the API refuses that, too.
 */
export type AnthropicOptions = ModelSettings & {
  /** Default: the environment variable `ANTHROPIC_API_KEY`, for Anthropic's own address only. A server of your own may need none. */
  readonly apiKey?: string | undefined
  /** Default `https://api.anthropic.com`. Any server that speaks the Messages API will do; a `/v1` at its end is not needed. */
  readonly baseURL?: string | undefined
  /** More headers; they win over ours. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Used instead of the global one: for a proxy, or to look on. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Names of features in beta, for the header `anthropic-beta`. */
  readonly betas?: readonly string[] | undefined
  /** Fields to put into every request body; they win over ours. `tools` are added to ours. `undefined` takes a field away. */
  readonly body?: JsonObject | undefined
  /** How long the response may take to begin, in milliseconds. Default 5 minutes, which is also the most that Node's own `fetch` allows. */
  readonly headersTimeoutMs?: number | undefined
  /** How long the answer may then be silent, in milliseconds. Default 5 minutes, as above. */
  readonly idleTimeoutMs?: number | undefined
  /** Tokens that a request and its answer may have together. Default: what the model is known for. */
  readonly contextWindow?: number | undefined
  readonly clock?: Clock | undefined
}

/** The key of this provider's data in blocks, and its name in errors. */
export const providerName = 'anthropic'
export const keyVariable = 'ANTHROPIC_API_KEY'
export const defaultBaseURL = 'https://api.anthropic.com'
export const apiVersion = '2023-06-01'

/** The address of an endpoint below the base, whose query stays. */
export function endpoint(baseURL: string, path: string): string {
  const url = new URL(baseURL)
  url.pathname = url.pathname.replace(/(\/v1)?\/*$/, '') + path
  return url.href
}
