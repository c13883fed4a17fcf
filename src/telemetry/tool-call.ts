import type { ToolCallRequest } from '../hooks/hooks.ts'
import { InterruptSignal } from '../interrupts/interrupt.ts'
import type { ToolUseBlock } from '../messages/content.ts'
import type { Tool, ToolOutcome } from '../tools/tool.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'
import { headOf } from '../util/text.ts'
import { names, ownNames } from './conventions.ts'
import type { ObserverOptions } from './observation.ts'
import { cancelledError, errorOf, outcomeError, toldError } from './observation.ts'
import type { OpenSpan, Place, Recorder, SpanError } from './span.ts'

export type ToolCallStart = {
  readonly recorder: Recorder
  readonly options: ObserverOptions
  readonly toolUse: Pick<ToolUseBlock, 'id' | 'name'>
  readonly tool: Tool | undefined
  readonly input: JsonObject
  readonly agentName: string
  readonly turn: number
  readonly parent: Place
  readonly signal: AbortSignal
  readonly at: number
}

/** No tool has a longer name. Models call what they like, and the name stands in measurements too. */
const longestName = 64

/** One run of one call. */
export class ToolCall {
  readonly #start: ToolCallStart
  readonly #span: OpenSpan
  #endedAt: number | undefined
  #outcome: ToolOutcome | undefined
  #failure: SpanError | undefined
  #interrupted = false
  #closed = false

  constructor(start: ToolCallStart) {
    this.#start = start
    const { recorder, toolUse, tool, parent, turn, at, agentName, options } = start
    const name = headOf(toolUse.name, longestName)
    this.#span = recorder.begin({
      operation: 'execute_tool',
      name: `execute_tool ${name}`,
      kind: 'internal',
      at,
      parent,
      attributes: {
        [names.operation]: 'execute_tool',
        [names.toolName]: name,
        [names.toolCallId]: toolUse.id,
        [names.toolDescription]: tool?.description || undefined,
        [names.toolType]: 'function',
        [names.agentName]: agentName,
        [ownNames.turn]: turn || undefined,
      },
    })
    if (options.contents && this.#span.isRecording)
      this.#span.set({ [names.toolArguments]: options.contents.value(names.toolArguments, start.input) })
  }

  /** The run itself, with this call as what is active. */
  async *watch(
    call: ToolCallRequest,
    next: (call: ToolCallRequest) => AsyncGenerator<JsonValue, ToolOutcome, void>,
  ): AsyncGenerator<JsonValue, ToolOutcome, void> {
    let inner: AsyncGenerator<JsonValue, ToolOutcome, void> | undefined
    let ended = false
    try {
      inner = this.#span.run(() => next(call))
      for (;;) {
        const step = await this.#span.run(() => inner!.next())
        if (step.done) {
          ended = true
          this.#outcome = step.value
          this.#interrupted = step.value?.code === 'not_answered'
          return step.value
        }
        yield step.value
      }
    } catch (error) {
      ended = true
      if (error instanceof InterruptSignal) this.#interrupted = true
      else this.#failure = this.#start.signal.aborted ? cancelledError(this.#start.signal) : errorOf(error)
      throw error
    } finally {
      this.#endedAt ??= this.#start.recorder.now()
      // Whoever is around it has left at a `yield`.
      if (!ended) await inner?.return(undefined as unknown as ToolOutcome)
    }
  }

  /** What the run made of it: the result that counts. */
  finish(outcome: ToolOutcome, discarded: boolean): void {
    this.#outcome = outcome
    if (discarded) this.#span.set({ [ownNames.discarded]: true })
    this.#close()
  }

  /** The run is over, and nobody has said what came of this call. */
  abandon(): void {
    const { signal } = this.#start
    if (!this.#outcome && !this.#failure && signal.aborted) this.#failure = cancelledError(signal)
    this.#close()
  }

  #close(): void {
    if (this.#closed) return
    this.#closed = true
    const { recorder, options } = this.#start
    if (this.#interrupted) this.#span.set({ [ownNames.interrupted]: true })
    else if (this.#outcome && options.contents && this.#span.isRecording)
      this.#span.set({ [names.toolResult]: options.contents.result(names.toolResult, this.#outcome) })
    this.#span.end({ at: this.#endedAt ?? recorder.now(), error: this.#error() })
  }

  #error(): SpanError | undefined {
    if (this.#interrupted) return undefined
    return toldError(this.#outcome ? outcomeError(this.#outcome) : this.#failure, this.#start.options.contents)
  }
}
