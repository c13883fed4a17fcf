import type { AssistantBlock } from '../../../messages/content.ts'
import type { SendableMessage } from '../../../messages/normalise.ts'
import type { Model, ModelAbilities, ModelRequest, ModelStreamOptions } from '../../../models/model.ts'
import type { ModelEvent } from '../../../models/model-events.ts'
import type { JsonObject } from '../../../util/json.ts'
import { streamAnswer } from '../../wire/answer-stream.ts'
import { HistoryBody } from '../../wire/history-body.ts'
import { jsonText } from '../../wire/json-text.ts'
import { ChatChunks } from '../chat-chunks.ts'
import { chatMessages } from '../chat-messages.ts'
import { ChatHead } from '../chat-request.ts'
import { defaultBaseURL, endpoint } from '../options.ts'
import type { OpenAIOptions } from '../options.ts'
import type { Service } from '../service.ts'
import { requestHeaders } from '../service.ts'
import type { Quirks } from './table.ts'

/** Chat Completions as one particular server speaks it. One object serves any number of conversations at once. */
export class CompatibleModel implements Model {
  readonly provider: string
  readonly id: string
  readonly abilities: ModelAbilities
  readonly contextWindow: number | undefined
  readonly #options: OpenAIOptions
  readonly #service: Service
  readonly #quirks: Quirks
  readonly #head: ChatHead
  readonly #bodies: HistoryBody<SendableMessage>

  /** @param service its `url` is the base below which the endpoint lies. */
  constructor(id: string, options: OpenAIOptions, service: Service, quirks: Quirks) {
    const { provider } = service
    this.provider = provider
    this.id = id
    this.abilities = { output: 'native', images: true, documents: true, ...options.abilities }
    this.contextWindow = options.contextWindow
    this.#options = options
    this.#service = { ...service, url: endpoint(service.url, '/chat/completions') }
    this.#quirks = quirks
    this.#head = new ChatHead(id, {
      ...options,
      // The address tells which name of the limit is known there.
      baseURL: quirks.limitField === undefined ? service.url : defaultBaseURL,
      body: { ...quirks.body, ...options.body },
    })
    this.#bodies = new HistoryBody((message, previous) =>
      chatMessages(message, previous, provider)
        .map((made) => jsonText(this.#adapted(made, message)))
        .join(),
    )
  }

  stream(request: ModelRequest, { signal, raw = false }: ModelStreamOptions): AsyncGenerator<ModelEvent, void, undefined> {
    const { provider, variable, url } = this.#service
    const source = { provider, variable }
    const events = streamAnswer(() => ({
      source,
      url,
      headers: requestHeaders(this.#service, this.#options),
      options: this.#options,
      body: this.#bodies.lease(this.#head.of(request), request.messages, ']}'),
      signal,
      reader: new ChatChunks({ source, raw, toolNames: new Set(request.tools.map(({ name }) => name)) }),
    }))
    return this.#quirks.returnsReasoning ? marked(events) : events
  }

  #adapted(made: JsonObject, message: SendableMessage): JsonObject {
    const { callId, returnsReasoning } = this.#quirks
    let adapted = made
    if (callId) adapted = withCallIds(adapted, callId)
    // Wanted with each turn that called tools, even where nothing was thought.
    if (returnsReasoning && message.role === 'assistant' && made['tool_calls'] !== undefined)
      adapted = { ...adapted, reasoning_content: reasoningOf(message.content, this.provider) }
    return adapted
  }
}

/** Thoughts, marked as this server's: what others thought is not told to it. */
async function* marked(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent, void, undefined> {
  for await (const event of events) {
    yield event
    if (event.type === 'block_start' && event.block.type === 'reasoning')
      yield { type: 'block_delta', index: event.index, delta: { type: 'provider', data: { field: 'reasoning_content' } } }
  }
}

function withCallIds(made: JsonObject, callId: (id: string) => string): JsonObject {
  const { tool_call_id: id, tool_calls: calls } = made
  return {
    ...made,
    ...(typeof id === 'string' && { tool_call_id: callId(id) }),
    ...(Array.isArray(calls) && {
      tool_calls: (calls as readonly JsonObject[]).map((call) => ({ ...call, id: callId(String(call['id'])) })),
    }),
  }
}

const reasoningOf = (content: readonly AssistantBlock[], provider: string): string =>
  content
    .map((block) => (block.type === 'reasoning' && block.provider?.[provider]?.['field'] === 'reasoning_content' ? block.text : ''))
    .join('')
