import { ConcurrentInvocationError, InputError } from '../errors.ts'
import type { HookEvent, HookName, Stages } from '../hooks/hooks.ts'
import { Middleware } from '../hooks/middleware.ts'
import { HookRegistry } from '../hooks/registry.ts'
import type { AgentInput } from '../messages/from-input.ts'
import type { Message, MessageInput } from '../messages/message.ts'
import { repair } from '../messages/repair.ts'
import { Transcript } from '../messages/transcript.ts'
import { checkGate } from '../tools/gate.ts'
import type { Gate } from '../tools/gate.ts'
import type { ToolRegistry, ToolSource } from '../tools/registry.ts'
import { Tools } from '../tools/registry.ts'
import type { Schema } from '../tools/standard-schema.ts'
import type { Tool, ToolOutcome } from '../tools/tool.ts'
import { childController, onAbort, reasonFor } from '../util/abort.ts'
import { aSignal, aText, checkOptions } from '../util/check-options.ts'
import { describe } from '../util/describe.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'
import type { AgentOptions } from './agent-options.ts'
import { asTool } from './as-tool.ts'
import type { AsToolOptions } from './as-tool.ts'
import { checkAgentOptions } from './agent-options.ts'
import type { OutputOf } from '../output/output-options.ts'
import type { Compacted } from '../context/compact.ts'
import { compactNow } from './compact-now.ts'
import type { AgentCore } from './core.ts'
import { callDirectly, checkDirectCall } from './direct-call.ts'
import type { CallOptions } from './direct-call.ts'
import { directCalls } from './direct-calls.ts'
import type { DirectCalls } from './direct-calls.ts'
import type { AgentHandle } from './handle.ts'
import type { InvokeOptions } from './invoke-options.ts'
import { checkInvokeOptions } from './invoke-options.ts'
import { OneAtATime } from './one-at-a-time.ts'
import { ProvidedTools } from './provided-tools.ts'
import { readInput } from './read-input.ts'
import { Readiness } from './readiness.ts'
import type { AgentResult } from './result.ts'
import { openLog } from './session-log.ts'
import { AgentStream } from './stream.ts'
import { UsedIds } from './used-ids.ts'

/**
 * An agent: a model, tools, and the conversation between them.
 *
 * One invocation at a time. Whatever happens in it, the history stays legal and the agent can be used again.
 *
 * @example
 * const agent = new Agent({ model: 'openai/gpt-5.4', tools: [weather] })
 * console.log(String(await agent.invoke('Is it warm in Tokyo?')))
 */
export class Agent<State extends object = Record<string, JsonValue>, const Given extends readonly ToolSource[] = readonly ToolSource[]>
  implements AgentHandle, AsyncDisposable
{
  readonly name: string
  readonly description: string
  readonly state: State
  readonly tools: ToolRegistry
  /**
   * Calls a tool directly, as `callTool` does: `await agent.tool.weather({ city: 'Tokyo' })`. Typed for the tools that the
   * constructor was given; those that came later are there too, but for types `callTool` is the way to them.
   */
  readonly tool: DirectCalls<Given>
  readonly #core: AgentCore
  readonly #gates: Gate[] = []
  readonly #readiness: Readiness
  readonly #provided: ProvidedTools
  /** Fires when the agent is closed. */
  #life = new AbortController()
  readonly #initial: readonly Message[]
  readonly #runs: OneAtATime

  /** @throws {InputError} that names the option; {ToolDefinitionError} for a tool that is none. */
  constructor(options: AgentOptions<State, Given>) {
    const checked = checkAgentOptions(options)
    this.name = checked.name
    this.description = checked.description
    this.state = checked.state as State
    const tools = new Tools()
    if (options.tools) tools.add(options.tools)
    this.tools = tools
    this.tool = directCalls<Given>(tools, (name, input, callOptions) => this.callTool(name, input, callOptions))
    const transcript = new Transcript(repair(options.messages ?? [], { openCalls: 'keep', ids: checked.ids }))
    this.#initial = transcript.messages
    const { models, plugins, clock } = checked
    this.#provided = new ProvidedTools({ name: this.name, tools, clock, tell: (code, message) => this.#runs.tell(code, message) })
    this.#readiness = new Readiness({ agent: this, tools, provided: this.#provided, models, plugins })
    this.#core = {
      ...checked,
      handle: this,
      transcript,
      tools,
      hooks: new HookRegistry(),
      middleware: new Middleware(),
      gates: this.#gates,
      conversationId: checked.session?.id ?? checked.steps.conversationId ?? checked.ids.next('conversation'),
      keptWith: undefined,
      pending: undefined,
      log: undefined,
      ownsHistory: false,
      executed: new Map(),
      usedIds: new UsedIds(checked.ids, transcript.messages),
      ready: (signal) => this.#readiness.ready(signal),
      prepare: (signal) => this.#readiness.prepare(signal),
      refreshTools: (signal) => this.#provided.refresh(signal),
      modelCount: models.length,
      modelAt: (index, signal) => this.#readiness.modelAt(index, signal),
      flush: (signal) => this.#readiness.flush({ signal, graceMs: checked.cancelGraceMs, clock }),
    }
    this.#runs = new OneAtATime(this.#core)
  }

  /** The history: legal, frozen, never changed in place. */
  get messages(): readonly Message[] {
    return this.#core.transcript.messages
  }

  get isRunning(): boolean {
    return this.#runs.run !== undefined
  }

  /**
   * Runs the agent to its answer.
   *
   * @param input a prompt, content blocks, messages; answers to interrupts; a checkpoint; nothing goes on from the history.
   * @throws {AgentError} a subclass with `code`, `cause` and, when the run had begun, `partial`.
   */
  async invoke<S extends Schema | undefined = undefined>(
    input?: AgentInput,
    options?: InvokeOptions<S>,
  ): Promise<AgentResult<OutputOf<S>>> {
    const checked = checkInvokeOptions(options)
    return (await this.#runs.invoke(readInput(input, this.#core.ids), checked, undefined, () => {})) as AgentResult<OutputOf<S>>
  }

  /**
   * The same run, with its events. Cold: it starts with the first event that is asked for, or when `result` is first read.
   *
   * @throws {InputError} at the call, for what is no input or option.
   */
  stream<S extends Schema | undefined = undefined>(input?: AgentInput, options?: InvokeOptions<S>): AgentStream<OutputOf<S>> {
    const checked = checkInvokeOptions(options)
    const read = readInput(input, this.#core.ids)
    return new AgentStream((emit, onStart) => this.#runs.invoke(read, checked, emit, onStart))
  }

  /**
   * Calls a tool without the model: the same hooks (`beforeToolCall` has `direct: true`), gates, validation, middleware and
   * steps as a call of the model's. It is recorded in the history as four messages: a note, the call, its result, a note.
   *
   * @param name exactly; or with `_` for each `-` of the tool's name.
   * @returns how the call ended. A tool that fails, an input that is not valid, a cancel: all are outcomes with `status: 'error'`.
   * @throws {ToolNotFoundError} when there is none, {InputError} for an input that is no JSON object,
   * {ConcurrentInvocationError} while the agent runs, {HookError} when a hook threw; the result is recorded by then.
   */
  async callTool(name: string, input: JsonObject, options?: CallOptions): Promise<ToolOutcome> {
    const call = checkDirectCall(name, input, options)
    return this.#runs.occupy(call.options, (run) => callDirectly(run, call))
  }

  /**
   * Shortens the history now, by the agent's context manager: what a `/compact` of a terminal does.
   *
   * @param options.focus what must not get lost, in words.
   * @throws {InputError} when there is no context manager; {ConcurrentInvocationError} while the agent runs; what the manager throws.
   */
  async compact(options: { readonly focus?: string | undefined; readonly signal?: AbortSignal | undefined } = {}): Promise<Compacted> {
    checkOptions('compact', options, { focus: aText, signal: aSignal })
    return this.#runs.occupy(checkInvokeOptions({ signal: options.signal }), (run) => compactNow(run, options.focus))
  }

  /**
   * Ends the run or the direct call that is under way, with `cancelled`; does nothing while the agent is idle. Never throws: what is
   * no text, such as the event of a button, is no reason, and the run ends all the same.
   */
  cancel(reason = 'cancelled'): void {
    this.#runs.run?.cancel(reasonFor(reason))
  }

  /**
   * Puts another history in the place of this one. It is copied, and repaired where it is not legal.
   *
   * @throws {ConcurrentInvocationError} while the agent runs; {InputError} for what are no messages.
   */
  setMessages(messages: readonly MessageInput[]): void {
    if (this.#runs.run)
      throw new ConcurrentInvocationError('The history cannot be replaced while the agent runs. Wait for the run, or cancel it first.')
    if (!Array.isArray(messages)) throw new InputError(`setMessages() needs an array of messages, got ${describe(messages)}.`)
    const repaired = repair(messages, { openCalls: 'keep', ids: this.#core.ids })
    this.#core.transcript.reset(repaired)
    this.#core.usedIds.reset(repaired)
    this.#core.pending = undefined
    this.#core.ownsHistory = true
  }

  /**
   * Loads the model, sets the plug-ins up and loads the tools of the providers now, not on the first invocation. With a signal
   * the wait ends when it fires, and so it does when the agent is closed.
   */
  async ready(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    checkOptions('ready', options, { signal: aSignal })
    const { signal } = options
    const { controller, release } = childController(this.#life.signal)
    const off = signal ? onAbort(signal, () => controller.abort(signal.reason)) : () => {}
    try {
      await this.#readiness.ready(controller.signal)
      if (!this.#runs.run) await openLog(this.#core, controller.signal)
    } finally {
      off()
      release()
    }
  }

  /** @throws {InputError} for what is no text. */
  warn(code: string, message: string): void {
    if (typeof code !== 'string' || typeof message !== 'string')
      throw new InputError(`warn() takes a code and a sentence, both texts, got ${describe(code)} and ${describe(message)}.`)
    void this.#runs.run?.warn(code, message)
  }

  on<K extends HookName>(
    name: K,
    fn: (event: HookEvent<K>) => void | Promise<void>,
    options?: { readonly order?: number | undefined },
  ): () => void {
    return this.#core.hooks.on(name, fn, options)
  }

  use<K extends keyof Stages>(stage: K, middleware: Stages[K]): () => void {
    return this.#core.middleware.use(stage, middleware)
  }

  guard(gate: Gate): () => void {
    checkGate(gate)
    this.#gates.push(gate)
    return () => {
      const index = this.#gates.indexOf(gate)
      if (index >= 0) this.#gates.splice(index, 1)
    }
  }

  /**
   * The tool that hands a task to this agent: put it, or the agent itself, among the tools of another one. Each call is a
   * conversation of its own, which begins with the messages that the agent was made with.
   */
  asTool<S extends Schema = Schema>(options?: AsToolOptions<S>): Tool {
    return asTool(this.#core, this.#initial, options)
  }

  /**
   * Cancels what runs and lets go of what the agent holds: every provider of tools is left, and given 10 s to end what it has
   * open. What goes wrong there is not told: nobody is left to hear it.
   */
  async close(): Promise<void> {
    const reason = 'The agent was closed.'
    this.cancel(reason)
    this.#life.abort(new Error(reason))
    this.#life = new AbortController()
    const { cancelGraceMs: graceMs, clock } = this.#core
    await Promise.all([this.#readiness.close({ signal: AbortSignal.abort(), graceMs, clock }), this.#provided.close()])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}
