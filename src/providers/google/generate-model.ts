import { IncompleteStreamError } from '../../errors.ts'
import type { SendableMessage } from '../../messages/normalise.ts'
import type { Model, ModelAbilities, ModelRequest, ModelStreamOptions } from '../../models/model.ts'
import type { ModelEvent } from '../../models/model-events.ts'
import { reasonOf } from '../../util/abort.ts'
import { systemClock } from '../../util/clock.ts'
import { headOf } from '../../util/text.ts'
import { HistoryBody } from '../wire/history-body.ts'
import { defaultFetch } from '../wire/default-fetch.ts'
import { HttpCall } from '../wire/http-call.ts'
import { jsonText } from '../wire/json-text.ts'
import { ChunkReader } from './chunk-reader.ts'
import { wireContent } from './contents.ts'
import { credentials } from './credentials.ts'
import { familyOf } from './families.ts'
import { GenerateChunks } from './generate-chunks.ts'
import { GenerateHead } from './generate-request.ts'
import { checkOptions, defaultTimeoutMs, endpoint, providerName } from './options.ts'
import type { GoogleOptions } from './options.ts'

/** Gemini's `streamGenerateContent` over `fetch` and server-sent events. One object serves any number of conversations at once. */
export class GenerateModel implements Model {
  readonly provider = providerName
  readonly id: string
  readonly abilities: ModelAbilities
  readonly contextWindow: number | undefined
  readonly #options: GoogleOptions
  readonly #url: string
  readonly #head: GenerateHead
  readonly #bodies: HistoryBody<SendableMessage>

  constructor(id: string, options: GoogleOptions) {
    checkOptions(id, options)
    const family = familyOf(id)
    const contents = { sendsIds: options.vertex === undefined, wantsSignatures: family.wantsSignatures }
    this.id = id
    this.abilities = { output: family.bindsOutput ? 'native' : 'forced_tool', images: true, documents: true }
    this.contextWindow = options.contextWindow ?? family.contextWindow
    this.#options = options
    this.#url = endpoint(id, options)
    this.#head = new GenerateHead(options, family)
    this.#bodies = new HistoryBody((message, previous) => jsonText(wireContent(message, previous, contents)))
  }

  async *stream(request: ModelRequest, { signal, raw = false }: ModelStreamOptions): AsyncGenerator<ModelEvent, void, undefined> {
    const { headersTimeoutMs = defaultTimeoutMs, idleTimeoutMs = defaultTimeoutMs, clock = systemClock } = this.#options
    if (signal.aborted) throw reasonOf(signal)
    const own = lowerCased(this.#options.headers)
    const { headers, variable } = await credentials(this.id, this.#options, own, { signal, clock, timeoutMs: headersTimeoutMs })
    const source = { provider: this.provider, variable, ...(this.#options.vertex && { credential: 'vertex.accessToken' }) }
    const body = this.#bodies.lease(this.#head.of(request), request.messages, ']}')
    const call = new HttpCall({
      ...source,
      url: this.#url,
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers, ...own },
      body: body.bytes,
      signal,
      fetch: this.#options.fetch ?? defaultFetch(),
      clock,
      headersTimeoutMs,
      idleTimeoutMs,
    })
    try {
      const response = await call.open().finally(body.release)
      const chunks = new GenerateChunks({ source, raw })
      const type = response.headers.get('content-type') ?? ''
      // A page to log in, of something in between.
      if (type.includes('html')) throw notEvents(type, await call.readText())
      const reader = new ChunkReader((json) => chunks.read(json), type.includes('json'))
      const { events } = chunks
      for (let isOver = false; !isOver;) {
        const bytes = await call.read()
        isOver = bytes === undefined
        if (bytes) reader.feed(bytes)
        else reader.end()
        if (isOver && reader.failure === undefined) chunks.end()
        for (const event of events) {
          if (call.failure) throw call.failure
          yield event
        }
        events.length = 0
        if (reader.failure !== undefined) throw reader.failure
      }
    } finally {
      call.close()
    }
  }
}

const notEvents = (type: string, text: string): IncompleteStreamError =>
  new IncompleteStreamError(`${providerName}: expected an event stream, got ${type}: ${headOf(text, 200)}`, { provider: providerName })

const lowerCased = (headers: Readonly<Record<string, string>> | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]))
