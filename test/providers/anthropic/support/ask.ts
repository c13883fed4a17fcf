import type { Message } from '../../../../src/messages/message.ts'
import type { SendableMessage } from '../../../../src/messages/normalise.ts'
import { normalise } from '../../../../src/messages/normalise.ts'
import type { ModelRequest } from '../../../../src/models/model.ts'
import type { AnthropicOptions } from '../../../../src/providers/anthropic/index.ts'
import { anthropic } from '../../../../src/providers/anthropic/index.ts'
import type { JsonObject } from '../../../../src/util/json.ts'
import { freezeOwn } from '../../../../src/util/json.ts'
import type { Answer } from '../../support/answer.ts'
import { answer, request } from '../../support/answer.ts'
import { saying } from './sse.ts'

export type Sent = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly text: string; readonly body: Body }
export type Body = JsonObject & { readonly messages: readonly { readonly role: string; readonly content: readonly JsonObject[] }[] }

/** A `fetch` that answers each request with this body, and notes what it was sent. */
export function fetchOf(body: string | Uint8Array<ArrayBuffer> | (() => Response), seen: Sent[] = []): typeof globalThis.fetch {
  return async (url, init) => {
    const text = new TextDecoder().decode(init!.body as Uint8Array)
    seen.push({ url: String(url), headers: init!.headers as Record<string, string>, text, body: JSON.parse(text) as Body })
    return typeof body === 'function' ? body() : new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
}

/** The answer to a body of events. */
export const answerTo = (events: string, options: { readonly raw?: boolean } = {}): Promise<Answer> =>
  answer(anthropic('claude-test', { apiKey: 'k', fetch: fetchOf(events) }), request(), options)

/** What a model sends for a request. */
export async function sentBy(parts: Partial<ModelRequest>, id = 'claude-sonnet-4-5', options: AnthropicOptions = {}): Promise<Sent> {
  const seen: Sent[] = []
  const { error } = await answer(anthropic(id, { apiKey: 'k', fetch: fetchOf(saying('ok'), seen), ...options }), request(parts))
  if (error) throw error
  return seen[0]!
}

export const bodyOf = async (...args: Parameters<typeof sentBy>): Promise<Body> => (await sentBy(...args)).body

/** Messages as the loop would hand them on. */
export const history = (
  ...messages: readonly { readonly role: 'user' | 'assistant'; readonly content: readonly object[] }[]
): readonly SendableMessage[] => messages.map((message, i) => normalise(freezeOwn({ id: `m${i}`, ...message }) as unknown as Message))

export const user = (...content: readonly (string | object)[]) => ({ role: 'user', content: content.map(block) }) as const
export const assistant = (...content: readonly (string | object)[]) => ({ role: 'assistant', content: content.map(block) }) as const
const block = (said: string | object): object => (typeof said === 'string' ? { type: 'text', text: said } : said)

export const called = (id: string, name = 'look', anthropicData?: JsonObject): object => ({
  type: 'tool_use',
  id,
  name,
  input: { at: 1 },
  ...(anthropicData && { provider: { anthropic: anthropicData } }),
})
export const result = (id: string, text = 'done'): object => ({
  type: 'tool_result',
  toolUseId: id,
  status: 'success',
  content: [{ type: 'text', text }],
})
export const point = (ttl?: '5m' | '1h'): object => ({ type: 'cache_point', ...(ttl && { ttl }) })
