import { IncompleteStreamError } from '../../errors.ts'
import type { ModelEvent } from '../../models/model-events.ts'
import { systemClock } from '../../util/clock.ts'
import type { Clock } from '../../util/clock.ts'
import { isObject } from '../../util/json.ts'
import { headOf } from '../../util/text.ts'
import { defaultFetch } from './default-fetch.ts'
import type { LeasedBody } from './history-body.ts'
import { HttpCall } from './http-call.ts'
import { jsonOr } from './http-error.ts'
import type { ErrorSource } from './provider-error.ts'
import { providerError } from './provider-error.ts'
import type { SseEvent } from './sse.ts'
import { sseReader } from './sse.ts'
import { DocumentSniffer, strayError } from './strays.ts'

/** Turns what a server sends into model events, which it leaves in `events`. */
export interface AnswerReader {
  readonly events: ModelEvent[]
  /** Nothing more belongs to the answer. */
  readonly done: boolean
  /** @throws {ModelError} when the provider reports an error, or says what cannot be understood. */
  read(event: SseEvent): void
  /** Takes an answer that came whole, as plain JSON; false when it is none. @throws {ModelError} as `read`. */
  whole(said: Readonly<Record<string, unknown>>): boolean
}

type AnswerRequest = {
  readonly source: ErrorSource
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: LeasedBody
  readonly signal: AbortSignal
  readonly reader: AnswerReader
  readonly options: {
    readonly fetch?: typeof globalThis.fetch | undefined
    readonly clock?: Clock | undefined
    readonly headersTimeoutMs?: number | undefined
    readonly idleTimeoutMs?: number | undefined
  }
}

const defaultTimeoutMs = 300_000
/** The longest answer that is taken whole, in bytes. */
const maxWholeBytes = 8 * 1024 * 1024

/**
 * Sends a request, and tells what its reader makes of the answer as soon as the bytes are there.
 *
 * @param made makes the request, when the first event is asked for. What it throws is thrown then.
 */
export async function* streamAnswer(made: () => AnswerRequest): AsyncGenerator<ModelEvent, void, undefined> {
  const request = made()
  const { source, url, headers, body, signal, reader, options } = request
  const { headersTimeoutMs = defaultTimeoutMs, idleTimeoutMs = defaultTimeoutMs, clock = systemClock } = options
  const fetch = options.fetch ?? defaultFetch()
  const call = new HttpCall({ ...source, url, headers, body: body.bytes, signal, fetch, clock, headersTimeoutMs, idleTimeoutMs })
  try {
    const response = await call.open().finally(body.release)
    let failure: unknown
    const sse = sseReader(
      (event) => {
        // What came before an error is still told, however the bytes were cut.
        if (failure !== undefined) return
        try {
          reader.read(event)
        } catch (error) {
          failure = error
        }
      },
      (line) => {
        if (!reader.done) failure ??= strayError(line, source)
      },
    )
    const sniffer = new DocumentSniffer()
    const { events } = reader
    for (let isOver = false; !isOver;) {
      const bytes = await call.read()
      isOver = bytes === undefined
      if (bytes === undefined) sse.end()
      else if (sniffer.isDocument(bytes)) {
        isOver = true
        await readWhole(call, bytes, request, response.headers.get('content-type'))
      } else sse.feed(bytes)
      for (const event of events) {
        if (call.failure) throw call.failure
        yield event
      }
      events.length = 0
      if (failure !== undefined) throw failure
      if (reader.done) return await call.finish()
    }
  } finally {
    call.close()
  }
}

/**
 * Something in between may answer well, but not in a stream: a page to log in, or an error as plain JSON. And some servers give
 * the whole answer at once.
 */
async function readWhole(call: HttpCall, begin: Uint8Array, { source, reader }: AnswerRequest, type: string | null): Promise<void> {
  const { provider } = source
  const text = await call.readText(begin, maxWholeBytes)
  const said = jsonOr(text.replace(/^\ufeff/, ''))
  const inside: unknown = Array.isArray(said) ? (said as unknown[])[0] : said
  if (isObject(inside)) {
    if (inside['error']) throw providerError(inside, { provider })
    if (reader.whole(inside)) return
  }
  throw new IncompleteStreamError(`${provider}: expected an event stream, got${type ? ` ${type}` : ''}: ${headOf(text.trimStart(), 200)}`, {
    provider,
  })
}
