import { IncompleteStreamError } from '../../errors.ts'
import type { Citation } from '../../messages/content.ts'
import type { ModelStopReason } from '../../messages/stop-reason.ts'
import type { ModelEvent } from '../../models/model-events.ts'
import type { JsonValue } from '../../util/json.ts'
import { isObject } from '../../util/json.ts'
import { headOf } from '../../util/text.ts'
import { jsonOr } from '../wire/http-error.ts'
import type { AnswerReader } from '../wire/answer-stream.ts'
import type { ErrorSource } from '../wire/provider-error.ts'
import { providerError } from '../wire/provider-error.ts'
import type { SseEvent } from '../wire/sse.ts'
import type { CallDelta } from './chat-calls.ts'
import { ChatCalls } from './chat-calls.ts'
import { stopReasonOf } from './chat-finish.ts'
import type { WireUsage } from './chat-usage.ts'
import { usageOf } from './chat-usage.ts'
import { ReasoningDetails } from './reasoning-details.ts'

type Part = {
  readonly type?: string
  readonly text?: string
  readonly refusal?: string
  readonly thinking?: string | readonly Part[] | null
}
type Delta = {
  readonly content?: string | readonly Part[] | null
  readonly reasoning_content?: string | null
  readonly reasoning?: string | null
  readonly reasoning_details?: readonly unknown[] | null
  readonly refusal?: string | null
  readonly tool_calls?: readonly (CallDelta | null)[] | null
  readonly function_call?: CallDelta['function']
  readonly annotations?:
    | readonly {
        readonly url_citation?: {
          readonly url?: string
          readonly title?: string
          readonly content?: string
          readonly start_index?: number
          readonly end_index?: number
        }
      }[]
    | null
}
type Choice = {
  readonly index?: number | null
  readonly delta?: Delta | null
  /** What a server gives that does not know of pieces. */
  readonly message?: Delta | null
  readonly finish_reason?: string | null
  readonly native_finish_reason?: string | null
  readonly error?: unknown
  readonly usage?: WireUsage | null
}
type Chunk = {
  readonly id?: string
  readonly model?: string
  readonly object?: string
  readonly error?: unknown
  readonly choices?: readonly (Choice | null)[] | null
  readonly usage?: WireUsage | null
  readonly x_groq?: { readonly usage?: WireUsage | null } | null
}

export type ChatChunksOptions = {
  readonly source: ErrorSource
  readonly toolNames: ReadonlySet<string>
  readonly raw: boolean
}

/**
 * Turns the chunks of a Chat Completions stream into model events, which it leaves in `events`. The message is over with
 * a finish reason or `[DONE]`, whichever is there; usage may come before or after.
 */
export class ChatChunks implements AnswerReader {
  readonly events: ModelEvent[] = []
  /** `[DONE]` was read: nothing more belongs to the answer. */
  done = false
  readonly #options: ChatChunksOptions
  readonly #calls: ChatCalls
  #blocks = 0
  /** The block of text that is open, and what it holds. */
  #open: { readonly kind: 'text' | 'reasoning' | 'refusal'; readonly index: number } | undefined
  #details: { readonly read: ReasoningDetails; readonly index: number } | undefined
  #started = false
  #refused = false
  #finished: ModelStopReason | undefined

  constructor(options: ChatChunksOptions) {
    this.#options = options
    this.#calls = new ChatCalls({
      push: (event) => this.events.push(event),
      nextBlock: () => this.#nextBlock(),
      toolNames: options.toolNames,
    })
  }

  /** @throws {ModelError} when the provider reports an error, or says what cannot be understood. */
  read({ event, data }: SseEvent): void {
    if (this.done || data === '') return
    if (data.startsWith('[DONE]')) {
      this.done = true
      return this.#finish(this.#finished ?? 'end_turn')
    }
    const chunk = jsonOr(data) as Chunk
    if (event === 'error') throw providerError(chunk, this.#options.source)
    if (typeof chunk === 'string')
      throw new IncompleteStreamError(
        `${this.#options.source.provider}: expected JSON in the stream, got ${JSON.stringify(headOf(data, 200))}.`,
        { provider: this.#options.source.provider },
      )
    if (!isObject(chunk)) return
    if (this.#options.raw) this.events.push({ type: 'raw', chunk: chunk as JsonValue })
    if (chunk.error || chunk.object === 'error') throw providerError(chunk, this.#options.source)
    this.#chunk(chunk)
  }

  whole(said: Chunk): boolean {
    if (!Array.isArray(said.choices)) return false
    this.#chunk(said)
    this.done = true
    this.#finish(this.#finished ?? 'end_turn')
    return true
  }

  #chunk(chunk: Chunk): void {
    if (!this.#started && (chunk.model || chunk.choices?.length)) {
      this.#started = true
      this.events.push({ type: 'message_start', ...(chunk.model && { model: chunk.model }), ...(chunk.id && { responseId: chunk.id }) })
    }
    let ending: Choice | undefined
    let usage = chunk.usage ?? chunk.x_groq?.usage
    for (const choice of listOf(chunk.choices)) {
      // Only the first of several answers counts.
      if (!choice || choice.index) continue
      const said = choice.delta ?? choice.message
      if (said) this.#delta(said)
      if (choice.finish_reason || choice.error) ending = choice
      usage ??= choice.usage
    }
    if (usage) this.events.push({ type: 'metadata', usage: usageOf(usage), cumulative: true })
    if (ending) this.#end(ending)
  }

  #end({ finish_reason: finish, native_finish_reason: native, error }: Choice): void {
    const { source } = this.#options
    if (error) throw providerError({ error }, source)
    this.#finish(stopReasonOf(finish!, native, source.provider))
  }

  #delta(delta: Delta): void {
    const reasoning = delta.reasoning_content || delta.reasoning
    if (typeof reasoning === 'string') this.#say('reasoning', reasoning)
    if (Array.isArray(delta.reasoning_details)) this.#detail(delta.reasoning_details, typeof reasoning === 'string' && reasoning !== '')
    const { content } = delta
    if (typeof content === 'string') this.#say('text', content)
    else for (const part of listOf(content)) this.#part(part)
    if (delta.refusal) this.#say('refusal', delta.refusal)
    for (const annotation of listOf(delta.annotations)) if (annotation?.url_citation) this.#cite({ ...annotation.url_citation })
    if (delta.function_call) this.#call({ function: delta.function_call })
    for (const call of listOf(delta.tool_calls)) if (call) this.#call(call)
  }

  /** They stand with the first thought, which has no words where all is encrypted. */
  #detail(told: readonly unknown[], isSaid: boolean): void {
    if (told.length === 0) return
    const details = (this.#details ??= { read: new ReasoningDetails(), index: this.#blockOf('reasoning') })
    const words = details.read.read(told)
    if (!isSaid) this.#say('reasoning', words)
  }

  #part(part: Part | null): void {
    if (!isObject(part)) return
    if (part.type === 'thinking') {
      const { thinking } = part
      if (typeof thinking === 'string') this.#say('reasoning', thinking)
      else for (const inner of listOf(thinking)) this.#say('reasoning', inner?.text ?? '')
    } else if (part.type === 'refusal') this.#say('refusal', part.refusal ?? '')
    else if (part.type === 'text') this.#say('text', part.text ?? '')
  }

  #say(kind: 'text' | 'reasoning' | 'refusal', text: string): void {
    if (text === '') return
    if (kind === 'refusal') this.#refused = true
    const index = this.#blockOf(kind)
    this.events.push({ type: 'block_delta', index, delta: { type: kind === 'reasoning' ? 'reasoning' : 'text', text } })
  }

  #cite({
    url,
    title,
    content: quote,
    start_index: start,
    end_index: end,
  }: {
    url?: string
    title?: string
    content?: string
    start_index?: number
    end_index?: number
  }): void {
    const citation: Citation = {
      ...(title && { title }),
      ...(url && { url }),
      ...(quote && { quote }),
      ...(start !== undefined && { start }),
      ...(end !== undefined && { end }),
    }
    this.events.push({ type: 'block_delta', index: this.#blockOf('text'), delta: { type: 'citation', citation } })
  }

  #call(delta: CallDelta): void {
    this.#closeOpen()
    this.#calls.read(delta)
  }

  /** The open block of this kind; one of another kind is closed. */
  #blockOf(kind: 'text' | 'reasoning' | 'refusal'): number {
    if (this.#open?.kind === kind) return this.#open.index
    this.#closeOpen()
    const index = this.#nextBlock()
    this.#open = { kind, index }
    this.events.push({ type: 'block_start', index, block: { type: kind === 'reasoning' ? 'reasoning' : 'text' } })
    return index
  }

  #closeOpen(): void {
    if (!this.#open) return
    this.events.push({ type: 'block_stop', index: this.#open.index })
    this.#open = undefined
  }

  #nextBlock(): number {
    return this.#blocks++
  }

  /** The message is over. Some servers say so several times. */
  #finish(said: ModelStopReason): void {
    this.#closeOpen()
    this.#calls.end()
    const stopReason = said === 'end_turn' && this.#refused ? 'refusal' : said
    if (stopReason === this.#finished) return
    this.#tellDetails()
    this.#finished = stopReason
    this.events.push({ type: 'message_stop', stopReason })
  }

  #tellDetails(): void {
    if (!this.#details) return
    const { read, index } = this.#details
    this.events.push({ type: 'block_delta', index, delta: { type: 'provider', data: { reasoning_details: read.all() } } })
  }
}

/** A list as it is, one thing as a list of it: some servers forget the brackets. */
function listOf<T>(value: readonly T[] | T | null | undefined): readonly (T | null)[] {
  if (value === null || value === undefined) return none
  return Array.isArray(value) ? (value as readonly T[]) : isObject(value) ? [value] : none
}

const none: readonly never[] = []
