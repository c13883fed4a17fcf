import type { ModelAbilities, ModelSettings } from '../../models/model.ts'
import type { Clock } from '../../util/clock.ts'
import type { JsonObject } from '../../util/json.ts'

/** Where requests go, and what they carry. The settings are the model's own; those of a request win. */
export type OpenAIOptions = ModelSettings & {
  /** Default: the environment variable `OPENAI_API_KEY`, for OpenAI's own address only. A server of your own may need none. */
  readonly apiKey?: string | undefined
  /** Default `https://api.openai.com/v1`. Any server that speaks Chat Completions will do. */
  readonly baseURL?: string | undefined
  /** The name under which this provider's ids are kept in messages, and which errors name. Default `openai`. */
  readonly provider?: string | undefined
  /** More headers; they win over ours. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Used instead of the global one: for a proxy, or to look on. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Fields to put into every request body; they win over ours. `undefined` takes a field away. */
  readonly body?: JsonObject | undefined
  /** How long the response may take to begin, in milliseconds. Default 5 minutes, which is also the most that Node's own `fetch` allows. */
  readonly headersTimeoutMs?: number | undefined
  /** How long the answer may then be silent, in milliseconds. Default 5 minutes, as above. */
  readonly idleTimeoutMs?: number | undefined
  /** Tokens that a request and its answer may have together. Not known unless given. */
  readonly contextWindow?: number | undefined
  /** What the model can do, where a server of others does less. Default: typed output of its own, images, documents. */
  readonly abilities?: Partial<ModelAbilities> | undefined
  /**
   * Chat Completions: give the server back what it thought before it called tools, as `reasoning_content`. Some servers refuse such a
   * turn without it (Kimi, DeepSeek), others refuse the field. Default false; the preset `deepseek` has it.
   */
  readonly returnsReasoning?: boolean | undefined
  readonly clock?: Clock | undefined
}

export const keyVariable = 'OPENAI_API_KEY'
export const defaultBaseURL = 'https://api.openai.com/v1'

/** The address of an endpoint below the base, whose query stays (`?api-version=…`). */
export function endpoint(baseURL: string, path: string): string {
  const url = new URL(baseURL)
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  return url.href
}
