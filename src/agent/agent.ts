import { ConcurrentInvocationError, InputError } from '../errors.ts'
import type { HookEvent, HookName, Stages } from '../hooks/hooks.ts'
import { Middleware } from '../hooks/middleware.ts'
import { HookRegistry } from '../hooks/registry.ts'
import type { AgentInput } from '../messages/from-input.ts'
import { fromInput } from '../messages/from-input.ts'
import type { Message, MessageInput } from '../messages/message.ts'
import { repair } from '../messages/repair.ts'
import { Transcript } from '../messages/transcript.ts'
import type { Gate } from '../tools/gate.ts'
import type { ToolRegistry } from '../tools/registry.ts'
import { Tools } from '../tools/registry.ts'
import type { JsonValue } from '../util/json.ts'
import type { AgentOptions } from './agent-options.ts'
import { checkAgentOptions } from './agent-options.ts'
import type { AgentCore } from './core.ts'
import type { Emit } from './events.ts'
import type { AgentHandle } from './handle.ts'
import { runInvocation } from './invocation.ts'
import type { CheckedInvokeOptions, InvokeOptions } from './invoke-options.ts'
import { checkInvokeOptions } from './invoke-options.ts'
import { listener } from './listener.ts'
import { Readiness } from './readiness.ts'
import type { AgentResult } from './result.ts'
import { Run } from './run.ts'
import { AgentStream } from './stream.ts'
import type { RunControl } from './stream.ts'
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
export class Agent<State extends object = Record<string, JsonValue>> implements AgentHandle, AsyncDisposable {
  readonly name: string
  readonly description: string
  readonly state: State
  readonly tools: ToolRegistry
  readonly #core: AgentCore
  readonly #gates: Gate[] = []
  readonly #readiness: Readiness
  #run: Run | undefined

  /** @throws {InputError} that names the option; {ToolDefinitionError} for a tool that is none. */
  constructor(options: AgentOptions<State>) {
    const checked = checkAgentOptions(options)
    this.name = checked.name
    this.description = checked.description
    this.state = checked.state as State
    const tools = new Tools()
    if (options.tools) tools.add(options.tools)
    this.tools = tools
    const transcript = new Transcript(repair(options.messages ?? [], { openCalls: 'keep', ids: checked.ids }))
    this.#readiness = new Readiness(this, checked.models, checked.plugins)
    this.#core = {
      ...checked,
      handle: this,
      transcript,
      tools,
      hooks: new HookRegistry(),
      middleware: new Middleware(),
      gates: this.#gates,
      conversationId: checked.ids.next('conversation'),
      usedIds: new UsedIds(transcript.messages),
      ready: (signal) => this.#readiness.ready(signal),
      modelCount: checked.models.length,
      modelAt: (index, signal) => this.#readiness.modelAt(index, signal),
      flush: (signal) => this.#readiness.flush({ signal, graceMs: checked.cancelGraceMs, clock: checked.clock }),
    }
  }

  /** The history: legal, frozen, never changed in place. */
  get messages(): readonly Message[] {
    return this.#core.transcript.messages
  }

  get isRunning(): boolean {
    return this.#run !== undefined
  }

  /**
   * Runs the agent to its answer.
   *
   * @param input a prompt, content blocks, messages; nothing goes on from the history.
   * @throws {AgentError} a subclass with `code`, `cause` and, when the run had begun, `partial`.
   */
  async invoke(input?: AgentInput, options?: InvokeOptions): Promise<AgentResult> {
    const checked = checkInvokeOptions(options)
    return this.#start(fromInput(input, this.#core.ids), checked, undefined, () => {})
  }

  /**
   * The same run, with its events. Cold: it starts with the first event that is asked for, or when `result` is first read.
   *
   * @throws {InputError} at the call, for what is no input or option.
   */
  stream(input?: AgentInput, options?: InvokeOptions): AgentStream {
    const checked = checkInvokeOptions(options)
    const messages = fromInput(input, this.#core.ids)
    return new AgentStream((emit, onStart) => this.#start(messages, checked, emit, onStart))
  }

  /** Ends the run that is under way with the stop reason `cancelled`; does nothing while the agent is idle. */
  cancel(reason = 'cancelled'): void {
    this.#run?.cancel(new Error(reason))
  }

  /**
   * Puts another history in the place of this one. It is copied, and repaired where it is not legal.
   *
   * @throws {ConcurrentInvocationError} while the agent runs.
   */
  setMessages(messages: readonly MessageInput[]): void {
    if (this.#run)
      throw new ConcurrentInvocationError('The history cannot be replaced while the agent runs. Wait for the run, or cancel it first.')
    if (!Array.isArray(messages)) throw new InputError(`setMessages() needs an array of messages, got ${typeof messages}.`)
    const repaired = repair(messages, { openCalls: 'keep', ids: this.#core.ids })
    this.#core.transcript.reset(repaired)
    this.#core.usedIds.reset(repaired)
  }

  /** Loads the model and sets the plug-ins up now, not on the first invocation. With a signal the wait ends when it fires. */
  async ready(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    await this.#readiness.ready(options.signal ?? new AbortController().signal)
  }

  warn(code: string, message: string): void {
    void this.#run?.warn(code, message)
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
    if (typeof gate?.judge !== 'function') throw new InputError('A gate is an object { name, judge(request) }.')
    this.#gates.push(gate)
    return () => {
      const index = this.#gates.indexOf(gate)
      if (index >= 0) this.#gates.splice(index, 1)
    }
  }

  /** Cancels what runs and lets go of what the agent holds. */
  async close(): Promise<void> {
    this.cancel('The agent was closed.')
    const { cancelGraceMs: graceMs, clock } = this.#core
    await this.#readiness.close({ signal: AbortSignal.abort(), graceMs, clock })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #start(
    input: readonly Message[],
    options: CheckedInvokeOptions,
    reader: Emit | undefined,
    onStart: (run: RunControl) => void,
  ): Promise<AgentResult> {
    if (this.#run)
      throw new ConcurrentInvocationError('This agent is running. One invocation at a time: wait for it, cancel it, or use a second agent.')
    const run = new Run(this.#core, options)
    this.#run = run
    try {
      run.emit = both(reader, options.onEvent && listener(run, options.onEvent))
      onStart(run)
      return await runInvocation(run, input)
    } finally {
      run.dispose()
      this.#run = undefined
    }
  }
}

/** Events go to the reader of the stream and to `onEvent`, where there are both. */
function both(reader: Emit | undefined, listening: Emit | undefined): Emit | undefined {
  if (!reader || !listening) return reader ?? listening
  return (event) => {
    const heard = listening(event)
    const read = reader(event)
    return heard && read ? Promise.all([heard, read]).then(() => {}) : (heard ?? read)
  }
}
