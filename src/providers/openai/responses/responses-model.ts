import type { SendableMessage } from '../../../messages/normalise.ts'
import type { Model, ModelAbilities, ModelRequest, ModelStreamOptions } from '../../../models/model.ts'
import type { ModelEvent } from '../../../models/model-events.ts'
import { streamAnswer } from '../../wire/answer-stream.ts'
import { HistoryBody } from '../../wire/history-body.ts'
import { jsonText } from '../../wire/json-text.ts'
import { endpoint } from '../options.ts'
import type { Service } from '../service.ts'
import { requestHeaders } from '../service.ts'
import type { OpenAIOptions } from '../options.ts'
import { inputItems } from './input-items.ts'
import { ResponsesEvents } from './response-events.ts'
import { ResponsesHead } from './responses-request.ts'

/**
 * OpenAI Responses over `fetch` and server-sent events. The whole history goes with each request, and nothing is kept on the
 * server: what the model thought goes back encrypted. One object serves any number of conversations at once.
 */
export class ResponsesModel implements Model {
  readonly provider: string
  readonly id: string
  readonly abilities: ModelAbilities
  readonly contextWindow: number | undefined
  readonly #options: OpenAIOptions
  readonly #service: Service
  readonly #head: ResponsesHead
  readonly #bodies: HistoryBody<SendableMessage>

  /** @param service its `url` is the base below which the endpoint lies. */
  constructor(id: string, options: OpenAIOptions, service: Service) {
    const { provider } = service
    this.provider = provider
    this.id = id
    this.abilities = { output: 'native', images: true, documents: true, ...options.abilities }
    this.contextWindow = options.contextWindow
    this.#options = options
    this.#service = { ...service, url: endpoint(service.url, '/responses') }
    this.#head = new ResponsesHead(id, options)
    this.#bodies = new HistoryBody((message, previous) => inputItems(message, previous, provider).map(jsonText).join())
  }

  stream(request: ModelRequest, { signal, raw = false }: ModelStreamOptions): AsyncGenerator<ModelEvent, void, undefined> {
    const { provider, variable, url } = this.#service
    const source = { provider, variable }
    return streamAnswer(() => ({
      source,
      url,
      headers: requestHeaders(this.#service, this.#options),
      options: this.#options,
      body: this.#bodies.lease(this.#head.of(request), request.messages, ']}'),
      signal,
      reader: new ResponsesEvents({ source, raw }),
    }))
  }
}
