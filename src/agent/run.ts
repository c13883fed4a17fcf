import type { Checkpoint } from '../checkpoints/checkpoint.ts'
import type { AgentError } from '../errors.ts'
import type { HookBase } from '../hooks/hooks.ts'
import type { AssistantBlock, ToolResultBlock, ToolUseBlock } from '../messages/content.ts'
import type { Usage } from '../messages/usage.ts'
import { addUsage, noUsage } from '../messages/usage.ts'
import { pricesOf } from '../models/catalogue.ts'
import type { ModelPrices } from '../models/catalogue/prices.ts'
import { costOf } from '../models/catalogue/prices.ts'
import type { EventBase } from '../models/message-events.ts'
import type { Model } from '../models/model.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import { onAbort } from '../util/abort.ts'
import type { Bound } from '../util/bounded.ts'
import type { CallBatch } from './call-batch.ts'
import type { AgentCore } from './core.ts'
import type { Emit } from './events.ts'
import type { CheckedInvokeOptions } from './invoke-options.ts'
import type { Limits } from './limits.ts'
import { OutputStage } from './output-stage.ts'
import { MetricsRecorder } from './metrics.ts'
import { RunQuestions } from './questions.ts'
import type { TraceNode } from './trace.ts'
import { Span, Trace } from './trace.ts'

const noCounters: Checkpoint['counters'] = Object.freeze({ turns: 0, usage: noUsage, elapsedMs: 0 })

/** One invocation while it lasts: what its stages share. */
export class Run {
  readonly core: AgentCore
  readonly options: CheckedInvokeOptions
  readonly id: string
  readonly limits: Limits
  readonly invocationState: Record<string, unknown>
  readonly metrics = new MetricsRecorder()
  readonly span: Span
  readonly #trace = new Trace()
  readonly startedAt: number
  /** Where events go; left out when nobody listens, and then none is made. */
  emit: Emit | undefined
  /** The tools of the turn that is under way: a change counts from the next. */
  tools: ToolSet
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
  /** How the run comes to an answer of a given shape; left out where none is asked for. */
  readonly output: OutputStage | undefined
  /** What is asked of people. */
  readonly questions: RunQuestions
  /** What the run that this one goes on with had used; limits hold over both. */
  carried: Checkpoint['counters'] = noCounters
  /** Does the turn that comes go on with one that was counted already, and whose results are partly there? */
  goesOn = false
  /** Turns that go on with such a one. */
  countedBefore = 0
  /** Was a state resumed that may be resumed again? */
  isResumed = false
  /** Has the pass taken its input? What goes wrong before leaves the history as it is. */
  begun = false
  /** Where the run stands when it ends with a checkpoint. */
  position: Checkpoint['position'] | undefined
  /** Results of the turn that is under way, as soon as they are there. */
  readonly results = new Map<string, ToolResultBlock>()
  /** What the last model was called that answered: `provider/id`. */
  modelName = ''
  /** Set by a tool or hook that ends the run after this turn's results are stored. */
  endTurn: { readonly text: string | undefined } | undefined
  /** Why the run must end with an error: a hook or a listener threw. */
  failure: AgentError | undefined
  /** The failure of a durable engine that the pass ended with: it is the failure of every run above this one. */
  engineFailure: AgentError | undefined
  /** Calls of the message that the model is speaking, some of which may have begun. */
  batch: CallBatch | undefined
  pauses = 0
  /** Has the model answered once? A forced tool choice holds only until then. */
  answered = false
  readonly #prices = new Map<string, ModelPrices | undefined>()
  readonly #endOfUse: () => void
  readonly #controller = new AbortController()
  readonly #release: () => void

  constructor(core: AgentCore, options: CheckedInvokeOptions) {
    this.core = core
    this.options = options
    this.id = core.ids.next('invocation')
    this.limits = { ...core.limits, ...options.limits }
    this.invocationState = options.invocationState
    this.startedAt = core.clock.now()
    this.tools = core.tools.current
    this.output = options.output && new OutputStage(options.output)
    this.questions = new RunQuestions(() => core.clock.now())
    this.#endOfUse = options.budget?.open(() => core.clock.now()) ?? (() => {})
    this.span = new Span(this.#trace, this.#trace.begin(-1, 'invocation', core.handle.name, this.startedAt))
    this.#release = options.signal ? onAbort(options.signal, () => this.#controller.abort(options.signal?.reason)) : () => {}
  }

  /** All spans, as a tree: made when somebody looks, and as it is then. */
  readonly trace = (): TraceNode => this.#trace.tree()

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
    const { core, invocationState, model, signal, turn } = this
    return { agent: core.handle, invocationState, conversationId: core.conversationId, model, signal, turn }
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

  failByEngine(error: AgentError): void {
    this.engineFailure ??= error
    this.fail(error)
  }

  /** Turns of this invocation and of those that it goes on with. */
  get turnsSoFar(): number {
    return this.carried.turns + this.metrics.turns - this.countedBefore
  }

  get usageSoFar(): Usage {
    return this.carried === noCounters ? this.usage : addUsage(this.carried.usage, this.usage)
  }

  /** Counts what one attempt at a model call used, whether it counts or not: it is paid for. */
  addUsage(usage: Partial<Usage> | undefined, model: string): void {
    if (!usage) return
    const whole = addUsage(noUsage, usage)
    this.usage = addUsage(this.usage, whole)
    const { budget } = this.options
    if (!this.#prices.has(model)) this.#prices.set(model, pricesOf(model, budget?.limits.prices))
    const prices = this.#prices.get(model)
    const cost = prices && costOf(whole, prices)
    if (cost !== undefined) this.metrics.cost = (this.metrics.cost ?? 0) + cost
    budget?.count(whole, cost)
    if (cost === undefined && budget?.isNewlyUnpriced(model))
      void this.warn(
        'unknown_price',
        `The price of ${model} is not known, so its calls do not count against the budget's cost. Give it in \`prices\`.`,
      )
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
    this.#endOfUse()
    this.emit = undefined
  }
}
