import { IncompleteStreamError, OverloadedError } from '../../errors.ts'
import type { Citation } from '../../messages/content.ts'
import type { ModelStopReason } from '../../messages/stop-reason.ts'
import type { ModelEvent } from '../../models/model-events.ts'
import type { JsonValue } from '../../util/json.ts'
import { isObject } from '../../util/json.ts'
import { headOf } from '../../util/text.ts'
import { jsonOr } from '../wire/http-error.ts'
import type { ErrorSource } from '../wire/provider-error.ts'
import { providerError } from '../wire/provider-error.ts'
import type { SseEvent } from '../wire/sse.ts'
import type { CallDelta } from './chat-calls.ts'
import { ChatCalls } from './chat-calls.ts'
import type { WireUsage } from './chat-usage.ts'
import { usageOf } from './chat-usage.ts'

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
  readonly refusal?: string | null
  readonly tool_calls?: readonly CallDelta[] | null
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
type Chunk = {
  readonly id?: string
  readonly model?: string
  readonly object?: string
  readonly error?: unknown
  readonly choices?:
    | readonly {
        readonly index?: number | null
        readonly delta?: Delta | null
        readonly finish_reason?: string | null
        readonly usage?: WireUsage | null
      }[]
    | null
  readonly usage?: WireUsage | null
  readonly x_groq?: { readonly usage?: WireUsage | null } | null
}

const stopReasons: Readonly<Record<string, ModelStopReason>> = {
  tool_calls: 'tool_use',
  tool_use: 'tool_use',
  function_call: 'tool_use',
  length: 'max_tokens',
  max_tokens: 'max_tokens',
  model_length: 'context_window_exceeded',
  content_filter: 'content_filtered',
  stop_sequence: 'stop_sequence',
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
export class ChatChunks {
  readonly events: ModelEvent[] = []
  /** `[DONE]` was read: nothing more belongs to the answer. */
  done = false
  readonly #options: ChatChunksOptions
  readonly #calls: ChatCalls
  #blocks = 0
  /** The block of text that is open, and what it holds. */
  #open: { readonly kind: 'text' | 'reasoning' | 'refusal'; readonly index: number } | undefined
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

  #chunk(chunk: Chunk): void {
    if (!this.#started && (chunk.model || chunk.choices?.length)) {
      this.#started = true
      this.events.push({ type: 'message_start', ...(chunk.model && { model: chunk.model }), ...(chunk.id && { responseId: chunk.id }) })
    }
    let finish: string | null | undefined
    let usage = chunk.usage ?? chunk.x_groq?.usage
    if (chunk.choices) {
      for (const choice of chunk.choices) {
        // Only the first of several answers counts.
        if (choice.index) continue
        if (choice.delta) this.#delta(choice.delta)
        finish = choice.finish_reason
        usage ??= choice.usage
      }
    }
    if (usage) this.events.push({ type: 'metadata', usage: usageOf(usage), cumulative: true })
    if (finish) this.#finish(this.#stopReason(finish))
  }

  #delta(delta: Delta): void {
    const reasoning = delta.reasoning_content || delta.reasoning
    if (typeof reasoning === 'string') this.#say('reasoning', reasoning)
    const { content } = delta
    if (typeof content === 'string') this.#say('text', content)
    else if (content) for (const part of content) this.#part(part)
    if (delta.refusal) this.#say('refusal', delta.refusal)
    if (delta.annotations) for (const { url_citation: cited } of delta.annotations) if (cited) this.#cite({ ...cited })
    if (delta.function_call) this.#call({ function: delta.function_call })
    if (delta.tool_calls) for (const call of delta.tool_calls) this.#call(call)
  }

  #part(part: Part): void {
    if (part.type === 'thinking') {
      const { thinking } = part
      if (typeof thinking === 'string') this.#say('reasoning', thinking)
      else if (thinking) for (const { text } of thinking) this.#say('reasoning', text ?? '')
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

  #stopReason(finish: string): ModelStopReason {
    if (finish === 'error' || finish === 'insufficient_system_resource') {
      const { provider } = this.#options.source
      throw new OverloadedError(`${provider}: the answer was broken off (finish_reason "${finish}").`, { provider })
    }
    return stopReasons[finish] ?? 'end_turn'
  }

  /** The message is over. Some servers say so several times. */
  #finish(said: ModelStopReason): void {
    this.#closeOpen()
    this.#calls.end()
    const stopReason = said === 'end_turn' && this.#refused ? 'refusal' : said
    if (stopReason === this.#finished) return
    this.#finished = stopReason
    this.events.push({ type: 'message_stop', stopReason })
  }
}
