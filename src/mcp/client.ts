import type { Tool, ToolOutcome } from '../tools/tool.ts'
import type { ToolConsumer, ToolProvider } from '../tools/provider.ts'
import { systemClock } from '../util/clock.ts'
import type { Clock } from '../util/clock.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'
import { callTool, neverMs } from './call.ts'
import { Connection } from './connection.ts'
import { Consumers } from './consumers.ts'
import { followChanges } from './follow-changes.ts'
import { InterruptQueue } from './interrupt-queue.ts'
import { listedTools } from './listed-tools.ts'
import type { ListedTool } from './listed-tools.ts'
import { makeClient } from './make-client.ts'
import { McpError } from './mcp-error.ts'
import { openSession } from './open-session.ts'
import { checkOptions, nameOf } from './options.ts'
import type { McpClientOptions, McpLog } from './options.ts'
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
import { isRepeatable } from './tool-flags.ts'
import { toolForAgent } from './tool-for-agent.ts'
import type { CallListeners } from './tool-for-agent.ts'
import { outcomeFrom } from './tool-result.ts'
import { within } from './within.ts'

export type McpCallOptions = McpRequestOptions & { readonly onProgress?: ((value: JsonValue) => void) | undefined }

/** Who the server says it is. */
export type McpServerInfo = {
  readonly name: string | undefined
  readonly version: string | undefined
  readonly protocolVersion: string | undefined
  /** How its tools are meant to be used, for the model. */
  readonly instructions: string | undefined
}

/** A list may come in many pages, each of which has the time of a call; all together have so many times that. */
const listTimes = 5

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
  readonly #consumers: Consumers
  readonly #limits = new Set<SilenceLimit>()
  readonly #interrupts: InterruptQueue
  /** Descriptions by the server's names, of the newest list. */
  #listed: ReadonlyMap<string, ListedTool> = new Map()
  #badTools: string[] = []

  constructor(options: McpClientOptions) {
    checkOptions(options)
    this.#options = options
    this.name = nameOf(options)
    this.#clock = options.clock ?? systemClock
    this.#consumers = new Consumers(this.#clock)
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
          this.#consumers.warn('mcp_log', `The log level could not be set: ${String(error)}`),
        )
        void followChanges(session, { clock: this.#clock, timeoutMs: this.#timeoutMs, onChange: () => this.#consumers.toolsChanged() })
        if (again) this.#consumers.toolsChanged()
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
      this.#consumers.stopRetry()
      return listed.map((tool) => this.#toolFrom(tool))
    } catch (error) {
      if (signal.aborted || !this.#options.failOpen) throw error
      options.warn('mcp_unavailable', error instanceof Error ? error.message : String(error))
      this.#consumers.tryAgainLater()
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
    return await this.#call(name, input, { signal: signal ?? new AbortController().signal, onProgress: onProgress ?? (() => {}) })
  }

  addConsumer(consumer: ToolConsumer): void {
    this.#consumers.add(consumer)
  }

  async removeConsumer(consumer: ToolConsumer): Promise<void> {
    if (!this.#consumers.remove(consumer)) return
    this.#consumers.stopRetry()
    await this.#connection.release()
  }

  /** Ends the connection, and the server if it is a program. Calls that are under way fail at once; `connect()` begins anew. */
  async close(): Promise<void> {
    this.#consumers.stopRetry()
    await this.#connection.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #open(signal: AbortSignal): Promise<Session> {
    const sdk = await loadClientSdk()
    this.#badTools = []
    const [options, startTimeoutMs] = [this.#options, this.#startTimeoutMs]
    const offered = { options, startTimeoutMs, questions: this.#questions, onToolsChanged: () => this.#consumers.toolsChanged() }
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
    const { allow, deny, prefix, annotations } = this.#options
    const { tools } = await this.#connection.request(async ({ client }) => {
      this.#badTools = []
      const ms = Math.min(listTimes * this.#timeoutMs, neverMs)
      return await within({ ms, clock: this.#clock, signal, late: () => this.#endless(ms) }, (until) =>
        client.listTools(undefined, { signal: until, timeout: this.#timeoutMs, cacheMode: 'refresh' }),
      )
    }, reading({ signal }))
    for (const said of this.#badTools) skip(`A tool of the MCP server "${this.name}" is left out: ${said}`)
    const listed = listedTools(tools, { allow, deny, prefix, annotations, serverName: this.name, skip })
    this.#listed = new Map(listed.map((tool) => [tool.definition.name, tool]))
    return listed
  }

  #endless(ms: number): McpError {
    return new McpError('mcp_timeout', `The MCP server "${this.name}" did not come to the end of its list of tools within ${ms} ms.`, {
      server: this.name,
    })
  }

  #toolFrom(listed: ListedTool): Tool {
    const interrupts = this.#options.elicitation === 'interrupt' ? this.#interrupts : undefined
    return toolForAgent(listed, { call: (...given) => this.#call(...given), interrupts })
  }

  async #call(toolName: string, input: JsonObject, listeners: CallListeners): Promise<ToolOutcome> {
    const { signal } = listeners
    const { definition, spec } = this.#listed.get(toolName) ?? {}
    const options = {
      serverName: this.name,
      toolName,
      definition,
      input,
      timeoutMs: this.#timeoutMs,
      logLevel: this.#options.logLevel,
      meta: this.#options.meta,
      clock: this.#clock,
      ...listeners,
      answer: (request: ServerRequest, until: AbortSignal) => answerRequest(request, until, this.#questions),
      limits: this.#limits,
    }
    const repeatable = isRepeatable(definition?.annotations)
    const result = await this.#connection.request((session) => callTool(session, options), { signal, repeatable })
    return await outcomeFrom(result, { toolName, outputSchema: spec?.outputSchema, mediaTypes: this.#mediaTypes })
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
    if (warning !== undefined) this.#consumers.warn('mcp_log', warning)
  }
}
