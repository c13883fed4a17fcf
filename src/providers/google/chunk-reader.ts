import { IncompleteStreamError } from '../../errors.ts'
import type { SseReader } from '../wire/sse.ts'
import { sseReader } from '../wire/sse.ts'
import { JsonObjects } from './json-objects.ts'
import { providerName } from './options.ts'

const lineEnds = new TextEncoder().encode('\n\n')

/**
 * Reads the chunks of an answer out of bytes, however these are cut. They come as events; behind them an error may stand as
 * plain JSON. A server that does not know of events sends them as one JSON list.
 */
export class ChunkReader {
  /** What the first chunk that failed threw. What came before it is still told, and nothing behind it. */
  failure: unknown
  readonly #read: (json: string) => void
  readonly #objects = new JsonObjects((json) => this.#take(json))
  readonly #events: SseReader | undefined
  readonly #decoder = new TextDecoder()

  constructor(read: (json: string) => void, isPlainJson: boolean) {
    this.#read = read
    if (!isPlainJson)
      this.#events = sseReader(
        ({ data }) => this.#take(data),
        (line) => {
          if (this.#objects.isOpen || /^\s*[[{]/.test(line)) this.#objects.feed(`${line}\n`)
        },
      )
  }

  feed(bytes: Uint8Array): void {
    if (this.#events) this.#events.feed(bytes)
    else this.#objects.feed(this.#decoder.decode(bytes, { stream: true }))
  }

  /** The stream is over. A last event may lack the empty line behind it: its JSON tells whether it is whole. */
  end(): void {
    this.#events?.feed(lineEnds)
    if (this.#objects.isOpen)
      this.failure ??= new IncompleteStreamError(`${providerName}: the stream ended amid its JSON.`, { provider: providerName })
  }

  #take(json: string): void {
    // Gateways end with a mark of their own.
    if (this.failure !== undefined || json === '' || json.startsWith('[DONE]')) return
    try {
      this.#read(json)
    } catch (error) {
      this.failure = error
    }
  }
}
