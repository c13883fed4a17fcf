import type { AgentError } from '../errors.ts'
import type { HookBase } from '../hooks/hooks.ts'
import type { AssistantBlock, ToolResultBlock, ToolUseBlock } from '../messages/content.ts'
import type { Usage } from '../messages/usage.ts'
import { addUsage, noUsage } from '../messages/usage.ts'
import type { EventBase } from '../models/message-events.ts'
import type { Model } from '../models/model.ts'
import { onAbort } from '../util/abort.ts'
import type { Bound } from '../util/bounded.ts'
import type { CallBatch } from './call-batch.ts'
import type { AgentCore } from './core.ts'
import type { Emit } from './events.ts'
import type { CheckedInvokeOptions } from './invoke-options.ts'
import type { Limits } from './limits.ts'
import { MetricsRecorder } from './metrics.ts'
import { Span } from './trace.ts'

/** One invocation while it lasts: what its stages share. */
export class Run {
  readonly core: AgentCore
  readonly options: CheckedInvokeOptions
  readonly id: string
  readonly limits: Limits
  readonly invocationState: Record<string, unknown>
  readonly metrics = new MetricsRecorder()
  readonly trace: Span
  readonly startedAt: number
  /** Where events go; left out when nobody listens, and then none is made. */
  emit: Emit | undefined
  /** Known once the agent is ready. */
  model: Model | undefined
  /** Which of the agent's models that is. */
  modelIndex = 0
  /** The turn that is under way, from 1; 0 before the first. */
  turn = 0
  turnSpan: Span | undefined
  usage: Usage = noUsage
  /** What the model had said in a message that was cut. */
  partial: readonly AssistantBlock[] = []
  /** Results of the turn that is under way, as soon as they are there. */
  readonly results = new Map<string, ToolResultBlock>()
  /** Set by a tool or hook that ends the run after this turn's results are stored. */
  endTurn: { readonly text: string | undefined } | undefined
  /** Why the run must end with an error: a hook or a listener threw. */
  failure: AgentError | undefined
  /** Calls of the message that the model is speaking, some of which may have begun. */
  batch: CallBatch | undefined
  pauses = 0
  /** Has the model answered once? A forced tool choice holds only until then. */
  answered = false
  readonly #controller = new AbortController()
  readonly #release: () => void

  constructor(core: AgentCore, options: CheckedInvokeOptions) {
    this.core = core
    this.options = options
    this.id = core.ids.next('invocation')
    this.limits = { ...core.limits, ...options.limits }
    this.invocationState = options.invocationState
    this.startedAt = core.clock.now()
    this.trace = new Span('invocation', core.handle.name, this.startedAt)
    this.#release = options.signal ? onAbort(options.signal, () => this.#controller.abort(options.signal?.reason)) : () => {}
  }

  /** Fires on cancel, when the consumer leaves, and when a hook or listener fails: nothing new is started then. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get cancelled(): boolean {
    return this.#controller.signal.aborted
  }

  /** For waits on other people's code. */
  get bound(): Bound {
    return { signal: this.signal, graceMs: this.core.cancelGraceMs, clock: this.core.clock }
  }

  get base(): EventBase {
    return { invocationId: this.id, turn: this.turn }
  }

  hookBase(): HookBase {
    return { agent: this.core.handle, invocationState: this.invocationState, signal: this.signal, turn: this.turn }
  }

  now(): number {
    return this.core.clock.now()
  }

  cancel(reason: Error): void {
    this.#controller.abort(reason)
  }

  /** Ends the run with an error. The first counts. */
  fail(error: AgentError): void {
    this.failure ??= error
    this.#controller.abort(error)
  }

  addUsage(usage: Partial<Usage> | undefined): void {
    if (usage) this.usage = addUsage(this.usage, usage)
  }

  /** The calls that began early, for the one who goes on with them. */
  takeBatch(): CallBatch | undefined {
    const { batch } = this
    this.batch = undefined
    return batch
  }

  /** Ends what began early: its message does not count, or holds no calls that may run; of the `stored` ones the results are kept. */
  async dropBatch(stored?: readonly ToolUseBlock[]): Promise<void> {
    await this.takeBatch()?.discard(stored)
  }

  warn(code: string, message: string): void | Promise<void> {
    return this.emit?.({ type: 'warning', ...this.base, code, message })
  }

  /** Lets go of the caller's signal and of the listeners: nothing is told after the last event. */
  dispose(): void {
    this.#release()
    this.emit = undefined
  }
}
