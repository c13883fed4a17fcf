import { AuthenticationError, IncompleteStreamError, InputError } from '../../errors.ts'
import type { ModelError } from '../../errors.ts'
import type { SendableMessage } from '../../messages/normalise.ts'
import type { Model, ModelAbilities, ModelRequest, ModelStreamOptions } from '../../models/model.ts'
import type { ModelEvent } from '../../models/model-events.ts'
import { systemClock } from '../../util/clock.ts'
import { headOf } from '../../util/text.ts'
import { HistoryBody } from '../wire/history-body.ts'
import { defaultFetch } from '../wire/default-fetch.ts'
import { HttpCall } from '../wire/http-call.ts'
import { jsonOr } from '../wire/http-error.ts'
import { jsonText } from '../wire/json-text.ts'
import { providerError } from '../wire/provider-error.ts'
import { sseReader } from '../wire/sse.ts'
import { ChatChunks } from './chat-chunks.ts'
import { chatMessages } from './chat-messages.ts'
import { ChatHead } from './chat-request.ts'
import { defaultBaseURL, defaultTimeoutMs, endpoint, keyVariable } from './options.ts'
import type { OpenAIOptions } from './options.ts'

/** OpenAI Chat Completions over `fetch` and server-sent events. One object serves any number of conversations at once. */
export class ChatModel implements Model {
  readonly provider: string
  readonly id: string
  readonly abilities: ModelAbilities
  readonly contextWindow: number | undefined
  readonly #options: OpenAIOptions
  readonly #url: string
  /** The variable is OpenAI's own: its key is sent to no other server. */
  readonly #usesVariable: boolean
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
    this.#usesVariable = !options.apiKey && baseURL.replace(/\/+$/, '') === defaultBaseURL
    this.#url = endpoint(baseURL, '/chat/completions')
    this.#head = new ChatHead(id, options)
    this.#bodies = new HistoryBody((message, previous) => chatMessages(message, previous, provider).map(jsonText).join())
  }

  async *stream(request: ModelRequest, { signal, raw = false }: ModelStreamOptions): AsyncGenerator<ModelEvent, void, undefined> {
    const { headersTimeoutMs = defaultTimeoutMs, idleTimeoutMs = defaultTimeoutMs, clock = systemClock } = this.#options
    const headers = this.#headers()
    const source = { provider: this.provider, variable: this.#usesVariable ? keyVariable : undefined }
    const body = this.#bodies.lease(this.#head.of(request), request.messages, ']}')
    const call = new HttpCall({
      ...source,
      url: this.#url,
      headers,
      body: body.bytes,
      signal,
      fetch: this.#options.fetch ?? defaultFetch(),
      clock,
      headersTimeoutMs,
      idleTimeoutMs,
    })
    try {
      await call.open().finally(body.release)
      const chunks = new ChatChunks({ source, raw, toolNames: new Set(request.tools.map(({ name }) => name)) })
      let failure: unknown
      const sse = sseReader((event) => {
        // What came before an error is still told, however the bytes were cut.
        if (failure !== undefined) return
        try {
          chunks.read(event)
        } catch (error) {
          failure = error
        }
      })
      const { events } = chunks
      let bytes = await call.read()
      if (bytes && isDocument(bytes)) throw await this.#noStream(call, bytes)
      while (bytes) {
        sse.feed(bytes)
        for (const event of events) {
          if (call.failure) throw call.failure
          yield event
        }
        events.length = 0
        if (failure !== undefined) throw failure
        if (chunks.done) return await call.finish()
        bytes = await call.read()
      }
    } finally {
      call.close()
    }
  }

  #headers(): Record<string, string> {
    const { apiKey, headers } = this.#options
    const key = this.#usesVariable ? globalThis.process?.env[keyVariable] : apiKey
    const all = {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(key && { authorization: `Bearer ${key}` }),
      ...lowerCased(headers),
    }
    if (!key && this.#usesVariable && all['authorization'] === undefined) {
      throw new AuthenticationError(`${this.provider}: no API key. Set the environment variable ${keyVariable}, or give \`apiKey\`.`, {
        provider: this.provider,
        variable: keyVariable,
      })
    }
    return all
  }

  /** Something in between may answer well, but not in a stream: a page to log in, or an error as plain JSON. */
  async #noStream(call: HttpCall, begin: Uint8Array): Promise<ModelError> {
    const { provider } = this
    const text = await call.readText(begin)
    const said = jsonOr(text)
    if (typeof said === 'object' && said !== null && 'error' in said) return providerError(said, { provider })
    return new IncompleteStreamError(`${provider}: expected an event stream, got: ${headOf(text, 200)}`, { provider })
  }
}

/** Does it begin like JSON or a page? No line of an event stream does. The content type is of no help: some servers name a wrong one. */
const isDocument = (bytes: Uint8Array): boolean => bytes[0] === 0x7b || bytes[0] === 0x5b || bytes[0] === 0x3c

const lowerCased = (headers: Readonly<Record<string, string>> | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]))
