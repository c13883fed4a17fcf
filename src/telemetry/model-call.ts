import type { HookEvent } from '../hooks/hooks.ts'
import { text } from '../messages/content.ts'
import type { ModelStopReason } from '../messages/stop-reason.ts'
import type { Usage } from '../messages/usage.ts'
import { addUsage, noUsage, replaceUsage } from '../messages/usage.ts'
import { costOf } from '../models/catalogue/prices.ts'
import type { ModelEvent } from '../models/model-events.ts'
import { nameOf } from '../models/model.ts'
import type { ModelRequest } from '../models/model.ts'
import type { Contents } from './contents.ts'
import { detailsEvent, names, ownNames, providerNameOf } from './conventions.ts'
import type { ObserverOptions } from './observation.ts'
import { cancelledError, errorOf, finishReasons, toldError, usageAttributes } from './observation.ts'
import type { Attributes, OpenSpan, Place, Recorder, SpanError } from './span.ts'

export type ModelCallStart = {
  readonly recorder: Recorder
  readonly options: ObserverOptions
  readonly request: ModelRequest
  readonly model: { readonly provider: string; readonly id: string }
  /** Left out of a call that is no attempt of a turn. */
  readonly attempt?: number | undefined
  readonly purpose?: 'context' | undefined
  readonly turn: number
  readonly conversationId: string
  readonly parent: Place
  readonly signal: AbortSignal
}

/** One attempt at a call of a model, from its request to the end of its stream. */
export class ModelCall {
  readonly #start: ModelCallStart
  readonly #span: OpenSpan
  readonly #startedAt: number
  #firstChunkAt: number | undefined
  #endedAt: number | undefined
  #failure: SpanError | undefined
  #usage: Usage | undefined
  #stopReason: ModelStopReason | undefined
  #model: string | undefined
  #responseId: string | undefined
  #closed = false
  /** What its event will say. */
  #details: Attributes = {}
  #said = ''

  constructor(start: ModelCallStart) {
    this.#start = start
    const { recorder, model, request, parent, turn, attempt, purpose, conversationId } = start
    const { settings, output } = request
    this.#startedAt = recorder.now()
    const attributes = {
      [names.operation]: 'chat',
      [names.provider]: providerNameOf(model.provider),
      [names.requestModel]: model.id,
      [names.conversation]: conversationId,
      [names.stream]: true,
      [names.maxTokens]: settings.maxTokens,
      [names.temperature]: settings.temperature,
      [names.topP]: settings.topP,
      [names.stopSequences]: settings.stopSequences,
      [names.outputType]: output && 'json',
      [ownNames.turn]: turn || undefined,
      [ownNames.attempt]: attempt,
      [ownNames.purpose]: purpose,
    }
    this.#span = recorder.begin({
      operation: 'chat',
      name: `chat ${model.id}`,
      kind: model.provider === 'offline' ? 'internal' : 'client',
      at: this.#startedAt,
      parent,
      attributes,
    })
    if (this.#span.event) this.#details = attributes
    this.#setContents((contents) => ({
      [names.systemInstructions]: request.system.length > 0 ? contents.parts(names.systemInstructions, request.system) : undefined,
      [names.inputMessages]: contents.messages(names.inputMessages, request.messages),
      [names.toolDefinitions]: request.tools.length > 0 ? contents.tools(names.toolDefinitions, request.tools) : undefined,
    }))
  }

  /** The same stream, looked at. Whoever leaves it early has ended the call. */
  watch(stream: AsyncIterable<ModelEvent>): AsyncIterable<ModelEvent> {
    return {
      [Symbol.asyncIterator]: () => {
        const inner = this.#span.run(() => stream[Symbol.asyncIterator]())
        // The request is sent with the first; what is read then stays in its context by itself.
        let isFirst = true
        return {
          next: async () => {
            try {
              const step = await (isFirst ? this.#span.run(() => inner.next()) : inner.next())
              isFirst = false
              if (step.done) this.#stop()
              else this.#see(step.value)
              return step
            } catch (error) {
              // What a provider throws of a cancel is its own affair.
              const { signal } = this.#start
              this.#failure ??= signal.aborted ? cancelledError(signal) : errorOf(error)
              this.#stop()
              throw error
            }
          },
          return: async (value) => {
            this.#stop()
            return (await inner.return?.(value)) ?? { done: true, value }
          },
        }
      },
    }
  }

  /** What the run made of it. */
  finish({ message, stopReason, error }: HookEvent<'afterModelCall'>): void {
    this.#stopReason = stopReason
    this.#usage = message?.metadata?.usage ?? this.#usage
    this.#failure = error && errorOf(error)
    if (message)
      this.#setContents((contents) => ({ [names.outputMessages]: contents.messages(names.outputMessages, [message], stopReason) }))
    this.#close()
  }

  /** For a call of which nobody tells what was made: its text is. */
  hear(event: ModelEvent): void {
    if (event.type === 'block_delta' && event.delta.type === 'text') this.#said += event.delta.text
    else if (event.type === 'redaction' && event.target === 'output') this.#said = event.replacement
  }

  /** Its stream has ended, or was left. */
  end(): void {
    const said = { role: 'assistant' as const, content: [text(this.#said)] }
    if (this.#said !== '')
      this.#setContents((contents) => ({ [names.outputMessages]: contents.messages(names.outputMessages, [said], this.#stopReason) }))
    this.abandon()
  }

  /** The run is over, and nobody has said what came of this call. */
  abandon(): void {
    const { signal } = this.#start
    if (this.#stopReason === undefined) this.#failure ??= signal.aborted ? cancelledError(signal) : { type: 'incomplete_stream' }
    this.#close()
  }

  #see(event: ModelEvent): void {
    this.#firstChunkAt ??= this.#start.recorder.now()
    if (event.type === 'message_start') {
      this.#model = event.model ?? this.#model
      this.#responseId = event.responseId ?? this.#responseId
    } else if (event.type === 'message_stop') this.#stopReason = event.stopReason
    else if (event.type === 'metadata' && event.usage)
      this.#usage = (event.cumulative ? replaceUsage : addUsage)(this.#usage ?? noUsage, event.usage)
  }

  #stop(): void {
    this.#endedAt ??= this.#start.recorder.now()
  }

  /** On the span, in the event, or in both; made once, and not at all where nobody keeps them. */
  #setContents(make: (contents: Contents) => Attributes): void {
    const { contents, events } = this.#start.options
    const onSpan = contents && this.#span.isRecording ? contents : undefined
    const inEvent = this.#span.event && events
    const maker = onSpan ?? inEvent
    if (!maker) return
    const made = make(maker)
    if (onSpan) this.#span.set(made)
    if (inEvent) this.#details = { ...this.#details, ...made }
  }

  #close(): void {
    if (this.#closed) return
    this.#closed = true
    const { recorder, options, model } = this.#start
    const at = this.#endedAt ?? recorder.now()
    const outcome = {
      [names.responseModel]: this.#model,
      [names.responseId]: this.#responseId,
      [names.finishReasons]: finishReasons(this.#stopReason),
      [names.timeToFirstChunk]: this.#firstChunkAt === undefined ? undefined : (this.#firstChunkAt - this.#startedAt) / 1000,
      ...usageAttributes(this.#usage, options.conventions),
      [ownNames.cost]: this.#cost(nameOf(model)),
    }
    this.#span.set(outcome)
    try {
      this.#span.event?.(detailsEvent, { ...this.#details, ...outcome, [names.errorType]: this.#failure?.type }, at)
    } finally {
      const { contents, events = contents } = options
      // Who cancels a call knows of it.
      const exception = this.#failure?.type === 'cancelled' ? undefined : toldError(this.#failure, events)
      this.#span.end({ at, error: toldError(this.#failure, contents), exception })
    }
  }

  #cost(model: string): number | undefined {
    const prices = this.#usage && this.#start.options.pricesOf(model)
    return prices && costOf(this.#usage!, prices)
  }
}
