import type {
  ContentBlockDelta,
  ContentBlockStart,
  ConverseStreamMetadataEvent,
  ConverseStreamOutput,
  MessageStopEvent,
  ReasoningContentBlockDelta,
} from '@aws-sdk/client-bedrock-runtime'
import { IncompleteStreamError } from '../../errors.ts'
import type { ModelStopReason } from '../../messages/stop-reason.ts'
import type { BlockDelta, ModelEvent } from '../../models/model-events.ts'
import { isObject } from '../../util/json.ts'
import { citationOf } from './citation.ts'
import { redactions } from './guardrail.ts'
import type { HeldBlock } from './held-block.ts'
import { addImage, addResult, eventsOf, heldBlock } from './held-block.ts'
import type { GuardrailOptions } from './options.ts'
import { providerName } from './options.ts'
import { makersData } from './own-blocks.ts'
import { plainJson } from './plain-json.ts'
import { usageOf } from './usage.ts'

const stopReasons: Readonly<Record<string, ModelStopReason>> = {
  tool_use: 'tool_use',
  max_tokens: 'max_tokens',
  stop_sequence: 'stop_sequence',
  content_filtered: 'content_filtered',
  guardrail_intervened: 'guardrail_intervened',
  model_context_window_exceeded: 'context_window_exceeded',
  refusal: 'refusal',
  pause_turn: 'pause_turn',
}

export type ConverseEventsOptions = {
  /** Whose model answers. */
  readonly maker: string | undefined
  readonly guardrail: GuardrailOptions | undefined
  readonly raw: boolean
  /** The id of the request, where the service gave one. */
  readonly responseId: string | undefined
}

/** Turns the events of a ConverseStream answer into model events, which it leaves in `events`. */
export class ConverseEvents {
  readonly events: ModelEvent[] = []
  readonly #options: ConverseEventsOptions
  readonly #held = new Map<number, HeldBlock>()
  #begun = false
  #stopped = false
  #counted = false

  constructor(options: ConverseEventsOptions) {
    this.#options = options
  }

  /** The message has ended and its tokens are counted, in whatever order: nothing more belongs to the answer. */
  get done(): boolean {
    return this.#stopped && this.#counted
  }

  /** @throws what the service reports, as it came; {IncompleteStreamError} when it says that the answer is none. */
  read(chunk: ConverseStreamOutput): void {
    if (this.#options.raw) this.events.push({ type: 'raw', chunk: plainJson(chunk) })
    for (const [name, value] of Object.entries(chunk)) if (name.endsWith('Exception')) throw reported(name, value)
    if (!this.#begun) {
      this.#begun = true
      const { responseId } = this.#options
      this.events.push({ type: 'message_start', ...(responseId !== undefined && { responseId }) })
    }
    const { contentBlockStart: start, contentBlockDelta: delta, contentBlockStop: stop, messageStop, metadata } = chunk
    if (start) this.#start(start.contentBlockIndex ?? 0, start.start)
    if (delta) this.#delta(delta.contentBlockIndex ?? 0, delta.delta)
    if (stop) this.#stop(stop.contentBlockIndex ?? 0)
    if (messageStop) this.#end(messageStop)
    if (metadata) this.#count(metadata)
  }

  #start(index: number, start: ContentBlockStart | undefined): void {
    if (start?.toolUse) {
      const { toolUseId: id, name = '', type } = start.toolUse
      const block =
        type === 'server_tool_use'
          ? ({ type, id: id ?? '', name, input: {}, provider: { [providerName]: makersData(this.#options.maker) } } as const)
          : ({ type: 'tool_use', name, ...(id !== undefined && { id }) } as const)
      this.events.push({ type: 'block_start', index, block })
      return
    }
    // Text and thinking begin with their first piece.
    const held = start && heldBlock(start)
    if (held) this.#held.set(index, held)
  }

  #delta(index: number, delta: ContentBlockDelta | undefined): void {
    if (delta?.text !== undefined) this.#push(index, { type: 'text', text: delta.text })
    else if (delta?.toolUse) this.#push(index, { type: 'tool_input', text: delta.toolUse.input ?? '' })
    else if (delta?.reasoningContent) this.#thinking(index, delta.reasoningContent)
    else if (delta?.citation) this.#push(index, { type: 'citation', citation: citationOf(delta.citation) })
    else if (delta?.toolResult) addResult(this.#held.get(index), delta.toolResult)
    else if (delta?.image) addImage(this.#held.get(index), delta.image)
  }

  #thinking(index: number, { text, signature, redactedContent }: ReasoningContentBlockDelta): void {
    if (text !== undefined) this.#push(index, { type: 'reasoning', text })
    if (signature) {
      this.#push(index, { type: 'reasoning', signature })
      this.#push(index, { type: 'provider', data: makersData(this.#options.maker) })
    }
    if (!redactedContent) return
    const held = this.#held.get(index)
    if (held?.type === 'redacted') held.pieces.push(redactedContent)
    else this.#held.set(index, { type: 'redacted', pieces: [redactedContent] })
  }

  #stop(index: number): void {
    this.#tellHeld(index)
    this.events.push({ type: 'block_stop', index })
  }

  #tellHeld(index: number): void {
    const held = this.#held.get(index)
    this.#held.delete(index)
    if (held) this.events.push(...eventsOf(held, index, this.#options.maker))
  }

  #end({ stopReason = 'end_turn', additionalModelResponseFields: fields }: Partial<MessageStopEvent>): void {
    for (const index of this.#held.keys()) this.#tellHeld(index)
    if (stopReason.startsWith('malformed')) {
      // Another try may go better, and is made as for a connection that broke.
      throw new IncompleteStreamError(`${providerName}: the model wrote what could not be read (stopReason "${stopReason}").`, {
        provider: providerName,
      })
    }
    this.#stopped = true
    // Told only to those who ask for it by its path.
    const sequence = isObject(fields) ? fields['stop_sequence'] : undefined
    this.events.push({
      type: 'message_stop',
      stopReason: stopReasons[stopReason] ?? 'end_turn',
      ...(typeof sequence === 'string' && { stopSequence: sequence }),
    })
  }

  #count({ usage, trace }: ConverseStreamMetadataEvent): void {
    this.#counted = true
    if (usage) this.events.push({ type: 'metadata', usage: usageOf(usage), cumulative: true })
    this.events.push(...redactions(trace, this.#options.guardrail))
  }

  #push(index: number, delta: BlockDelta): void {
    this.events.push({ type: 'block_delta', index, delta })
  }
}

/** An exception that came as an event like any other. */
function reported(name: string, value: unknown): Error {
  const { message, ...more } = isObject(value) ? value : {}
  return value instanceof Error ? value : Object.assign(new Error(typeof message === 'string' ? message : ''), more, { name })
}
