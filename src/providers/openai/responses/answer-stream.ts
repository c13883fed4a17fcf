import { AuthenticationError, IncompleteStreamError } from '../../../errors.ts'
import type { ModelError } from '../../../errors.ts'
import type { ModelEvent } from '../../../models/model-events.ts'
import { systemClock } from '../../../util/clock.ts'
import { headOf } from '../../../util/text.ts'
import type { LeasedBody } from '../../wire/history-body.ts'
import { defaultFetch } from '../../wire/default-fetch.ts'
import { HttpCall } from '../../wire/http-call.ts'
import { jsonOr } from '../../wire/http-error.ts'
import { providerError } from '../../wire/provider-error.ts'
import type { SseEvent } from '../../wire/sse.ts'
import { sseReader } from '../../wire/sse.ts'
import { defaultTimeoutMs } from '../options.ts'
import type { OpenAIOptions } from '../options.ts'

/** A server, and how it knows who asks. */
export type Service = {
  readonly provider: string
  readonly url: string
  /** The environment variable that holds the key, where it is to be looked for. Without one no key is needed. */
  readonly variable?: string | undefined
  /** The header that carries the key. Default `authorization`, as a bearer's. */
  readonly keyHeader?: string | undefined
}

/** Turns what the server sends into model events, which it leaves in `events`. */
export interface AnswerReader {
  readonly events: ModelEvent[]
  /** Nothing more belongs to the answer. */
  readonly done: boolean
  /** @throws {ModelError} when the provider reports an error, or says what cannot be understood. */
  read(event: SseEvent): void
}

/** What identifies the asker. @throws {AuthenticationError} when there is nothing though it is needed. */
export function requestHeaders({ provider, variable, keyHeader }: Service, { apiKey, headers }: OpenAIOptions): Record<string, string> {
  const key = apiKey || (variable && globalThis.process?.env[variable])
  const own = Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]))
  if (!key && variable && own['authorization'] === undefined && own[keyHeader ?? ''] === undefined)
    throw new AuthenticationError(`${provider}: no API key. Set the environment variable ${variable}, or give \`apiKey\`.`, {
      provider,
      variable,
    })
  return {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...(key && (keyHeader ? { [keyHeader]: key } : { authorization: `Bearer ${key}` })),
    ...own,
  }
}

export type AnswerRequest = {
  readonly service: Service
  readonly options: OpenAIOptions
  readonly headers: Readonly<Record<string, string>>
  readonly body: LeasedBody
  readonly signal: AbortSignal
  readonly reader: AnswerReader
}

/** Sends a request, and tells what its reader makes of the answer as soon as the bytes are there. */
export async function* streamAnswer({
  service,
  options,
  headers,
  body,
  signal,
  reader,
}: AnswerRequest): AsyncGenerator<ModelEvent, void, undefined> {
  const { headersTimeoutMs = defaultTimeoutMs, idleTimeoutMs = defaultTimeoutMs, clock = systemClock } = options
  const { provider, variable, url } = service
  const fetch = options.fetch ?? defaultFetch()
  const call = new HttpCall({
    provider,
    variable,
    url,
    headers,
    body: body.bytes,
    signal,
    fetch,
    clock,
    headersTimeoutMs,
    idleTimeoutMs,
  })
  try {
    await call.open().finally(body.release)
    let failure: unknown
    const sse = sseReader((event) => {
      // What came before an error is still told, however the bytes were cut.
      if (failure !== undefined) return
      try {
        reader.read(event)
      } catch (error) {
        failure = error
      }
    })
    const { events } = reader
    let bytes = await call.read()
    if (bytes && isDocument(bytes)) throw await noStream(call, bytes, provider)
    while (bytes) {
      sse.feed(bytes)
      for (const event of events) {
        if (call.failure) throw call.failure
        yield event
      }
      events.length = 0
      if (failure !== undefined) throw failure
      if (reader.done) return await call.finish()
      bytes = await call.read()
    }
  } finally {
    call.close()
  }
}

/** Does it begin like JSON or a page? No line of an event stream does. The content type is of no help: some servers name a wrong one. */
const isDocument = (bytes: Uint8Array): boolean => bytes[0] === 0x7b || bytes[0] === 0x5b || bytes[0] === 0x3c

/** Something in between may answer well, but not in a stream: a page to log in, or an error as plain JSON. */
async function noStream(call: HttpCall, begin: Uint8Array, provider: string): Promise<ModelError> {
  const text = await call.readText(begin)
  const said = jsonOr(text)
  if (typeof said === 'object' && said !== null && 'error' in said) return providerError(said, { provider })
  return new IncompleteStreamError(`${provider}: expected an event stream, got: ${headOf(text, 200)}`, { provider })
}
