import { IncompleteStreamError } from '../errors.ts'
import type { AssistantBlock, Citation, TextBlock, ToolUseBlock } from '../messages/content.ts'
import type { ModelStopReason } from '../messages/stop-reason.ts'
import type { Usage } from '../messages/usage.ts'
import { addUsage, noUsage, replaceUsage } from '../messages/usage.ts'
import type { Ids } from '../util/ids.ts'
import { freezeOwn, frozenCopy } from '../util/json.ts'
import type { JsonObject } from '../util/json.ts'
import { isBlank } from '../util/text.ts'
import { build } from './building-block.ts'
import type { Building } from './building-block.ts'
import { correctedStopReason } from './corrected-stop-reason.ts'
import { openBlock } from './open-block.ts'
import { redacted } from './redacted.ts'
import type { EventBase, MessageEvent } from './message-events.ts'
import { MessageTeller } from './message-teller.ts'
import type { BlockDelta, BlockStart, ModelEvent } from './model-events.ts'
import { parseToolInput } from './tool-input.ts'

export type AssemblerOptions = {
  readonly messageId: string
  /** The provider's name: the key of its data in a block. */
  readonly provider: string
  readonly ids: Ids
  readonly base: EventBase
  readonly now: () => number
  /** Where the message's events go; left out when nobody listens, and then none is made. */
  readonly emit?: ((event: MessageEvent) => void | Promise<void>) | undefined
  /** Was this id of the provider used for another call of the history? Then it is not kept. */
  readonly isUsedId?: ((id: string) => boolean) | undefined
  /** Give the partly parsed input with `tool_input_delta`. */
  readonly partialInput?: boolean | undefined
  /**
   * Told of each call whose input is complete, in the order of the message: not before all calls in front of it are complete.
   * Pieces that come later may still spoil it; what counts is the whole message.
   */
  readonly onCall?: ((call: ToolUseBlock) => void) | undefined
}

/** A whole message of the model. */
export type AssembledMessage = {
  readonly content: readonly AssistantBlock[]
  readonly stopReason: ModelStopReason
  readonly usage: Usage | undefined
  readonly model: string | undefined
  readonly timeToFirstTokenMs: number | undefined
  readonly redactions: readonly { readonly target: 'input' | 'output'; readonly replacement: string }[]
}

/**
 * Makes one message out of a provider's events. One state machine for all providers, keyed by block index; blocks stand in
 * the order in which they first appeared.
 */
export class Assembler {
  readonly #options: AssemblerOptions
  /** Left out when nobody listens. */
  readonly #teller: MessageTeller | undefined
  readonly #startedAt: number
  readonly #blocks: Building[] = []
  readonly #byIndex = new Map<number, Building>()
  readonly #redactions: { target: 'input' | 'output'; replacement: string }[] = []
  readonly #usedIds = new Set<string>()
  #stopReason: ModelStopReason | undefined
  #usage: Usage | undefined
  #model: string | undefined
  #firstTokenAt: number | undefined
  #blockCount = 0
  /** How many blocks, from the first, hold no call that is still open and not told of. */
  #toldOf = 0
  #ending = false

  constructor(options: AssemblerOptions) {
    this.#options = options
    const { emit, messageId, base, partialInput = false } = options
    this.#teller = emit && new MessageTeller(emit, messageId, base, partialInput)
    this.#startedAt = options.now()
  }

  /** Has the provider said that the message is complete? Usage may still follow. */
  get stopped(): boolean {
    return this.#stopReason !== undefined
  }

  /** What was reported so far; it is paid for even when the message is discarded. */
  get usage(): Usage | undefined {
    return this.#usage
  }

  /** The text so far. */
  get text(): string {
    let all = ''
    for (const block of this.#blocks) if (block.type === 'text') all += block.text
    return all
  }

  /** Takes the next event. The promise, if there is one, is the consumer asking for time. */
  push(event: ModelEvent): void | Promise<void> {
    switch (event.type) {
      case 'block_delta':
        return this.#delta(event.index, event.delta)
      case 'block_start':
        return this.#start(event.index, event.block)
      case 'block_stop':
        return this.#close(this.#byIndex.get(event.index))
      case 'message_start':
        this.#model = event.model
        return
      case 'message_stop':
        this.#stopReason = event.stopReason
        return
      case 'metadata':
        if (event.usage)
          this.#usage = event.cumulative ? replaceUsage(this.#usage ?? noUsage, event.usage) : addUsage(this.#usage ?? noUsage, event.usage)
        return
      case 'redaction':
        this.#redactions.push({ target: event.target, replacement: event.replacement })
        return
      case 'raw':
        return this.#teller?.raw(event.chunk)
      default:
        // A provider newer than this version: what is not known is not needed.
        return
    }
  }

  /**
   * Ends the message.
   *
   * @throws {IncompleteStreamError} when the provider never said that it was complete.
   */
  async finish(): Promise<AssembledMessage> {
    const stopReason = this.#stopReason
    if (stopReason === undefined)
      throw new IncompleteStreamError('The stream ended before the message was complete.', { provider: this.#options.provider })
    this.#ending = true
    for (const block of this.#blocks) {
      const wait = this.#close(block)
      if (wait) await wait
    }
    const content = redacted(this.#content(), this.#redactions)
    return {
      content,
      stopReason: correctedStopReason(stopReason, content),
      usage: this.#usage,
      model: this.#model,
      timeToFirstTokenMs: this.#firstTokenAt === undefined ? undefined : this.#firstTokenAt - this.#startedAt,
      redactions: this.#redactions,
    }
  }

  /** The text blocks so far, for what a cancelled run keeps. */
  partial(): readonly TextBlock[] {
    return this.#content().filter((block) => block.type === 'text')
  }

  #start(index: number, start: BlockStart): void | Promise<void> {
    const closing = this.#close(this.#byIndex.get(index))
    if (start.type !== 'tool_use' || start.name) this.#firstTokenAt ??= this.#options.now()
    const opening = this.#open(index, start)
    return opening ?? closing
  }

  #open(index: number, start: BlockStart): void | Promise<void> {
    const block = openBlock(start, {
      blockId: () => this.#blockId(),
      callId: () => this.#options.ids.next('call'),
      idData: (id, provider) => this.#idData(id, provider),
    })
    if (!block) return void this.#byIndex.delete(index)
    this.#blocks.push(block)
    this.#byIndex.set(index, block)
    return this.#teller?.opened(block)
  }

  #delta(index: number, delta: BlockDelta): void | Promise<void> {
    this.#firstTokenAt ??= this.#options.now()
    const block = this.#byIndex.get(index)
    switch (delta.type) {
      case 'text':
        return block?.type === 'text' && block.open
          ? this.#text(block, delta.text)
          : this.#reopen(index, { type: 'text' }, delta, !delta.text)
      case 'reasoning':
        return block?.type === 'reasoning' && block.open
          ? this.#reasoning(block, delta)
          : this.#reopen(index, { type: 'reasoning' }, delta, !delta.text && !delta.signature && !delta.redacted)
      case 'tool_input':
        if (block?.type === 'tool_use' || (block?.type === 'given' && block.block.type === 'server_tool_use'))
          return this.#input(block, delta.text)
        return this.#reopen(index, { type: 'tool_use', name: '' }, delta, !delta.text || isBlank(delta.text))
      case 'citation':
        if (block?.type !== 'text' || !block.open) return this.#reopen(index, { type: 'text' }, delta, false)
        return this.#citation(block, frozenCopy(delta.citation, 'citation'))
      case 'provider':
        if (!block) return this.#reopen(index, { type: 'text' }, delta, false)
        block.provider = { ...block.provider, ...frozenCopy(delta.data, 'provider') }
        return
      default:
        return
    }
  }

  /** A delta whose block was never started, is of another kind, or is closed: it begins a new one, if it says anything. */
  #reopen(index: number, start: BlockStart, delta: BlockDelta, empty: boolean): void | Promise<void> {
    if (empty) return
    const started = this.#start(index, start)
    return this.#delta(index, delta) ?? started
  }

  #text(block: Building & { type: 'text' }, piece: string): void | Promise<void> {
    if (!piece) return
    block.text += piece
    return this.#teller?.text(block.id, piece)
  }

  #citation(block: Building & { type: 'text' }, citation: Citation): void | Promise<void> {
    ;(block.citations ??= []).push(citation)
    return this.#teller?.citation(block.id, citation)
  }

  #reasoning(block: Building & { type: 'reasoning' }, delta: BlockDelta & { type: 'reasoning' }): void | Promise<void> {
    if (delta.signature !== undefined) block.signature = (block.signature ?? '') + delta.signature
    if (delta.redacted !== undefined) block.redacted = (block.redacted ?? '') + delta.redacted
    if (!delta.text) return
    block.text += delta.text
    return this.#teller?.reasoning(block.id, delta.text)
  }

  #input(block: Building & { type: 'tool_use' | 'given' }, piece: string): void | Promise<void> {
    if (!piece) return
    if (!block.open) {
      // More input for a block that was closed: the call is not what it seemed to be. Blank pieces mean nothing.
      if (isBlank(piece)) return
      block.text += piece
      // Parsed anew when the message is complete, not at every piece.
      if (block.type === 'tool_use') block.parsed = undefined
      return
    }
    block.text += piece
    return block.type === 'given' ? undefined : this.#teller?.input(block, piece)
  }

  #close(block: Building | undefined): void | Promise<void> {
    if (!block?.open) return
    block.open = false
    if (block.type !== 'tool_use') return this.#teller?.closed(block, undefined)
    block.parsed = parseToolInput(block.text)
    const wait = this.#teller?.closed(block, block.parsed.input)
    // What the end of the stream closes was not said to be complete.
    return !this.#options.onCall || this.#ending ? wait : this.#tellOfCalls(wait)
  }

  /** Behind the event that ends its input: the consumer hears of a call before it hears of its start. */
  #tellOfCalls(wait: void | Promise<void>): void | Promise<void> {
    const tell = (): void => {
      for (; this.#toldOf < this.#blocks.length; this.#toldOf++) {
        const block = this.#blocks[this.#toldOf]!
        if (block.type !== 'tool_use') continue
        if (block.open) return
        const call = build(block, this.#options.provider)
        if (call?.type === 'tool_use') this.#options.onCall!(freezeOwn(call, 'nothing'))
      }
    }
    return wait ? wait.then(tell) : tell()
  }

  /** The provider's id of a call goes back to it, unless it is missing or was used before. */
  #idData(id: string | undefined, provider: JsonObject | undefined): JsonObject | undefined {
    if (!id || this.#usedIds.has(id) || this.#options.isUsedId?.(id)) return provider
    this.#usedIds.add(id)
    return provider ? { ...provider, id } : { id }
  }

  #content(): AssistantBlock[] {
    const content: AssistantBlock[] = []
    for (const block of this.#blocks) {
      const built = build(block, this.#options.provider)
      if (built) content.push(built)
    }
    // A list that grew has room for more, and the history keeps it; its copy has not.
    return content.slice()
  }

  #blockId(): string {
    return `${this.#options.messageId}:${this.#blockCount++}`
  }
}
