import type { HookEvent } from '../hooks/hooks.ts'
import type { ModelStopReason } from '../messages/stop-reason.ts'
import type { Usage } from '../messages/usage.ts'
import { addUsage, noUsage, replaceUsage } from '../messages/usage.ts'
import { costOf } from '../models/catalogue/prices.ts'
import type { ModelEvent } from '../models/model-events.ts'
import { nameOf } from '../models/model.ts'
import type { ModelRequest } from '../models/model.ts'
import { names, ownNames, providerNameOf } from './conventions.ts'
import type { ObserverOptions } from './observation.ts'
import { cancelledError, errorOf, finishReasons, usageAttributes } from './observation.ts'
import type { OpenSpan, Place, Recorder, SpanError } from './span.ts'

export type ModelCallStart = {
  readonly recorder: Recorder
  readonly options: ObserverOptions
  readonly request: ModelRequest
  readonly model: { readonly provider: string; readonly id: string }
  readonly attempt: number
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

  constructor(start: ModelCallStart) {
    this.#start = start
    const { recorder, model, request, parent, turn, attempt, conversationId } = start
    const { settings, output } = request
    this.#startedAt = recorder.now()
    this.#span = recorder.begin({
      operation: 'chat',
      name: `chat ${model.id}`,
      kind: model.provider === 'offline' ? 'internal' : 'client',
      at: this.#startedAt,
      parent,
      attributes: {
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
        [ownNames.turn]: turn,
        [ownNames.attempt]: attempt,
      },
    })
    const { contents } = start.options
    if (contents && this.#span.isRecording)
      this.#span.set({
        [names.systemInstructions]: request.system.length > 0 ? contents.parts(names.systemInstructions, request.system) : undefined,
        [names.inputMessages]: contents.messages(names.inputMessages, request.messages),
        [names.toolDefinitions]: request.tools.length > 0 ? contents.tools(names.toolDefinitions, request.tools) : undefined,
      })
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
    const { contents } = this.#start.options
    this.#stopReason = stopReason
    this.#usage = message?.metadata?.usage ?? this.#usage
    this.#failure = error && errorOf(error)
    if (message && contents && this.#span.isRecording)
      this.#span.set({ [names.outputMessages]: contents.messages(names.outputMessages, [message], stopReason) })
    this.#close()
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

  #close(): void {
    if (this.#closed) return
    this.#closed = true
    const { recorder, options, model } = this.#start
    this.#span.set({
      [names.responseModel]: this.#model,
      [names.responseId]: this.#responseId,
      [names.finishReasons]: finishReasons(this.#stopReason),
      [names.timeToFirstChunk]: this.#firstChunkAt === undefined ? undefined : (this.#firstChunkAt - this.#startedAt) / 1000,
      ...usageAttributes(this.#usage, options.conventions),
      [ownNames.cost]: this.#cost(nameOf(model)),
    })
    this.#span.end({ at: this.#endedAt ?? recorder.now(), error: this.#failure })
  }

  #cost(model: string): number | undefined {
    const prices = this.#usage && this.#start.options.pricesOf(model)
    return prices && costOf(this.#usage!, prices)
  }
}
