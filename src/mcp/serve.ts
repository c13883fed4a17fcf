import type { Readable, Writable } from 'node:stream'
import type { AgentHandle } from '../agent/handle.ts'
import { InputError } from '../errors.ts'
import { checkTool } from '../tools/check-tool.ts'
import type { Tool } from '../tools/tool.ts'
import { onAbort, settle } from '../util/abort.ts'
import { systemClock } from '../util/clock.ts'
import type { Clock } from '../util/clock.ts'
import { loadServerSdk } from './sdk.ts'
import { serveHttp } from './serve-http.ts'
import { serverOf } from './served-tools.ts'

/** What is served: tools, or an agent as the tool that hands it a task. */
export type McpServed = { readonly tools: readonly Tool[] } | { readonly agent: AgentHandle }

export type ServeMcpOptions = {
  /** Default `stdio`: the client has started this process. A port: streamable HTTP at `http://127.0.0.1:<port>/mcp`, 0 for any that is free. */
  readonly transport?: 'stdio' | { readonly port: number } | undefined
  /** For clients. Default: the agent's name, or `lena-agent`. */
  readonly name?: string | undefined
  readonly version?: string | undefined
  /** For the model that will use the tools. */
  readonly instructions?: string | undefined
  /** Ends the service. */
  readonly signal?: AbortSignal | undefined
  /** For `stdio`. Default: those of the process. */
  readonly stdin?: Readable | undefined
  readonly stdout?: Writable | undefined
  readonly clock?: Clock | undefined
}

export type McpService = {
  /** Where clients find it; left out for `stdio`. */
  readonly url: string | undefined
  /** Resolves when it has ended: by `close()`, by the signal, or because the client has gone (`stdio`). */
  readonly closed: Promise<void>
  close(): Promise<void>
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
  const { transport = 'stdio', version = '1.0.0', instructions, signal, clock = systemClock } = options
  const tools = toolsOf(served)
  const name = options.name ?? ('agent' in served ? served.agent.name : 'lena-agent')
  const sdk = await loadServerSdk()
  const makeServer = (): ReturnType<typeof serverOf> => serverOf({ sdk, name, version, instructions, tools, clock })
  let ended: () => void = () => {}
  const closed = new Promise<void>((resolve) => (ended = resolve))
  let url: string | undefined
  let end: () => Promise<void>
  if (transport === 'stdio') {
    const { stdin = process.stdin, stdout = process.stdout } = options
    const handle = sdk.serveStdio(makeServer, { transport: new sdk.StdioServerTransport(stdin, stdout) })
    const gone = (): void => void close()
    end = async () => {
      stdin.off('close', gone).off('end', gone)
      await handle.close()
    }
    stdin.once('close', gone).once('end', gone)
  } else {
    const http = await serveHttp(sdk, transport.port, makeServer)
    url = http.url
    end = () => http.close()
  }
  let closing: Promise<void> | undefined
  const close = (): Promise<void> =>
    (closing ??= (async () => {
      off()
      await settle(end())
      ended()
    })())
  const off = signal ? onAbort(signal, () => void Promise.resolve().then(close)) : (): void => {}
  return { url, closed, close }
}

function toolsOf(served: McpServed): readonly Tool[] {
  if (typeof served !== 'object' || served === null || 'agent' in served === 'tools' in served)
    throw new InputError('serveMcp() needs { tools } or { agent }.')
  if ('agent' in served) {
    if (typeof (served.agent as Partial<AgentHandle> | undefined)?.asTool !== 'function')
      throw new InputError('serveMcp({ agent }) needs an Agent.')
    return [served.agent.asTool()]
  }
  if (!Array.isArray(served.tools) || served.tools.length === 0) throw new InputError('serveMcp({ tools }) needs at least one tool.')
  for (const tool of served.tools as readonly unknown[]) checkTool(tool)
  const names = served.tools.map((tool: Tool) => tool.name)
  const twice = names.find((name: string, index: number) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new InputError(`serveMcp({ tools }) got two tools named "${twice}".`)
  return served.tools as readonly Tool[]
}
