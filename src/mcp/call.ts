import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/client'
import { childController } from '../util/abort.ts'
import type { Clock } from '../util/clock.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'
import { McpError } from './mcp-error.ts'
import type { McpClientSettings } from './options.ts'
import { orAborted } from './or-aborted.ts'
import type { ServerRequest } from './server-questions.ts'
import type { Session } from './session.ts'
import { silenceLimit } from './silence-limit.ts'
import type { SilenceLimit } from './silence-limit.ts'
import type { Progress } from './tap-transport.ts'
import { followTask } from './task-extension.ts'
import { taskFrom } from './task-state.ts'
import { runsTasks, runTask } from './task.ts'
import { wrappedTask } from './wrapped-task.ts'

export type CallOptions = {
  readonly serverName: string
  readonly toolName: string
  /** As the server described it, if it did. */
  readonly definition: McpTool | undefined
  readonly input: JsonObject
  readonly timeoutMs: number
  readonly logLevel: string | undefined
  readonly meta: McpClientSettings['meta']
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onProgress: (value: JsonValue) => void
  /** The result is on its way: what the server asks from now on does not belong to this call. */
  readonly onAnswer?: (() => void) | undefined
  /** Answers what the server asks of its client while a task runs. */
  readonly answer: (request: ServerRequest, signal: AbortSignal) => Promise<JsonObject>
  /** The limits of the calls that are under way. */
  readonly limits: Set<SilenceLimit>
}

/** The longest that a timer of the library can wait: one of more than this is up at once. */
export const neverMs = 2_147_483_647

/** One call over one connection. A cancel and the time limit reach the server. */
export async function callTool(session: Session, options: CallOptions): Promise<CallToolResult> {
  const { serverName, toolName, timeoutMs, clock } = options
  const { controller, release } = childController(options.signal)
  // The library says "timeout" of every abort, so what is thrown is decided here.
  const limit = silenceLimit(timeoutMs, clock, () => controller.abort(timeoutError(serverName, toolName, timeoutMs)))
  options.limits.add(limit)
  const tell = ({ progress: count, total, message }: Progress): void => {
    limit.heard()
    options.onProgress({ progress: count, ...(total !== undefined && { total }), ...(message !== undefined && { message }) })
  }
  const listening = session.listen({ onProgress: tell, onAnswer: options.onAnswer })
  try {
    return await orAborted(send(session, options, controller.signal, limit, listening.token), controller.signal)
  } finally {
    listening.stop()
    options.limits.delete(limit)
    limit.stop()
    release()
  }
}

async function send(
  session: Session,
  options: CallOptions,
  signal: AbortSignal,
  limit: SilenceLimit,
  progressToken: string,
): Promise<CallToolResult> {
  const { client, sdk } = session
  const { toolName, input, definition, logLevel, serverName: name, clock, answer } = options
  // Since the newest revision a server is asked for its log with each request.
  const logs = logLevel !== undefined && client.getProtocolEra() === 'modern' && { [sdk.LOG_LEVEL_META_KEY]: logLevel }
  const more = options.meta?.({ method: 'tools/call', tool: toolName, protocolVersion: client.getNegotiatedProtocolVersion() })
  const params = { name: toolName, arguments: input as Record<string, unknown>, _meta: { ...more, progressToken, ...logs } }
  // The library's own timer counts while a person is asked, so it is set to never, and ours counts.
  const requestOptions = { signal, timeout: neverMs }
  const taskOptions = { name, clock, signal, requestOptions, answer, onChange: options.onProgress, heard: () => limit.heard() }
  const support = (definition as { execution?: { taskSupport?: string } } | undefined)?.execution?.taskSupport
  if ((support === 'required' || support === 'optional') && runsTasks(session)) return await runTask(session, params, taskOptions)
  const result = await client.callTool(params, { ...requestOptions, ...(definition && { toolDefinition: unchecked(definition) }) })
  const task = wrappedTask(result)
  return task === undefined ? result : await followTask(session, taskFrom(task, name), taskOptions)
}

/** What a tool promises to give is checked here, where what it gave is kept. */
function unchecked(definition: McpTool): McpTool {
  const { outputSchema: _, ...rest } = definition
  return rest
}

const timeoutError = (server: string, tool: string, ms: number): McpError =>
  new McpError('mcp_timeout', `The MCP server "${server}" was silent for ${ms} ms during the call of ${tool}, and the call was ended.`, {
    server,
  })
