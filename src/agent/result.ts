import type { Checkpoint } from '../checkpoints/checkpoint.ts'
import type { Interrupt } from '../interrupts/interrupt.ts'
import type { AssistantBlock } from '../messages/content.ts'
import { textOf } from '../messages/content.ts'
import type { AssistantMessage } from '../messages/message.ts'
import type { StopReason } from '../messages/stop-reason.ts'
import type { Usage } from '../messages/usage.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'
import { OutputError } from '../errors.ts'
import { readable } from '../tools/readable.ts'
import type { RunMetrics } from './metrics.ts'
import type { TraceNode } from './trace.ts'

export type AgentResultData = {
  readonly stopReason: StopReason
  readonly message: AssistantMessage
  readonly usage: Usage
  readonly metrics: RunMetrics
  readonly trace: () => TraceNode
  readonly invocationState: Record<string, unknown>
  readonly partial: readonly AssistantBlock[]
  readonly interrupts: readonly Interrupt[]
  readonly checkpoint: Checkpoint | undefined
  /** Left out where no shape was asked for. */
  readonly output: { readonly answer: { readonly value: unknown } | undefined } | undefined
}

/** How a run ended, and all that is known of it. */
export class AgentResult<Output = unknown> {
  readonly stopReason: StopReason
  /** The last message of the model, or the note that stands for it. */
  readonly message: AssistantMessage
  /** Tokens of the whole invocation, those of discarded attempts included. */
  readonly usage: Usage
  readonly metrics: RunMetrics
  readonly invocationState: Record<string, unknown>
  /** What a cancelled run had of the message that was cut. */
  readonly partial: readonly AssistantBlock[]
  /** What people must answer before the run can go on. Empty unless it ended with `interrupt`. */
  readonly interrupts: readonly Interrupt[]
  /** Where the run stands, when it ended with `interrupt` or `checkpoint`: plain JSON to resume from. */
  readonly checkpoint: Checkpoint | undefined

  readonly #output: AgentResultData['output']
  readonly #trace: () => TraceNode

  constructor(data: AgentResultData) {
    this.stopReason = data.stopReason
    this.message = data.message
    this.usage = data.usage
    this.metrics = data.metrics
    this.#trace = data.trace
    this.invocationState = data.invocationState
    this.partial = data.partial
    this.interrupts = data.interrupts
    this.checkpoint = data.checkpoint
    this.#output = data.output
  }

  /** The text of the message. Empty when the model said nothing. */
  get text(): string {
    return this.message.metadata?.synthetic === 'repair' ? '' : textOf(this.message)
  }

  /** invocation → turn → model call and tool calls, with times in milliseconds since the epoch. */
  get trace(): TraceNode {
    return this.#trace()
  }

  /**
   * The answer of the shape that was asked for by `output`; `undefined` where none was.
   *
   * @throws {OutputError} when the run ended before there was one: it names the stop reason.
   */
  get output(): Output {
    const output = this.#output
    if (!output) return undefined as Output
    if (output.answer) return output.answer.value as Output
    throw new OutputError(`There is no output: the run ended with ${this.stopReason} before the answer was given.`, { code: 'no_output' })
  }

  /** What is asked of people; else the output as JSON; else the text. */
  toString(): string {
    if (this.interrupts.length > 0) return JSON.stringify(this.interrupts)
    if (this.#output?.answer) return JSON.stringify(this.#output.answer.value) ?? this.text
    return this.text
  }

  toJSON(): JsonObject {
    const { stopReason, message, usage, metrics, trace, partial, interrupts, checkpoint } = this
    const data = {
      stopReason,
      message,
      usage,
      metrics,
      trace,
      partial,
      interrupts,
      ...(checkpoint && { checkpoint }),
      ...(this.#output?.answer && { output: readable(this.#output.answer.value) }),
    } as unknown as JsonObject
    return { ...data, text: this.text, invocationState: shown(this.invocationState) }
  }
}

/** The shared object may hold anything, connections too: what is data is kept, the rest is named. */
function shown(state: Record<string, unknown>): JsonValue {
  return Object.fromEntries(
    Object.entries(state).map(([key, value]) => {
      try {
        return [key, readable(value)]
      } catch {
        return [key, `[${typeof value}]`]
      }
    }),
  )
}
