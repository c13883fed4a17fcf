import type { Readable, Writable } from 'node:stream'
import type { AgentHandle } from '../agent/handle.ts'
import { InputError } from '../errors.ts'
import { checkTool } from '../tools/check-tool.ts'
import type { Tool } from '../tools/tool.ts'
import { onAbort, settle } from '../util/abort.ts'
import { systemClock, tick } from '../util/clock.ts'
import type { Clock } from '../util/clock.ts'
import { aClock, aFilledText, aFunction, aSignal, aText, anything, checkOptions, having } from '../util/check-options.ts'
import type { RulesOf } from '../util/check-options.ts'
import { describe } from '../util/describe.ts'
import { isObject } from '../util/json.ts'
import { loadServerSdk } from './sdk.ts'
import { serveHttp } from './serve-http.ts'
import { serveStreams } from './serve-streams.ts'
import { ServedCalls } from './served-calls.ts'
import type { McpAround } from './served-calls.ts'
import { serverOf } from './served-tools.ts'

/** What is served: tools, or an agent as the tool that hands it a task. */
export type McpServed = { readonly tools: readonly Tool[] } | { readonly agent: AgentHandle }

/** Streamable HTTP at `http://127.0.0.1:<port>/mcp`. */
export type McpHttp = {
  /** 0 for any that is free. */
  readonly port: number
  /** Of a request. What is longer is refused, with the status 413. Default 4 MiB. */
  readonly maxBodyBytes?: number | undefined
  /**
   * Sessions at once, of clients before the revision 2026-07-28, which has none. When there are so many, the one that was not used for the longest
   * time ends for a new one; when all are in use, a client is refused, with the status 503. Default 1,000.
   */
  readonly maxSessions?: number | undefined
  /** Milliseconds that a session lasts without a request and without an open stream. Default 30 minutes. */
  readonly sessionIdleMs?: number | undefined
  /**
   * Milliseconds that a call of a session goes on after its connection broke: its client may come back for the answer until then (`Last-Event-ID`).
   * After it the call is cancelled. Default 60,000.
   */
  readonly resumeMs?: number | undefined
}

export type ServeMcpOptions = {
  /** Default `stdio`: the client has started this process. */
  readonly transport?: 'stdio' | McpHttp | undefined
  /** For clients. Default: the agent's name, or `lena-agent`. */
  readonly name?: string | undefined
  readonly version?: string | undefined
  /** For the model that will use the tools. */
  readonly instructions?: string | undefined
  /**
   * Runs each call, for what has to be around it: `mcpServedTrace` of `lena-agent/telemetry` has the caller's trace go on in it. It must
   * give back what `run` resolves to.
   */
  readonly around?: McpAround | undefined
  /** Ends the service. */
  readonly signal?: AbortSignal | undefined
  /** For `stdio`. Default: those of the process. */
  readonly stdin?: Readable | undefined
  readonly stdout?: Writable | undefined
  readonly clock?: Clock | undefined
}

const rules: RulesOf<ServeMcpOptions> = {
  // Says itself what it must be.
  transport: anything,
  name: aFilledText,
  version: aFilledText,
  instructions: aText,
  around: aFunction,
  signal: aSignal,
  stdin: having('a stream to read from', 'on'),
  stdout: having('a stream to write to', 'write'),
  clock: aClock,
}

export type McpService = {
  /** Where clients find it; left out for `stdio`. */
  readonly url: string | undefined
  /** Resolves when it has ended: by `close()`, by the signal, or because the client has gone (`stdio`). */
  readonly closed: Promise<void>
  /** Ends the service. Calls that run are told by their signal, waited for as long as a tool has to end (`settleMs`), and answered. */
  close(): Promise<void>
  /** `await using service = await serveMcp(…)` closes it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Serves tools, or an agent, to clients of the Model Context Protocol; the other side of `McpClient`. Each call is validated and
 * run as an agent would run it: a failure is a result for the model. An agent's calls are conversations of their own.
 *
 * Over `stdio` the standard output belongs to the protocol: print nothing else there. Needs the package
 * `@modelcontextprotocol/server`.
 *
 * @throws {InputError} when there is nothing to serve; {ToolDefinitionError} for what is no tool.
 */
export async function serveMcp(served: McpServed, options: ServeMcpOptions = {}): Promise<McpService> {
  checkOptions('serveMcp', options, rules)
  const { transport = 'stdio', version = '1.0.0', instructions, around, signal, clock = systemClock } = options
  const tools = toolsOf(served)
  const http = transport === 'stdio' ? undefined : httpOf(transport)
  const name = options.name ?? ('agent' in served ? served.agent.name : 'lena-agent')
  const sdk = await loadServerSdk()
  const calls = new ServedCalls({ tools, clock, around })
  const makeServer = (): ReturnType<typeof serverOf> => serverOf({ sdk, name, version, instructions, tools, calls })
  let ended: () => void = () => {}
  const closed = new Promise<void>((resolve) => (ended = resolve))
  const gone = (): void => void close()
  const serving = http
    ? await serveHttp({ ...http, sdk, makeServer, clock })
    : serveStreams(sdk, makeServer, options.stdin ?? process.stdin, options.stdout ?? process.stdout, gone)
  let closing: Promise<void> | undefined
  const close = (): Promise<void> =>
    (closing ??= (async () => {
      off()
      calls.end()
      await calls.ended()
      // Their results are on the way to those who called.
      await tick()
      await settle(serving.close())
      ended()
    })())
  const off = signal ? onAbort(signal, () => void Promise.resolve().then(close)) : (): void => {}
  return { url: serving.url, closed, close, [Symbol.asyncDispose]: close }
}

function httpOf(transport: McpHttp): Required<{ [K in keyof McpHttp]: number }> {
  if (!isObject(transport) || !(Number.isInteger(transport.port) && transport.port >= 0 && transport.port <= 65_535))
    throw new InputError("serveMcp(): `transport` must be 'stdio' or { port }, with a port from 0 to 65535.")
  const { port, maxBodyBytes = 4 * 1024 * 1024, maxSessions = 1000, sessionIdleMs = 30 * 60_000, resumeMs = 60_000 } = transport
  for (const [name, value] of Object.entries({ maxBodyBytes, maxSessions, sessionIdleMs, resumeMs }))
    if (!(typeof value === 'number' && value > 0))
      throw new InputError(`serveMcp(): \`transport.${name}\` must be a positive number, got ${String(value)}.`)
  return { port, maxBodyBytes, maxSessions, sessionIdleMs, resumeMs }
}

function toolsOf(served: McpServed): readonly Tool[] {
  if (typeof served !== 'object' || served === null || 'agent' in served === 'tools' in served)
    throw new InputError(
      isObject(served) && 'agent' in served && 'tools' in served
        ? 'serveMcp() takes { tools } or { agent }, not both. An agent among tools is one of them: { tools: [weather, agent.asTool()] }.'
        : `serveMcp() needs { tools } or { agent }, got ${describe(served)}.`,
    )
  if ('agent' in served) {
    if (typeof (served.agent as Partial<AgentHandle> | undefined)?.asTool !== 'function')
      throw new InputError(`serveMcp({ agent }) needs an Agent, got ${describe(served.agent)}.`)
    return [served.agent.asTool()]
  }
  if (!Array.isArray(served.tools) || served.tools.length === 0) throw new InputError('serveMcp({ tools }) needs at least one tool.')
  for (const tool of served.tools as readonly unknown[]) checkTool(tool)
  const names = served.tools.map((tool: Tool) => tool.name)
  const twice = names.find((name: string, index: number) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new InputError(`serveMcp({ tools }) got two tools named "${twice}".`)
  return served.tools as readonly Tool[]
}
