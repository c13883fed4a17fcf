import { AuthenticationError, IncompleteStreamError, InputError } from '../../errors.ts'
import type { SendableMessage } from '../../messages/normalise.ts'
import type { Model, ModelAbilities, ModelRequest, ModelStreamOptions } from '../../models/model.ts'
import type { ModelEvent } from '../../models/model-events.ts'
import { systemClock } from '../../util/clock.ts'
import { headOf } from '../../util/text.ts'
import type { LeasedBody } from '../wire/history-body.ts'
import { HistoryBody } from '../wire/history-body.ts'
import { defaultFetch } from '../wire/default-fetch.ts'
import { HttpCall } from '../wire/http-call.ts'
import { jsonOr } from '../wire/http-error.ts'
import { jsonText } from '../wire/json-text.ts'
import { providerError } from '../wire/provider-error.ts'
import { sseReader } from '../wire/sse.ts'
import type { DressedMessage } from './cache-points.ts'
import { Dresser } from './cache-points.ts'
import { familyOf } from './families.ts'
import { MessageEvents } from './message-events.ts'
import { wireMessage } from './messages.ts'
import { MessagesHead } from './messages-request.ts'
import { apiVersion, defaultBaseURL, defaultTimeoutMs, endpoint, keyVariable, providerName } from './options.ts'
import type { AnthropicOptions } from './options.ts'
import { isReplayed } from './own-blocks.ts'

/** What a model is told that goes on only when it is asked to. */
const goOn = `,${jsonText({ role: 'user', content: [{ type: 'text', text: 'Please go on.' }] })}`

/** Anthropic Messages over `fetch` and server-sent events. One object serves any number of conversations at once. */
export class MessagesModel implements Model {
  readonly provider = providerName
  readonly id: string
  readonly abilities: ModelAbilities
  readonly contextWindow: number | undefined
  readonly #options: AnthropicOptions
  readonly #url: string
  /** The variable is Anthropic's own: its key is sent to no other server. */
  readonly #usesVariable: boolean
  readonly #head: MessagesHead
  readonly #dresser = new Dresser()
  readonly #bodies = new HistoryBody<SendableMessage | DressedMessage>((message, previous) => jsonText(wireMessage(message, previous)))

  constructor(id: string, options: AnthropicOptions) {
    if (typeof id !== 'string' || id === '')
      throw new InputError(`anthropic(): expected the name of a model, such as "claude-sonnet-4-6", got ${JSON.stringify(id)}.`)
    const { baseURL = defaultBaseURL } = options
    if (!URL.canParse(baseURL))
      throw new InputError(`anthropic({ baseURL }): expected a URL such as "${defaultBaseURL}", got ${JSON.stringify(baseURL)}.`)
    const family = familyOf(id)
    this.id = id
    this.abilities = { output: family.bindsOutput ? 'native' : 'forced_tool', images: true, documents: true }
    this.contextWindow = options.contextWindow ?? family.contextWindow
    this.#options = options
    this.#url = endpoint(baseURL, '/v1/messages')
    this.#usesVariable = options.apiKey === undefined && this.#url === endpoint(defaultBaseURL, '/v1/messages')
    this.#head = new MessagesHead(id, options, family)
  }

  async *stream(request: ModelRequest, { signal, raw = false }: ModelStreamOptions): AsyncGenerator<ModelEvent, void, undefined> {
    const { headersTimeoutMs = defaultTimeoutMs, idleTimeoutMs = defaultTimeoutMs, clock = systemClock } = this.#options
    const headers = this.#headers()
    const source = { provider: this.provider, variable: this.#usesVariable ? keyVariable : undefined }
    const body = this.#body(request)
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
      const response = await call.open().finally(body.release)
      await this.#checkStream(response, call)
      const answer = new MessageEvents({ source, raw })
      let failure: unknown
      const sse = sseReader((event) => {
        // What came before an error is still told, however the bytes were cut.
        if (failure !== undefined) return
        try {
          answer.read(event)
        } catch (error) {
          failure = error
        }
      })
      const { events } = answer
      while (!answer.done) {
        const bytes = await call.read()
        if (!bytes) return
        sse.feed(bytes)
        for (const event of events) {
          if (call.failure) throw call.failure
          yield event
        }
        events.length = 0
        if (failure !== undefined) throw failure
      }
      await call.finish()
    } finally {
      call.close()
    }
  }

  #body(request: ModelRequest): LeasedBody {
    const { messages } = request
    const { json, room, goesOn } = this.#head.of(request)
    const last = messages.at(-1)
    const ending = last?.role === 'assistant' ? last.content.findLast(isReplayed) : undefined
    // A turn that the server paused goes back as it is.
    const needsWord = last?.role === 'assistant' && goesOn === 'asked' && !ending?.type.startsWith('server_tool')
    return this.#bodies.lease(
      json,
      this.#dresser.dress(messages, room, goesOn === 'itself' && ending?.type === 'text'),
      needsWord ? `${goOn}]}` : ']}',
    )
  }

  #headers(): Record<string, string> {
    const { apiKey, betas = [], headers } = this.#options
    const key = this.#usesVariable ? globalThis.process?.env[keyVariable] : apiKey
    const own = lowerCased(headers)
    const beta = [...betas, ...(own['anthropic-beta'] ? [own['anthropic-beta']] : [])].join(',')
    const all = {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'anthropic-version': apiVersion,
      ...(key && { 'x-api-key': key }),
      ...own,
      ...(beta && { 'anthropic-beta': beta }),
    }
    if (!key && this.#usesVariable && own['x-api-key'] === undefined && own['authorization'] === undefined) {
      throw new AuthenticationError(`${this.provider}: no API key. Set the environment variable ${keyVariable}, or give \`apiKey\`.`, {
        provider: this.provider,
        variable: keyVariable,
      })
    }
    return all
  }

  /** Something in between may answer well, but not in a stream: a page to log in, or an error as plain JSON. */
  async #checkStream(response: Response, call: HttpCall): Promise<void> {
    const type = response.headers.get('content-type') ?? ''
    if (!/json|html/.test(type)) return
    const text = await call.readText()
    const said = jsonOr(text)
    if (typeof said === 'object' && said !== null && 'error' in said) throw providerError(said, { provider: this.provider })
    throw new IncompleteStreamError(`${this.provider}: expected an event stream, got ${type}: ${headOf(text, 200)}`, {
      provider: this.provider,
    })
  }
}

const lowerCased = (headers: Readonly<Record<string, string>> | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]))
