import { InputError } from '../../errors.ts'
import type { ModelSettings } from '../../models/model.ts'
import type { Clock } from '../../util/clock.ts'
import type { JsonObject } from '../../util/json.ts'

/**
 * Where requests go, and what they carry. The settings are the model's own; those of a request win.
 *
 * Thinking: models from Gemini 3 on take an effort (they cannot stop: `false` is the lowest), Gemini 2.5 a budget, for which
 * an effort stands. What was thought is told only where `thinking` asks for it.
 *
 * `extra` and `body` are merged into the request field by field, so that `{ generationConfig: { seed: 7 } }` leaves the rest
 * of `generationConfig` as it is; a list of `tools` is put behind ours.
 */
export type GoogleOptions = ModelSettings & {
  /** Default: the environment variable `GEMINI_API_KEY`, then `GOOGLE_API_KEY`, for Google's own address only. */
  readonly apiKey?: string | undefined
  /** Default `https://generativelanguage.googleapis.com/v1beta`; with `vertex`, the host of its location. */
  readonly baseURL?: string | undefined
  /** Goes to Vertex AI instead, with a token of Google Cloud. */
  readonly vertex?: VertexOptions | undefined
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
  /** Tokens that a request and its answer may have together. Default: what is known of the model. */
  readonly contextWindow?: number | undefined
  readonly clock?: Clock | undefined
}

export type VertexOptions = {
  readonly project: string
  /** A region such as `us-central1`, or `us`, `eu`, `global`. */
  readonly location: string
  /** An OAuth token, or what gives one: called for each request, so that it may renew it. */
  readonly accessToken: string | (() => string | Promise<string>)
}

/** The key of our data in a block. */
export const providerName = 'google'
/** The first that is set counts. */
export const keyVariables = ['GEMINI_API_KEY', 'GOOGLE_API_KEY'] as const
const defaultBaseURL = 'https://generativelanguage.googleapis.com/v1beta'
export const defaultTimeoutMs = 300_000

/** @throws {InputError} that names the option, what was expected and what came. */
export function checkOptions(id: string, { baseURL, vertex, apiKey }: GoogleOptions): void {
  if (typeof id !== 'string' || id === '')
    throw new InputError(`google(): expected the name of a model, such as "gemini-3.1-pro", got ${JSON.stringify(id)}.`)
  if (baseURL !== undefined && !URL.canParse(baseURL))
    throw new InputError(`google({ baseURL }): expected a URL such as "${defaultBaseURL}", got ${JSON.stringify(baseURL)}.`)
  if (vertex === undefined) return
  if (apiKey !== undefined)
    throw new InputError('google({ vertex, apiKey }): Vertex AI takes `vertex.accessToken` and no key. Leave one of the two out.')
  for (const name of ['project', 'location'] as const) {
    const value: unknown = vertex[name]
    if (typeof value !== 'string' || !/^[a-z0-9.:_-]+$/i.test(value))
      throw new InputError(
        `google({ vertex }): expected \`${name}\` to be a name such as "${name === 'project' ? 'my-project' : 'us-central1'}", got ${JSON.stringify(value)}.`,
      )
  }
  const { accessToken } = vertex
  if (typeof accessToken !== 'function' && (typeof accessToken !== 'string' || accessToken === ''))
    throw new InputError(
      `google({ vertex }): expected \`accessToken\` to be a token or a function that gives one, got ${typeof accessToken}.`,
    )
}

/**
 * The address to which a model's requests go. An id with a slash is a path of its own, such as `tunedModels/mine`.
 * The query of the base stays.
 */
export function endpoint(id: string, { baseURL, vertex }: GoogleOptions): string {
  const url = new URL(baseURL ?? (vertex ? vertexBaseURL(vertex.location) : defaultBaseURL))
  const folder = vertex ? `/projects/${vertex.project}/locations/${vertex.location}` : ''
  const model = id.includes('/') ? id : `${vertex ? 'publishers/google/' : ''}models/${id}`
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${folder}/${model}:streamGenerateContent`
  url.searchParams.set('alt', 'sse')
  return url.href
}

function vertexBaseURL(location: string): string {
  if (location === 'global') return 'https://aiplatform.googleapis.com/v1beta1'
  if (location === 'us' || location === 'eu') return `https://aiplatform.${location}.rep.googleapis.com/v1beta1`
  return `https://${location}-aiplatform.googleapis.com/v1beta1`
}
