import type { Message } from '../../../../src/messages/message.ts'
import type { SendableMessage } from '../../../../src/messages/normalise.ts'
import { normalise } from '../../../../src/messages/normalise.ts'
import type { Model, ModelRequest } from '../../../../src/models/model.ts'
import type { BedrockOptions } from '../../../../src/providers/bedrock/index.ts'
import { bedrock } from '../../../../src/providers/bedrock/index.ts'
import type { JsonObject } from '../../../../src/util/json.ts'
import { freezeOwn } from '../../../../src/util/json.ts'
import type { Answer } from '../../support/answer.ts'
import { answer, request } from '../../support/answer.ts'
import type { WireEvent } from './frames.ts'
import { frames, saying } from './frames.ts'

// Whoever asks, asks in an environment of the test's own.
export { environment } from './env.ts'

export const eventStreamType = 'application/vnd.amazon.eventstream'

export type WireMessage = { readonly role: string; readonly content: readonly JsonObject[] }
export type Body = JsonObject & { readonly messages: readonly WireMessage[] }
export type Sent = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
  readonly signal: AbortSignal | undefined
}

type Answering = Uint8Array<ArrayBuffer> | (() => Response)

/** A `fetch` that answers each request with this body, and notes what it was sent. */
export function fetchOf(body: Answering, seen: Sent[] = []): typeof globalThis.fetch {
  return async (url, init) => {
    const sent = new TextDecoder().decode(init!.body as Uint8Array)
    seen.push({
      url: String(url),
      headers: Object.fromEntries(new Headers(init!.headers)),
      body: JSON.parse(sent) as Body,
      signal: init!.signal ?? undefined,
    })
    return typeof body === 'function' ? body() : eventStream(body)
  }
}

export const eventStream = (body: BodyInit): Response => new Response(body, { headers: { 'content-type': eventStreamType } })

export const claude = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'
/** Nobody's keys. */
export const keys = { accessKeyId: 'AKID', secretAccessKey: 'SECRET' } as const

export const modelOf = (fetch: typeof globalThis.fetch, id: string = claude, options: BedrockOptions = {}): Model =>
  bedrock(id, { region: 'us-east-1', credentials: keys, fetch, ...options })

/** The answer to these events. */
export const answerTo = (events: readonly WireEvent[], options: { readonly raw?: boolean; readonly id?: string } = {}): Promise<Answer> =>
  answer(modelOf(fetchOf(frames(...events)), options.id), request(), options)

/** What a model sends for a request. */
export async function sentBy(parts: Partial<ModelRequest>, id?: string, options?: BedrockOptions): Promise<Sent> {
  const seen: Sent[] = []
  const { error } = await answer(modelOf(fetchOf(saying('ok'), seen), id, options), request(parts))
  if (error) throw error
  return seen[0]!
}

export const bodyOf = async (...args: Parameters<typeof sentBy>): Promise<Body> => (await sentBy(...args)).body

export type Said = { readonly role: 'user' | 'assistant'; readonly content: readonly object[] }

/** Messages as the loop would hand them on. */
export const history = (...messages: readonly Said[]): readonly SendableMessage[] =>
  messages.map((message, i) => normalise(freezeOwn({ id: `m${i}`, ...message }) as unknown as Message))

export const user = (...content: readonly (string | object)[]) => ({ role: 'user', content: content.map(block) }) as const
export const assistant = (...content: readonly (string | object)[]) => ({ role: 'assistant', content: content.map(block) }) as const
const block = (said: string | object): object => (typeof said === 'string' ? { type: 'text', text: said } : said)

export const called = (id: string, name = 'look', own?: JsonObject): object => ({
  type: 'tool_use',
  id,
  name,
  input: { at: 1 },
  ...(own && { provider: { bedrock: own } }),
})
export const result = (id: string, text = 'done', status = 'success'): object => ({
  type: 'tool_result',
  toolUseId: id,
  status,
  content: [{ type: 'text', text }],
})
export const point = (ttl?: '5m' | '1h'): object => ({ type: 'cache_point', ...(ttl && { ttl }) })
export const wirePoint = (ttl?: '1h'): object => ({ cachePoint: { type: 'default', ...(ttl && { ttl }) } })
