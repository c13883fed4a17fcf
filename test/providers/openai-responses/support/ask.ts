import type { Message } from '../../../../src/messages/message.ts'
import type { SendableMessage } from '../../../../src/messages/normalise.ts'
import { normalise } from '../../../../src/messages/normalise.ts'
import type { ModelRequest } from '../../../../src/models/model.ts'
import type { OpenAIOptions } from '../../../../src/providers/openai/index.ts'
import { openai } from '../../../../src/providers/openai/index.ts'
import type { JsonObject } from '../../../../src/util/json.ts'
import { freezeOwn } from '../../../../src/util/json.ts'
import type { Answer } from '../../support/answer.ts'
import { answer, request } from '../../support/answer.ts'
import { saying } from './sse.ts'

export type Body = JsonObject & { readonly input: readonly JsonObject[] }
export type Sent = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly text: string; readonly body: Body }

/** A `fetch` that answers each request with this body, and notes what it was sent. */
export function fetchOf(body: string | Uint8Array<ArrayBuffer> | (() => Response), seen: Sent[] = []): typeof globalThis.fetch {
  return async (url, init) => {
    // Read at once, as the real one does.
    const text = new TextDecoder().decode(init!.body as Uint8Array)
    seen.push({ url: String(url), headers: init!.headers as Record<string, string>, text, body: JSON.parse(text) as Body })
    return typeof body === 'function' ? body() : new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
}

/** The answer to a body of events. */
export const answerTo = (events: string | Uint8Array<ArrayBuffer>, options: { readonly raw?: boolean } = {}): Promise<Answer> =>
  answer(openai('gpt-5.2', { apiKey: 'k', fetch: fetchOf(events) }), request(), options)

/** What a model sends for a request. */
async function sentBy(parts: Partial<ModelRequest>, options: OpenAIOptions = {}, id = 'gpt-5.2'): Promise<Sent> {
  const seen: Sent[] = []
  const { error } = await answer(openai(id, { apiKey: 'k', fetch: fetchOf(saying('ok'), seen), ...options }), request(parts))
  if (error) throw error
  return seen[0]!
}

export const bodyOf = async (parts: Partial<ModelRequest>, options?: OpenAIOptions, id?: string): Promise<Body> =>
  (await sentBy(parts, options, id)).body

type Written = { readonly role: 'user' | 'assistant'; readonly content: readonly object[] }

/** Messages as the loop would hand them on. */
export const history = (...messages: readonly Written[]): readonly SendableMessage[] =>
  messages.map((message, i) => normalise(freezeOwn({ id: `m${i}`, ...message }) as unknown as Message))

export const user = (...content: readonly (string | object)[]): Written => ({
  role: 'user',
  content: content.map((block): object => (typeof block === 'string' ? { type: 'text', text: block } : block)),
})
export const assistant = (...content: readonly (string | object)[]): Written => ({
  role: 'assistant',
  content: user(...content).content,
})

/** The items that are sent for these messages. */
export const itemsOf = async (...messages: readonly Written[]): Promise<readonly JsonObject[]> =>
  (await bodyOf({ messages: history(...messages) })).input
