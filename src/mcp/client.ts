import type { CallToolResult } from '@modelcontextprotocol/client'
import type { Tool, ToolContext, ToolOutcome } from '../tools/tool.ts'
import type { ToolConsumer, ToolProvider } from '../tools/provider.ts'
import { notNeeded, reasonOf } from '../util/abort.ts'
import { systemClock } from '../util/clock.ts'
import type { Clock } from '../util/clock.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'
import { callTool, neverMs } from './call.ts'
import { Connection } from './connection.ts'
import { failedCall } from './failed-call.ts'
import { followChanges } from './follow-changes.ts'
import { InterruptQueue } from './interrupt-queue.ts'
import { listedTools } from './listed-tools.ts'
import type { ListedTool } from './listed-tools.ts'
import { makeClient } from './make-client.ts'
import { openSession } from './open-session.ts'
import { checkOptions, nameOf } from './options.ts'
import type { McpClientOptions, McpLog } from './options.ts'
import { orderedProgress } from './ordered-progress.ts'
import { promptsOf } from './prompts.ts'
import type { McpPrompts } from './prompts.ts'
import { reading, resourcesOf } from './resources.ts'
import type { McpRequestOptions, McpResources } from './resources.ts'
import { usualMediaTypes } from './result-content.ts'
import { loadClientSdk } from './sdk.ts'
import { setLogLevel, warningFrom } from './server-log.ts'
import { answerRequest } from './server-questions.ts'
import type { QuestionOptions, ServerRequest } from './server-questions.ts'
import type { Session } from './session.ts'
import type { SilenceLimit } from './silence-limit.ts'
import { flagsFrom, isRepeatable } from './tool-flags.ts'
import { outcomeFrom } from './tool-result.ts'

export type McpCallOptions = McpRequestOptions & { readonly onProgress?: ((value: JsonValue) => void) | undefined }

/** Who the server says it is. */
export type McpServerInfo = {
  readonly name: string | undefined
  readonly version: string | undefined
  readonly protocolVersion: string | undefined
  /** How its tools are meant to be used, for the model. */
  readonly instructions: string | undefined
}

/** With `failOpen`: how long until a server that did not start is tried again. */
const tryAgainMs = 30_000

/**
 * A server of tools that speaks the Model Context Protocol, for an agent: `tools: [new McpClient({ command: 'my-server' })]`.
 *
 * Several agents may share one client. It connects when it is first needed, once; it connects again when the connection has ended,
 * and lets go of it when the last agent has closed or `close()` is called. Needs the package `@modelcontextprotocol/client`.
 *
 * @throws {InputError} for options that are not as they must be. What fails later is an `McpError`.
 */
export class McpClient implements ToolProvider, AsyncDisposable {
  readonly name: string
  readonly resources: McpResources
  readonly prompts: McpPrompts

  readonly #options: McpClientOptions
  readonly #clock: Clock
  readonly #timeoutMs: number
  readonly #startTimeoutMs: number
  readonly #mediaTypes: readonly string[]
  readonly #connection: Connection
  readonly #consumers = new Set<ToolConsumer>()
  readonly #limits = new Set<SilenceLimit>()
  readonly #interrupts: InterruptQueue
  /** Descriptions by the server's names, of the newest list. */
  #listed: ReadonlyMap<string, ListedTool> = new Map()
  #badTools: string[] = []
  #retry: AbortController | undefined

  constructor(options: McpClientOptions) {
    checkOptions(options)
    this.#options = options
    this.name = nameOf(options)
    this.#clock = options.clock ?? systemClock
    this.#interrupts = new InterruptQueue(this.#clock)
    this.#timeoutMs = Math.min(options.timeoutMs ?? 60_000, neverMs)
    this.#startTimeoutMs = Math.min(options.startTimeoutMs ?? 30_000, neverMs)
    this.#mediaTypes = options.mediaTypes ?? usualMediaTypes
    this.#connection = new Connection({
      name: this.name,
      open: (signal) => this.#open(signal),
      // What a server that was started anew offers may be something else.
      onOpen: (session, again) => {
        const { logLevel } = options
        void setLogLevel(session, logLevel).catch((error: unknown) =>
          this.#warn('mcp_log', `The log level could not be set: ${String(error)}`),
        )
        void followChanges(session, { clock: this.#clock, timeoutMs: this.#timeoutMs, onChange: () => this.#toolsChanged() })
        if (again) this.#toolsChanged()
      },
    })
    this.resources = resourcesOf(this.#connection, this.#timeoutMs)
    this.prompts = promptsOf(this.#connection, this.#timeoutMs, this.#mediaTypes)
  }

  /** Connects now instead of when it is first needed, and after `close()` again. */
  async connect({ signal }: McpRequestOptions = {}): Promise<McpServerInfo> {
    this.#connection.reopen()
    await this.#connection.session(signal ?? new AbortController().signal)
    return this.serverInfo
  }

  /** What the server said of itself when it was connected; all `undefined` while it is not. */
  get serverInfo(): McpServerInfo {
    const client = this.#connection.current?.client
    const version = client?.getServerVersion()
    return {
      name: version?.name,
      version: version?.version,
      protocolVersion: client?.getNegotiatedProtocolVersion(),
      instructions: client?.getInstructions(),
    }
  }

  /** The server's tools, for an agent. With `failOpen` none, and a warning, when it cannot be reached. */
  async loadTools(options: { readonly signal: AbortSignal; warn(code: string, message: string): void }): Promise<readonly Tool[]> {
    const { signal } = options
    try {
      const skip = (said: string): void => options.warn('mcp_tool_skipped', said)
      const listed = await this.#list(signal, skip)
      this.#stopRetry()
      return listed.map((tool) => this.#toolFrom(tool))
    } catch (error) {
      if (signal.aborted || !this.#options.failOpen) throw error
      options.warn('mcp_unavailable', error instanceof Error ? error.message : String(error))
      this.#tryAgainLater()
      return []
    }
  }

  /** The server's tools, as an agent would get them. */
  async listTools({ signal }: McpRequestOptions = {}): Promise<readonly Tool[]> {
    const listed = await this.#list(signal ?? new AbortController().signal, () => {})
    return listed.map((tool) => this.#toolFrom(tool))
  }

  /**
   * Calls a tool of the server by the server's own name, without an agent.
   *
   * @throws {McpError} when it cannot be reached or does not answer. That the tool failed is a result: `status: 'error'`.
   */
  async callTool(name: string, input: JsonObject = {}, { signal, onProgress }: McpCallOptions = {}): Promise<ToolOutcome> {
    const result = await this.#call(name, input, signal ?? new AbortController().signal, onProgress ?? (() => {}))
    return await this.#outcome(name, result)
  }

  addConsumer(consumer: ToolConsumer): void {
    this.#consumers.add(consumer)
  }

  async removeConsumer(consumer: ToolConsumer): Promise<void> {
    if (!this.#consumers.delete(consumer) || this.#consumers.size > 0) return
    this.#stopRetry()
    await this.#connection.release()
  }

  /** Ends the connection, and the server if it is a program. Calls that are under way fail at once; `connect()` begins anew. */
  async close(): Promise<void> {
    this.#stopRetry()
    await this.#connection.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #open(signal: AbortSignal): Promise<Session> {
    const sdk = await loadClientSdk()
    this.#badTools = []
    const [options, startTimeoutMs] = [this.#options, this.#startTimeoutMs]
    const offered = { options, startTimeoutMs, questions: this.#questions, onToolsChanged: () => this.#toolsChanged() }
    return await openSession({
      name: this.name,
      options,
      sdk,
      clock: this.#clock,
      startTimeoutMs,
      makeClient: (version) => makeClient(sdk, version, offered),
      onBadTool: (said) => void (this.#badTools.length < 100 && this.#badTools.push(said)),
      signal,
    })
  }

  get #questions(): QuestionOptions {
    const { elicitation, sampling, roots } = this.#options
    return {
      elicitation,
      sampling,
      roots,
      name: this.name,
      ask: (answer) => this.#ask(answer),
      interrupt: (question) => this.#interrupts.ask(question),
      onLog: (log) => this.#onLog(log),
    }
  }

  async #list(signal: AbortSignal, skip: (said: string) => void): Promise<readonly ListedTool[]> {
    const { allow, deny, prefix } = this.#options
    const { tools } = await this.#connection.request(async ({ client }) => {
      this.#badTools = []
      return await client.listTools(undefined, { signal, timeout: this.#timeoutMs, cacheMode: 'refresh' })
    }, reading({ signal }))
    for (const said of this.#badTools) skip(`A tool of the MCP server "${this.name}" is left out: ${said}`)
    const listed = listedTools(tools, { allow, deny, prefix, serverName: this.name, skip })
    this.#listed = new Map(listed.map((tool) => [tool.definition.name, tool]))
    return listed
  }

  #toolFrom({ definition, name, spec }: ListedTool): Tool {
    const { annotations, title } = definition
    const flags = flagsFrom(annotations)
    return {
      name,
      description: spec.description || (title ?? annotations?.title ?? ''),
      inputSchema: spec.inputSchema,
      ...(spec.outputSchema && { outputSchema: spec.outputSchema }),
      validate: spec.validate,
      ...flags,
      // A question could not be told to belong to one of several calls.
      isConcurrencySafe: flags.isConcurrencySafe && this.#options.elicitation !== 'interrupt',
      run: (input: JsonObject, context) => this.#run(definition.name, input, context),
    }
  }

  /** A call by an agent: what goes wrong at the server is a result for the model. */
  async #run(toolName: string, input: JsonObject, context: ToolContext): Promise<ToolOutcome> {
    const { signal } = context
    const progress = orderedProgress((value) => context.progress(value))
    try {
      const call = (until: AbortSignal): Promise<CallToolResult> => this.#call(toolName, input, until, (value) => progress.push(value))
      const result = this.#options.elicitation === 'interrupt' ? await this.#interrupts.run(context, call) : await call(signal)
      await progress.drained()
      return await this.#outcome(toolName, result)
    } catch (error) {
      if (signal.aborted) throw reasonOf(signal)
      return failedCall(error)
    }
  }

  #call(toolName: string, input: JsonObject, signal: AbortSignal, onProgress: (value: JsonValue) => void): Promise<CallToolResult> {
    const definition = this.#listed.get(toolName)?.definition
    const options = {
      serverName: this.name,
      toolName,
      definition,
      input,
      timeoutMs: this.#timeoutMs,
      logLevel: this.#options.logLevel,
      meta: this.#options.meta,
      clock: this.#clock,
      signal,
      onProgress,
      answer: (request: ServerRequest, until: AbortSignal) => answerRequest(request, until, this.#questions),
      limits: this.#limits,
    }
    return this.#connection.request((session) => callTool(session, options), { signal, repeatable: isRepeatable(definition?.annotations) })
  }

  #outcome(toolName: string, result: CallToolResult): Promise<ToolOutcome> {
    const outputSchema = this.#listed.get(toolName)?.spec.outputSchema
    return outcomeFrom(result, { toolName, outputSchema, mediaTypes: this.#mediaTypes })
  }

  /** While somebody else is to answer, no call of the server runs out of time. */
  async #ask<T>(answer: () => T | Promise<T>): Promise<T> {
    const limits = [...this.#limits]
    for (const limit of limits) limit.pause()
    try {
      return await answer()
    } finally {
      for (const limit of limits) limit.resume()
    }
  }

  #onLog(log: McpLog): void {
    const { onLog } = this.#options
    if (onLog) return onLog(log)
    const warning = warningFrom(log, this.name)
    if (warning !== undefined) this.#warn('mcp_log', warning)
  }

  #warn(code: string, message: string): void {
    for (const consumer of this.#consumers) consumer.warn(code, message)
  }

  #toolsChanged(): void {
    for (const consumer of this.#consumers) consumer.toolsChanged()
  }

  /** Has the agents load again after a while. The timer ends with the last agent. */
  #tryAgainLater(): void {
    if (this.#retry || this.#consumers.size === 0) return
    const retry = (this.#retry = new AbortController())
    void this.#clock.sleep(tryAgainMs, retry.signal).then(() => {
      if (retry.signal.aborted) return
      this.#retry = undefined
      this.#toolsChanged()
    })
  }

  #stopRetry(): void {
    this.#retry?.abort(notNeeded)
    this.#retry = undefined
  }
}
