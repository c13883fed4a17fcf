import { IncompleteStreamError } from '../../../errors.ts'
import type { ModelStopReason } from '../../../messages/stop-reason.ts'
import type { ModelEvent } from '../../../models/model-events.ts'
import type { JsonObject, JsonValue } from '../../../util/json.ts'
import { isObject } from '../../../util/json.ts'
import { headOf } from '../../../util/text.ts'
import { jsonOr } from '../../wire/http-error.ts'
import type { AnswerReader } from '../../wire/answer-stream.ts'
import type { ErrorSource } from '../../wire/provider-error.ts'
import { providerError } from '../../wire/provider-error.ts'
import type { SseEvent } from '../../wire/sse.ts'
import type { ResponseItem, TextKind, Told, WireItem } from './response-item.ts'
import { CallItem } from './call-item.ts'
import { OtherItem } from './other-item.ts'
import { TextItem } from './text-item.ts'
import type { WireUsage } from './usage.ts'
import { usageOf } from './usage.ts'

type Response = {
  readonly id?: string
  readonly model?: string
  readonly status?: string
  readonly error?: unknown
  readonly incomplete_details?: { readonly reason?: string | null } | null
  readonly output?: readonly WireItem[] | null
  readonly usage?: WireUsage | null
}
type Chunk = {
  readonly type?: string
  readonly error?: unknown
  readonly response?: Response
  readonly item?: WireItem
  readonly item_id?: string
  readonly output_index?: number
  readonly content_index?: number
  readonly summary_index?: number
  readonly delta?: string
  readonly text?: string
  readonly refusal?: string
  readonly arguments?: string
  readonly name?: string
  readonly annotation?: JsonObject
  readonly part?: JsonObject
}

/** Events that bring a piece of a text, and which text it is. */
const pieces: Readonly<Record<string, TextKind>> = {
  'response.output_text.delta': 'text',
  'response.refusal.delta': 'refusal',
  'response.reasoning_summary_text.delta': 'summary',
  'response.reasoning_text.delta': 'content',
}
/** Events that bring all of it. */
const wholes: Readonly<Record<string, TextKind>> = {
  'response.output_text.done': 'text',
  'response.refusal.done': 'refusal',
  'response.reasoning_summary_text.done': 'summary',
  'response.reasoning_text.done': 'content',
}

export type ResponsesEventsOptions = { readonly source: ErrorSource; readonly raw: boolean }

/**
 * Turns the events of a Responses stream into model events. Items are known by their place in the output: their ids may
 * differ from event to event. The message is over only when the response says how it ended.
 */
export class ResponsesEvents implements AnswerReader {
  readonly events: ModelEvent[] = []
  done = false
  readonly #options: ResponsesEventsOptions
  readonly #told: Told
  readonly #items: OpenItem[] = []
  #blocks = 0
  #started = false
  #refused = false
  #called = false

  constructor(options: ResponsesEventsOptions) {
    this.#options = options
    this.#told = { provider: options.source.provider, push: (event) => this.events.push(event), nextBlock: () => this.#blocks++ }
  }

  read({ event, data }: SseEvent): void {
    // Some servers put the end mark of another API behind the response.
    if (this.done || data === '' || data.startsWith('[DONE]')) return
    const { source, raw } = this.#options
    const chunk = jsonOr(data) as Chunk
    if (event === 'error') throw providerError(chunk, source)
    if (typeof chunk === 'string')
      throw new IncompleteStreamError(`${source.provider}: expected JSON in the stream, got ${JSON.stringify(headOf(data, 200))}.`, {
        provider: source.provider,
      })
    if (!isObject(chunk)) return
    if (raw) this.events.push({ type: 'raw', chunk: chunk as JsonValue })
    const type = chunk.type ?? event
    if (type === 'error' || (chunk.error && !type?.startsWith('response.'))) throw providerError(chunk, source)
    this.#chunk(type ?? '', chunk)
  }

  whole(said: Response): boolean {
    if (!Array.isArray(said.output)) return false
    this.#chunk(`response.${said.status ?? 'completed'}`, { response: said })
    return true
  }

  #chunk(type: string, chunk: Chunk): void {
    const { item, delta: piece, response } = chunk
    if (response) this.#begin(response)
    const kind = typeof piece === 'string' ? pieces[type] : undefined
    if (kind) return this.#textItem(chunk, kind).say?.(kind, partOf(chunk), piece!)
    const whole = wholes[type]
    if (whole) return this.#textItem(chunk, whole).sayAll?.(whole, partOf(chunk), chunk.text ?? chunk.refusal ?? '')
    switch (type) {
      case 'response.output_item.added':
        return void (item && this.#open(chunk.output_index, item))
      case 'response.output_item.done':
        return item && this.#done(this.#itemOf({ ...chunk, ...(item.id && { item_id: item.id }) }, item), item)
      case 'response.function_call_arguments.delta':
        return this.#itemOf(chunk, unnamedCall).is.input?.(piece ?? '')
      case 'response.function_call_arguments.done':
        return this.#itemOf(chunk, unnamedCall).is.inputAll?.(chunk.arguments ?? '')
      case 'response.output_text.annotation.added':
        return chunk.annotation && this.#textItem(chunk, 'text').cite?.(partOf(chunk), chunk.annotation)
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
        return this.#finish(type, response ?? {})
      default:
        // Progress of what comes whole later, and what this version does not know.
        return
    }
  }

  #begin({ id, model }: Response): void {
    if (this.#started) return
    this.#started = true
    this.events.push({ type: 'message_start', ...(model && { model }), ...(id && { responseId: id }) })
  }

  #textItem(chunk: Chunk, kind: TextKind): ResponseItem {
    return this.#itemOf(chunk, {
      type: kind === 'summary' || kind === 'content' ? 'reasoning' : 'message',
      ...(chunk.item_id && { id: chunk.item_id }),
    }).is
  }

  /**
   * The item of this kind at this place. Some servers name no place, or 0 for each item: then it is the one with this id, else the
   * newest. One whose beginning was lost begins as this.
   */
  #itemOf({ output_index: place, item_id: id }: Chunk, otherwise: WireItem): OpenItem {
    const there = place === undefined ? this.#items : this.#items.filter((item) => item.place === place)
    const fitting = there.filter(({ type }) => type === otherwise.type)
    return (id === undefined ? undefined : fitting.findLast((item) => item.id === id)) ?? fitting.at(-1) ?? this.#begun(place, otherwise)
  }

  /** An item that is announced. Told twice it is one; with another id, or of another kind, it is another at the same place. */
  #open(place: number | undefined, item: WireItem): OpenItem {
    const known = place === undefined ? undefined : this.#items.findLast((open) => open.place === place)
    const isSame = known?.type === item.type && (known?.id === undefined || item.id === undefined || known.id === item.id)
    return known && isSame ? known : this.#begun(place, item)
  }

  #begun(place: number | undefined, item: WireItem): OpenItem {
    const begun: OpenItem = { place, id: item.id, type: item.type, is: this.#make(item), isDone: false }
    this.#items.push(begun)
    return begun
  }

  #done(open: OpenItem, item: WireItem): void {
    // Behind its end another of its kind can stand at its place, whose beginning was lost.
    const ended = open.isDone && item.id !== undefined && item.id !== open.id ? this.#begun(open.place, item) : open
    ended.isDone = true
    ended.is.done(item)
  }

  #make(item: WireItem): ResponseItem {
    switch (item.type) {
      case 'message':
      case 'reasoning':
        return new TextItem(item, this.#told, () => (this.#refused = true))
      case 'function_call':
        this.#called = true
        return new CallItem(item, this.#told)
      default:
        return new OtherItem(item, this.#told)
    }
  }

  #finish(type: string, response: Response): void {
    const { status, error, incomplete_details: details, usage, output } = response
    if (usage) this.events.push({ type: 'metadata', usage: usageOf(usage), cumulative: true })
    if (type === 'response.failed' || type === 'response.cancelled' || status === 'failed' || status === 'cancelled')
      throw providerError(
        { error: error ?? { message: `the answer was broken off (${status ?? type})`, code: 'server_error' } },
        this.#options.source,
      )
    for (const item of this.#missing(output ?? [])) this.#done(this.#begun(undefined, item), item)
    const whole = type === 'response.completed' && status !== 'incomplete' && !details?.reason
    for (const item of this.#items) item.is.end(whole)
    this.done = true
    this.events.push({
      type: 'message_stop',
      stopReason: whole ? (this.#refused && !this.#called ? 'refusal' : 'end_turn') : cutBy(details?.reason),
    })
  }

  /**
   * Some servers send the response alone, or its texts in pieces and its calls only in the end. Where one item of a kind was told,
   * all were: ids may differ in the end, and a call must not run twice.
   */
  #missing(output: readonly WireItem[]): readonly WireItem[] {
    const told = new Set(this.#items.map(({ type }) => type))
    const isLate = (type: string | undefined): boolean => (type === 'message' || type === 'function_call') && !told.has(type)
    return output.filter((item) => isObject(item) && (told.size === 0 || isLate(item.type)))
  }
}

/** An item, and where it is known by. */
type OpenItem = {
  readonly place: number | undefined
  readonly id: string | undefined
  readonly type: string | undefined
  readonly is: ResponseItem
  isDone: boolean
}

const unnamedCall: WireItem = { type: 'function_call' }

const partOf = ({ content_index: content, summary_index: summary }: Chunk): number => summary ?? content ?? 0

const cutBy = (reason: string | null | undefined): ModelStopReason => (reason === 'content_filter' ? 'content_filtered' : 'max_tokens')
