import type { Citation } from '../messages/content.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'
import type { Building } from './building-block.ts'
import type { EventBase, MessageEvent } from './message-events.ts'
import { partialInputOf } from './partial-input.ts'

type Emit = (event: MessageEvent) => void | Promise<void>

/**
 * Tells of one message while its pieces come; made only where somebody listens. The fields of an event are written out, as there is one
 * for each piece. The promise, if there is one, is the consumer asking for time.
 */
export class MessageTeller {
  readonly #emit: Emit
  readonly #messageId: string
  readonly #invocationId: string
  readonly #turn: number
  readonly #givesPartial: boolean

  constructor(emit: Emit, messageId: string, { invocationId, turn }: EventBase, givesPartial: boolean) {
    this.#emit = emit
    this.#messageId = messageId
    this.#invocationId = invocationId
    this.#turn = turn
    this.#givesPartial = givesPartial
  }

  opened(block: Building): void | Promise<void> {
    const messageId = this.#messageId
    const invocationId = this.#invocationId
    const turn = this.#turn
    switch (block.type) {
      case 'text':
        return this.#emit({ type: 'text_start', invocationId, turn, messageId, blockId: block.id })
      case 'reasoning':
        return this.#emit({ type: 'reasoning_start', invocationId, turn, messageId, blockId: block.id })
      case 'tool_use':
        return this.#emit({ type: 'tool_input_start', invocationId, turn, messageId, callId: block.id, name: block.name })
      case 'given':
        return
    }
  }

  text(blockId: string, text: string): void | Promise<void> {
    const messageId = this.#messageId
    return this.#emit({ type: 'text_delta', invocationId: this.#invocationId, turn: this.#turn, messageId, blockId, text })
  }

  reasoning(blockId: string, text: string): void | Promise<void> {
    const messageId = this.#messageId
    return this.#emit({ type: 'reasoning_delta', invocationId: this.#invocationId, turn: this.#turn, messageId, blockId, text })
  }

  citation(blockId: string, citation: Citation): void | Promise<void> {
    const messageId = this.#messageId
    return this.#emit({ type: 'citation', invocationId: this.#invocationId, turn: this.#turn, messageId, blockId, citation })
  }

  input(block: Building & { type: 'tool_use' }, text: string): void | Promise<void> {
    const messageId = this.#messageId
    const partial = this.#givesPartial ? partialInputOf(block) : undefined
    const event = {
      type: 'tool_input_delta',
      invocationId: this.#invocationId,
      turn: this.#turn,
      messageId,
      callId: block.id,
      text,
    } as const
    return this.#emit(partial === undefined ? event : { ...event, partial })
  }

  /** @param input of a call, parsed. */
  closed(block: Building, input: JsonObject | undefined): void | Promise<void> {
    const messageId = this.#messageId
    const invocationId = this.#invocationId
    const turn = this.#turn
    switch (block.type) {
      case 'text':
        return this.#emit({ type: 'text_end', invocationId, turn, messageId, blockId: block.id })
      case 'reasoning':
        return this.#emit({ type: 'reasoning_end', invocationId, turn, messageId, blockId: block.id })
      case 'tool_use':
        return this.#emit({ type: 'tool_input_end', invocationId, turn, messageId, callId: block.id, input: input! })
      case 'given':
        return
    }
  }

  raw(chunk: JsonValue): void | Promise<void> {
    return this.#emit({ type: 'raw_chunk', invocationId: this.#invocationId, turn: this.#turn, messageId: this.#messageId, chunk })
  }
}
