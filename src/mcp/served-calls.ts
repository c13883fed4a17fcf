import type { ServerContext } from '@modelcontextprotocol/server'
import { keepListener } from '../tools/call-internals.ts'
import { directContext } from '../tools/direct-context.ts'
import { cancelledOutcome, execute, thrown } from '../tools/execute.ts'
import { resolveCall } from '../tools/resolve-call.ts'
import type { Tool, ToolContext, ToolOutcome } from '../tools/tool.ts'
import type { Cut } from '../util/abort.ts'
import { childController, onAbort, reasonOf, settle } from '../util/abort.ts'
import type { Clock } from '../util/clock.ts'
import { randomIds } from '../util/ids.ts'
import type { JsonObject } from '../util/json.ts'
import { agentProgress } from './agent-progress.ts'
import { promisedOutcome } from './promised-outcome.ts'
import { servedProgress } from './served-progress.ts'
import { traceContextOf } from './served-trace-context.ts'
import type { McpTraceContext } from './served-trace-context.ts'

/** A call that a client has made. */
export type McpServedCall = {
  readonly method: 'tools/call'
  readonly toolName: string
  readonly protocolVersion: string | undefined
  /** The caller's place in its trace: of the request's `_meta`, else of its HTTP headers. */
  readonly traceContext: McpTraceContext
}

export type McpAround = (call: McpServedCall, run: () => Promise<ToolOutcome>) => Promise<ToolOutcome>

export type ServedCallsOptions = {
  readonly tools: readonly Tool[]
  readonly clock: Clock
  readonly around: McpAround | undefined
}

type Given = {
  readonly name: string
  readonly input: JsonObject
  readonly context: ServerContext
  readonly protocolVersion: string | undefined
}

/** Runs the calls of all clients of a service. */
export class ServedCalls {
  readonly #options: ServedCallsOptions
  readonly #byName: ReadonlyMap<string, Tool>
  readonly #end = new AbortController()
  readonly #running = new Set<Promise<unknown>>()

  constructor(options: ServedCallsOptions) {
    this.#options = options
    this.#byName = new Map(options.tools.map((tool) => [tool.name, tool]))
  }

  /** Never throws: what goes wrong is a result for the model. */
  async run(given: Given): Promise<ToolOutcome> {
    const { name, context, protocolVersion } = given
    const { around } = this.#options
    const { controller, release } = childController(context.mcpReq.signal)
    const off = onAbort(this.#end.signal, () => controller.abort(reasonOf(this.#end.signal)))
    const inside = (): Promise<ToolOutcome> => this.#noted(this.#execute(given, controller.signal))
    const outside = async (): Promise<ToolOutcome> =>
      around ? around({ method: 'tools/call', toolName: name, protocolVersion, traceContext: traceContextOf(context) }, inside) : inside()
    try {
      const settled = await settle(outside())
      return settled.ok ? settled.value : thrown(settled.error)
    } finally {
      off()
      release()
    }
  }

  /** Tells every call that runs, and every one that comes. */
  end(): void {
    this.#end.abort(new Error('The service has ended.'))
  }

  /** Resolves when no call runs any more. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#running)
  }

  /** Until it has ended; what is around it is somebody else's, and may take for ever. */
  async #noted<T>(running: Promise<T>): Promise<T> {
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }

  async #execute({ name, input, context }: Given, signal: AbortSignal): Promise<ToolOutcome> {
    if (signal.aborted) return cancelledOutcome(false)
    // Not counted: over HTTP each request has a server of its own, and no two calls may have the same key.
    const toolUse = { type: 'tool_use', id: randomIds.next('call'), name, input } as const
    const names = [...this.#byName.keys()]
    const { clock } = this.#options
    const { tool, parsed, flags, refused } = await resolveCall({ toolUse, tool: this.#byName.get(name), input, names, signal, clock })
    if (refused || !tool) return refused!
    const progress = servedProgress(context, clock)
    const settleMs = tool.settleMs ?? (flags.readOnly ? 0 : 2000)
    const makeContext = (cut: Cut): ToolContext => {
      const given = { toolUse, idempotencyKey: toolUse.id, signal: cut.signal, ...(progress && { progress: progress.tell }) }
      const made = directContext(tool.name, input, given)
      if (progress) keepListener(made, agentProgress(progress.tell, clock))
      return made
    }
    try {
      return await promisedOutcome(tool, await execute(tool, parsed, makeContext, { signal, clock, settleMs, onLate: () => {} }))
    } finally {
      await progress?.end()
    }
  }
}
