import type { AgentHandle } from '../agent/handle.ts'
import type { HookBase, HookEvent, Stages } from '../hooks/hooks.ts'
import type { ModelEvent } from '../models/model-events.ts'
import { ModelCall } from './model-call.ts'
import type { ObserverOptions } from './observation.ts'
import { ObservedRun } from './observed-run.ts'
import type { Recorder } from './span.ts'
import { ToolCall } from './tool-call.ts'

/** Before every other hook, and behind every other: what they change is seen, and how long they take is counted. */
const first = -1e9
const last = 1e9

/**
 * Looks at the runs of agents through their hooks and middleware, and tells a recorder of them. One observer serves any number
 * of agents. What goes wrong in it stays in it: a run is never worse for being looked at.
 */
export class Observer {
  readonly #recorder: Recorder
  readonly #options: ObserverOptions
  readonly #onError: (error: unknown) => void
  /** The newest run of each agent. A sub-agent has a handle for each of its runs. */
  readonly #byAgent = new WeakMap<AgentHandle, ObservedRun>()
  readonly #bySignal = new WeakMap<AbortSignal, ObservedRun>()
  /** Calls of models that are about to begin, by the messages that they send. */
  readonly #coming = new WeakMap<object, HookEvent<'beforeModelCall'>>()

  constructor(recorder: Recorder, options: ObserverOptions, onError: (error: unknown) => void) {
    this.#recorder = recorder
    this.#options = options
    this.#onError = onError
  }

  /** Until somebody takes spans there is one hook alone, which asks whether somebody does. */
  install(agent: AgentHandle): void {
    let installed = false
    const installAll = (): void => {
      if (installed || !this.#recorder.isOn()) return
      installed = true
      this.#installAll(agent)
    }
    this.#safely(installAll)
    const enter = (event: HookEvent<'beforeInvocation'>): void =>
      this.#safely(() => {
        installAll()
        if (this.#recorder.isOn()) this.#enter(event)
      })
    agent.on('beforeInvocation', enter, { order: first })
  }

  /** A run is over, whatever became of it. */
  leave(signal: AbortSignal): void {
    this.#safely(() => this.#bySignal.get(signal)?.close())
  }

  #installAll(agent: AgentHandle): void {
    const safely =
      <E>(fn: (event: E) => void) =>
      (event: E): void =>
        this.#safely(() => fn(event))
    const runOf = ({ signal }: HookBase): ObservedRun | undefined => this.#bySignal.get(signal)
    agent.on(
      'beforeModelCall',
      safely((event) => void this.#coming.set(event.request.messages, event)),
      { order: last },
    )
    agent.on(
      'afterModelCall',
      safely((event) => {
        const run = runOf(event)
        run?.modelCall?.finish(event)
        if (run) run.modelCall = undefined
      }),
      { order: last },
    )
    agent.on(
      'beforeToolCall',
      safely((event) => this.#beforeToolCall(event)),
      { order: first },
    )
    agent.on(
      'afterToolCall',
      safely((event) => this.#afterToolCall(event)),
      { order: first },
    )
    agent.on(
      'afterInvocation',
      safely((event) => runOf(event)?.outcome(event)),
      { order: last },
    )
    agent.on(
      'afterInvocation',
      safely((event) => runOf(event)?.hooksEnded(event)),
      { order: first },
    )
    agent.use('model', (request, next) => this.#model(request, next))
    agent.use('tool', (call, next) => this.#tool(call, next))
    agent.use('context_model', (call, next) => this.#contextModel(call, next))
  }

  #enter(event: HookEvent<'beforeInvocation'>): void {
    // A hook has the run go on with a new input: it is the same run.
    if (this.#bySignal.has(event.signal)) return
    const before = this.#byAgent.get(event.agent)
    before?.close()
    const link = event.messages.length === 0 && before?.waits ? before.span : undefined
    this.#keep(event, new ObservedRun(this.#recorder, this.#options, event, event, link))
  }

  #keep({ agent, signal }: HookBase, run: ObservedRun): ObservedRun {
    this.#byAgent.set(agent, run)
    this.#bySignal.set(signal, run)
    return run
  }

  #model(...[request, next]: Parameters<Stages['model']>): ReturnType<Stages['model']> {
    const call = this.#try(() => {
      const event = this.#coming.get(request.messages)
      const run = event && this.#bySignal.get(event.signal)
      if (!event?.model || !run || run.isClosed) return undefined
      const { model, attempt, turn, conversationId } = event
      const { signal, place: parent } = run
      run.modelCall?.abandon()
      return (run.modelCall = new ModelCall({ ...this.#given, request, model, attempt, turn, conversationId, signal, parent }))
    })
    const stream = next(request)
    return call && Symbol.asyncIterator in stream ? call.watch(stream) : stream
  }

  #contextModel(...[asked, next]: Parameters<Stages['context_model']>): ReturnType<Stages['context_model']> {
    const call = this.#try(() => {
      const { model, request, turn, conversationId } = asked
      // Outside of a run, when somebody asks for a shorter history, there is nothing around it.
      const run = this.#bySignal.get(asked.signal) ?? (turn === 0 ? this.#direct(asked) : undefined)
      if (!model || !run || run.isClosed) return undefined
      const { signal, place: parent } = run
      run.modelCall?.abandon()
      return (run.modelCall = new ModelCall({ ...this.#given, request, model, purpose: 'context', turn, conversationId, signal, parent }))
    })
    const stream = next(asked.request)
    return call && Symbol.asyncIterator in stream ? this.#toItsEnd(call, stream) : stream
  }

  async *#toItsEnd(call: ModelCall, stream: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent, void, void> {
    try {
      for await (const event of call.watch(stream)) {
        call.hear(event)
        yield event
      }
    } finally {
      this.#safely(() => call.end())
    }
  }

  #tool(...[request, next]: Parameters<Stages['tool']>): ReturnType<Stages['tool']> {
    const call = this.#try(() => {
      const { toolUse, agent } = request.context
      const run = this.#byAgent.get(agent)
      if (!run || run.isClosed) return undefined
      run.toolCalls.get(toolUse.id)?.abandon()
      const made = this.#toolCall(run, { toolUse, tool: request.tool, input: request.input, turn: run.turn, at: this.#recorder.now() })
      run.toolCalls.set(toolUse.id, made)
      return made
    })
    return call ? call.watch(request, next) : next(request)
  }

  #beforeToolCall(event: HookEvent<'beforeToolCall'>): void {
    const run = this.#bySignal.get(event.signal) ?? (event.direct ? this.#direct(event) : undefined)
    if (run) run.turn = event.turn
  }

  #direct(event: HookBase): ObservedRun | undefined {
    if (!this.#recorder.isOn()) return undefined
    this.#byAgent.get(event.agent)?.close()
    return this.#keep(event, new ObservedRun(this.#recorder, this.#options, event, undefined))
  }

  #afterToolCall(event: HookEvent<'afterToolCall'>): void {
    const run = this.#bySignal.get(event.signal)
    if (!run || run.isClosed) return
    const { toolUse, tool, input, turn, durationMs } = event
    // One that was refused before it could begin has a span as long as that took.
    const call = run.toolCalls.get(toolUse.id) ?? this.#toolCall(run, { toolUse, tool, input, turn, at: this.#recorder.now() - durationMs })
    run.toolCalls.delete(toolUse.id)
    call.finish(event.result, event.discarded)
  }

  #toolCall(
    run: ObservedRun,
    start: Pick<ConstructorParameters<typeof ToolCall>[0], 'toolUse' | 'tool' | 'input' | 'turn' | 'at'>,
  ): ToolCall {
    const { agentName, signal, place: parent } = run
    return new ToolCall({ ...this.#given, agentName, signal, parent, ...start })
  }

  get #given(): { readonly recorder: Recorder; readonly options: ObserverOptions } {
    return { recorder: this.#recorder, options: this.#options }
  }

  #try<T>(fn: () => T): T | undefined {
    try {
      return fn()
    } catch (error) {
      this.#onError(error)
      return undefined
    }
  }

  #safely(fn: () => void): void {
    this.#try(fn)
  }
}
