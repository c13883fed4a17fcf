import { AuthenticationError, InputError } from '../../errors.ts'
import type { SendableMessage } from '../../messages/normalise.ts'
import type { Model, ModelAbilities, ModelRequest, ModelStreamOptions } from '../../models/model.ts'
import type { ModelEvent } from '../../models/model-events.ts'
import { streamAnswer } from '../wire/answer-stream.ts'
import type { LeasedBody } from '../wire/history-body.ts'
import { HistoryBody } from '../wire/history-body.ts'
import { headerKey } from '../wire/header-values.ts'
import { jsonText } from '../wire/json-text.ts'
import type { DressedMessage } from './cache-points.ts'
import { Dresser } from './cache-points.ts'
import { familyOf } from './families.ts'
import { MessageEvents } from './message-events.ts'
import { wireMessage } from './messages.ts'
import { MessagesHead } from './messages-request.ts'
import { apiVersion, defaultBaseURL, endpoint, keyVariable, providerName } from './options.ts'
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
  readonly #signs: boolean
  readonly #dresser: Dresser
  readonly #bodies: HistoryBody<SendableMessage | DressedMessage>

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
    const { signs } = family
    this.#signs = signs
    this.#dresser = new Dresser(signs)
    this.#bodies = new HistoryBody((message, previous) => jsonText(wireMessage(message, previous, signs)))
  }

  stream(request: ModelRequest, { signal, raw = false }: ModelStreamOptions): AsyncGenerator<ModelEvent, void, undefined> {
    const source = { provider: this.provider, variable: this.#usesVariable ? keyVariable : undefined }
    return streamAnswer(() => ({
      source,
      url: this.#url,
      headers: this.#headers(),
      options: this.#options,
      body: this.#body(request),
      signal,
      reader: new MessageEvents({ source, raw }),
    }))
  }

  #body(request: ModelRequest): LeasedBody {
    const { messages } = request
    const { json, room, goesOn } = this.#head.of(request)
    const last = messages.at(-1)
    const ending = last?.role === 'assistant' ? last.content.findLast((block) => isReplayed(block, this.#signs)) : undefined
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
    const variable = this.#usesVariable ? keyVariable : undefined
    const found = variable ? globalThis.process?.env[variable] : apiKey
    const key = found && headerKey(found, { provider: this.provider, variable })
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
}

const lowerCased = (headers: Readonly<Record<string, string>> | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]))
