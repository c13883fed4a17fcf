import { IncompleteStreamError } from '../../errors.ts'
import type { ModelStopReason } from '../../messages/stop-reason.ts'
import type { BlockDelta, ModelEvent } from '../../models/model-events.ts'
import type { JsonObject, JsonValue } from '../../util/json.ts'
import { isObject } from '../../util/json.ts'
import { headOf, isBlank } from '../../util/text.ts'
import { jsonOr } from '../wire/http-error.ts'
import type { AnswerReader } from '../wire/answer-stream.ts'
import type { ErrorSource } from '../wire/provider-error.ts'
import { providerError } from '../wire/provider-error.ts'
import type { SseEvent } from '../wire/sse.ts'
import { citationOf } from './citation.ts'
import type { OpenBlock, WireBlock } from './open-block.ts'
import { openBlock } from './open-block.ts'
import { providerName } from './options.ts'
import type { WireUsage } from './usage.ts'
import { mergedUsage, usageOf } from './usage.ts'

type Delta = {
  readonly type?: string
  readonly text?: string
  readonly thinking?: string
  readonly signature?: string
  readonly partial_json?: string
  readonly citation?: JsonObject
  readonly stop_reason?: string | null
  readonly stop_sequence?: string | null
}
type Chunk = {
  readonly type?: string
  readonly index?: number
  readonly message?: {
    readonly id?: string
    readonly model?: string
    readonly content?: readonly WireBlock[] | null
    readonly stop_reason?: string | null
    readonly usage?: WireUsage | null
  }
  readonly content_block?: WireBlock
  readonly delta?: Delta
  readonly usage?: WireUsage | null
}

const stopReasons: Readonly<Record<string, ModelStopReason>> = {
  tool_use: 'tool_use',
  max_tokens: 'max_tokens',
  stop_sequence: 'stop_sequence',
  refusal: 'refusal',
  pause_turn: 'pause_turn',
  // The server has summarised the conversation, and wants it back to go on.
  compaction: 'pause_turn',
  model_context_window_exceeded: 'context_window_exceeded',
}

/** What is put behind the input of a call whose end never came, so that nobody takes it for whole. */
const cutNote = '\n[The answer ended inside this input.]'

export type MessageEventsOptions = { readonly source: ErrorSource; readonly raw: boolean }

/** Turns the events of a Messages stream into model events, which it leaves in `events`. */
export class MessageEvents implements AnswerReader {
  readonly events: ModelEvent[] = []
  /** `message_stop` was read: nothing more belongs to the answer. */
  done = false
  readonly #options: MessageEventsOptions
  readonly #open = new Map<number, OpenBlock>()
  #message: { readonly id: string | undefined } | undefined
  /** The block of what was thought last, while it has words and no signature. */
  #unsigned: number | undefined
  #usage: WireUsage = {}
  #stopReason: string | undefined
  #stopSequence: string | undefined

  constructor(options: MessageEventsOptions) {
    this.#options = options
  }

  /** @throws {ModelError} when the provider reports an error, or says what cannot be understood. */
  read({ event, data }: SseEvent): void {
    // Some servers put the end mark of another API behind the message.
    if (this.done || data === '' || data.startsWith('[DONE]')) return
    const { source, raw } = this.#options
    const chunk = jsonOr(data) as Chunk
    if (event === 'error') throw providerError(chunk, source)
    if (typeof chunk === 'string') throw this.#incomplete(`expected JSON in the stream, got ${JSON.stringify(headOf(data, 200))}`)
    if (!isObject(chunk)) return
    if (raw) this.events.push({ type: 'raw', chunk: chunk as JsonValue })
    if (chunk.type === 'error') throw providerError(chunk, source)
    this.#chunk(chunk)
  }

  whole(said: Chunk['message'] & { readonly type?: unknown }): boolean {
    if (said.type !== 'message' || !Array.isArray(said.content)) return false
    this.#begin(said)
    this.#finish()
    return true
  }

  #chunk({ type, index = 0, message, content_block: block, delta, usage }: Chunk): void {
    switch (type) {
      case 'message_start':
        return this.#begin(message ?? {})
      case 'content_block_start':
        return block && this.#start(index, block)
      case 'content_block_delta':
        return delta && this.#delta(index, delta)
      case 'content_block_stop':
        return this.#stop(index)
      case 'message_delta':
        this.#stopReason = delta?.stop_reason ?? this.#stopReason
        this.#stopSequence = delta?.stop_sequence ?? this.#stopSequence
        return this.#count(usage)
      case 'message_stop':
        return this.#finish()
      default:
        // Keep-alives, and what this version does not know.
        return
    }
  }

  #begin({ id, model, content, stop_reason: stopReason, usage }: NonNullable<Chunk['message']>): void {
    if (this.#message) {
      if (this.#message.id === id) return
      throw this.#incomplete('another message began before the first one was complete')
    }
    this.#message = { id }
    this.events.push({ type: 'message_start', ...(model && { model }), ...(id && { responseId: id }) })
    this.#count(usage)
    this.#stopReason = stopReason ?? undefined
    // A message that was made before it is streamed comes whole.
    content?.forEach((block, index) => {
      this.#start(index, block)
      this.#stop(index)
    })
  }

  #start(index: number, block: WireBlock): void {
    this.#cut(index)
    const open = openBlock(block)
    this.#open.set(index, open)
    // What the answer goes on behind was thought to its end. Models that sign nothing want it back all the same.
    if (this.#unsigned !== undefined) this.#push(this.#unsigned, { type: 'provider', data: { type: 'thinking' } })
    this.#unsigned = undefined
    if (open.start) this.events.push({ type: 'block_start', index, block: open.start })
    for (const delta of open.deltas) {
      this.#push(index, delta)
      if (delta.type === 'reasoning') this.#unsigned = delta.text ? index : undefined
    }
  }

  #delta(index: number, delta: Delta): void {
    switch (delta.type) {
      case 'text_delta':
        return this.#push(index, { type: 'text', text: delta.text ?? '' })
      case 'thinking_delta':
        if (delta.thinking) this.#unsigned = index
        return this.#push(index, { type: 'reasoning', text: delta.thinking ?? '' })
      case 'signature_delta':
        if (!delta.signature) return
        if (this.#unsigned === index) this.#unsigned = undefined
        this.#push(index, { type: 'reasoning', signature: delta.signature })
        return this.#push(index, { type: 'provider', data: { type: 'thinking' } })
      case 'input_json_delta':
        return this.#input(index, delta.partial_json ?? '')
      case 'citations_delta':
        return delta.citation && this.#push(index, { type: 'citation', citation: citationOf(delta.citation) })
      default: {
        // What belongs to a block that is only kept: the last word on each of its fields.
        const { type: _type, ...fields } = delta as JsonObject
        const open = this.#open.get(index)
        if (open?.kept) open.kept = { ...open.kept, ...fields }
      }
    }
  }

  #input(index: number, text: string): void {
    let open = this.#open.get(index)
    // Its start was lost. It has no name, so nothing will run; but it must be seen.
    if (!open && !isBlank(text)) this.#open.set(index, (open = openBlock({ type: 'tool_use', name: '' })))
    if (open && !isBlank(text)) open.hasInput = true
    this.#push(index, { type: 'tool_input', text })
  }

  #stop(index: number): void {
    const open = this.#open.get(index)
    this.#open.delete(index)
    // An input that came with the start counts when no piece of it followed.
    if (open?.input && !open.hasInput) this.#push(index, { type: 'tool_input', text: open.input })
    if (open?.kept)
      this.events.push({
        type: 'block_start',
        index,
        block: { type: 'server_tool_result', toolUseId: '', content: null, provider: { [providerName]: open.kept } },
      })
    this.events.push({ type: 'block_stop', index })
  }

  /** A block that is over though its stop never came. A call whose input may lack its end must not run. */
  #cut(index: number): void {
    const open = this.#open.get(index)
    if (!open) return
    this.#open.delete(index)
    if (open.start?.type === 'tool_use') this.#push(index, { type: 'tool_input', text: cutNote })
    this.events.push({ type: 'block_stop', index })
  }

  #count(usage: WireUsage | null | undefined): void {
    if (!usage) return
    this.#usage = mergedUsage(this.#usage, usage)
    this.events.push({ type: 'metadata', usage: usageOf(this.#usage), cumulative: true })
  }

  #finish(): void {
    for (const index of this.#open.keys()) this.#cut(index)
    this.done = true
    this.events.push({
      type: 'message_stop',
      stopReason: stopReasons[this.#stopReason ?? ''] ?? 'end_turn',
      ...(this.#stopSequence !== undefined && { stopSequence: this.#stopSequence }),
    })
  }

  #push(index: number, delta: BlockDelta): void {
    this.events.push({ type: 'block_delta', index, delta })
  }

  #incomplete(what: string): IncompleteStreamError {
    const { provider } = this.#options.source
    return new IncompleteStreamError(`${provider}: ${what}.`, { provider })
  }
}
