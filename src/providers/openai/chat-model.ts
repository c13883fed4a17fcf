import { InputError } from '../../errors.ts'
import type { SendableMessage } from '../../messages/normalise.ts'
import type { Model, ModelAbilities, ModelRequest, ModelStreamOptions } from '../../models/model.ts'
import type { ModelEvent } from '../../models/model-events.ts'
import { streamAnswer } from '../wire/answer-stream.ts'
import { HistoryBody } from '../wire/history-body.ts'
import { jsonText } from '../wire/json-text.ts'
import { ChatChunks } from './chat-chunks.ts'
import { chatMessages } from './chat-messages.ts'
import { ChatHead } from './chat-request.ts'
import { defaultBaseURL, endpoint, keyVariable } from './options.ts'
import type { OpenAIOptions } from './options.ts'
import type { Service } from './service.ts'
import { requestHeaders } from './service.ts'

/** OpenAI Chat Completions over `fetch` and server-sent events. One object serves any number of conversations at once. */
export class ChatModel implements Model {
  readonly provider: string
  readonly id: string
  readonly abilities: ModelAbilities
  readonly contextWindow: number | undefined
  readonly #options: OpenAIOptions
  readonly #service: Service
  readonly #head: ChatHead
  readonly #bodies: HistoryBody<SendableMessage>

  constructor(id: string, options: OpenAIOptions) {
    if (typeof id !== 'string' || id === '')
      throw new InputError(`openai(): expected the name of a model, such as "gpt-5.2", got ${JSON.stringify(id)}.`)
    const { baseURL = defaultBaseURL, provider = 'openai' } = options
    if (!URL.canParse(baseURL))
      throw new InputError(`openai({ baseURL }): expected a URL such as "${defaultBaseURL}", got ${JSON.stringify(baseURL)}.`)
    this.provider = provider
    this.id = id
    this.abilities = { output: 'native', images: true, documents: true, ...options.abilities }
    this.contextWindow = options.contextWindow
    this.#options = options
    // The variable is OpenAI's own: its key is sent to no other server.
    const usesVariable = !options.apiKey && baseURL.replace(/\/+$/, '') === defaultBaseURL
    this.#service = { provider, url: endpoint(baseURL, '/chat/completions'), variable: usesVariable ? keyVariable : undefined }
    this.#head = new ChatHead(id, options)
    this.#bodies = new HistoryBody((message, previous) => chatMessages(message, previous, provider).map(jsonText).join())
  }

  stream(request: ModelRequest, { signal, raw = false }: ModelStreamOptions): AsyncGenerator<ModelEvent, void, undefined> {
    const { url, provider, variable } = this.#service
    const source = { provider, variable }
    return streamAnswer(() => ({
      source,
      url,
      headers: requestHeaders(this.#service, this.#options),
      options: this.#options,
      body: this.#bodies.lease(this.#head.of(request), request.messages, ']}'),
      signal,
      reader: new ChatChunks({ source, raw, toolNames: new Set(request.tools.map(({ name }) => name)) }),
    }))
  }
}
