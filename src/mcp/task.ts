import type { CallToolResult, StandardSchemaV1 } from '@modelcontextprotocol/client'
import { notNeeded, reasonOf } from '../util/abort.ts'
import type { Clock } from '../util/clock.ts'
import type { JsonObject } from '../util/json.ts'
import { isObject } from '../util/json.ts'
import { McpError } from './mcp-error.ts'
import type { Session } from './session.ts'

export type TaskOptions = {
  readonly name: string
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly requestOptions: { readonly signal: AbortSignal; readonly timeout: number }
  /** Told how it stands. */
  readonly onChange: (value: JsonObject) => void
  /** Something happened. */
  readonly heard: () => void
}

type Task = {
  readonly taskId: string
  readonly status: string
  readonly statusMessage?: string
  readonly pollInterval?: unknown
  readonly lastUpdatedAt?: string
}

const anything = {
  '~standard': { version: 1, vendor: 'lena-agent', validate: (value: unknown) => ({ value }) },
} as StandardSchemaV1<unknown, unknown>

/** Between two looks at a task that names no time of its own, and what is made of those that do. */
const [usualMs, leastMs, mostMs] = [500, 50, 10_000]
/** How long the server may take to cancel. */
const cancelMs = 5000

/** Does the server run calls of tools as tasks? Only the older revisions have that in the protocol itself. */
export function runsTasks({ client }: Session): boolean {
  const { tasks } = (client.getServerCapabilities() ?? {}) as { tasks?: { requests?: { tools?: { call?: object } } } }
  return client.getProtocolEra() === 'legacy' && tasks?.requests?.tools?.call !== undefined
}

/** One call that goes on at the server while we look how it goes. A cancel reaches the task. */
export async function runTask(
  session: Session,
  params: { readonly name: string; readonly arguments: Record<string, unknown> },
  options: TaskOptions,
): Promise<CallToolResult> {
  const { client } = session
  const { requestOptions, onChange, clock, signal, heard } = options
  const created: unknown = await client.request({ method: 'tools/call', params: { ...params, task: {} } }, anything, {
    ...requestOptions,
  })
  // A server may answer at once after all.
  if (isObject(created) && Array.isArray(created['content'])) return created as CallToolResult
  let task = taskFrom(isObject(created) ? created['task'] : undefined, options)
  try {
    for (let count = 1; !isOver(task.status); count++) {
      // It waits for an answer of ours: that is asked for while its result is.
      if (task.status === 'input_required') break
      await clock.sleep(Math.min(mostMs, Math.max(leastMs, Number(task.pollInterval) || usualMs)), signal)
      if (signal.aborted) throw reasonOf(signal)
      const next = taskFrom(
        await client.request({ method: 'tasks/get', params: { taskId: task.taskId } }, anything, requestOptions),
        options,
      )
      if (next.status !== task.status || next.statusMessage !== task.statusMessage || next.lastUpdatedAt !== task.lastUpdatedAt) {
        heard()
        onChange({ progress: count, message: next.statusMessage ?? next.status })
      }
      task = next
    }
    if (task.status === 'cancelled')
      throw new McpError('mcp_protocol', `The MCP server "${options.name}" cancelled the task.`, { server: options.name })
    const result: unknown = await client.request({ method: 'tasks/result', params: { taskId: task.taskId } }, anything, requestOptions)
    if (isObject(result) && Array.isArray(result['content'])) return result as CallToolResult
    throw new McpError('mcp_protocol', `The task of the MCP server "${options.name}" ended as "${task.status}" without a result.`, {
      server: options.name,
    })
  } catch (error) {
    if (signal.aborted) cancelTask(session, task.taskId, clock)
    throw error
  }
}

const isOver = (status: string): boolean => ['completed', 'failed', 'cancelled'].includes(status)

/** Tells the server, and waits for nothing. */
function cancelTask({ client }: Session, taskId: string, clock: Clock): void {
  const timer = new AbortController()
  void clock.sleep(cancelMs, timer.signal).then(() => timer.abort(notNeeded))
  client
    .request({ method: 'tasks/cancel', params: { taskId } }, anything, { signal: timer.signal, timeout: cancelMs })
    .catch(() => {})
    .finally(() => timer.abort(notNeeded))
}

function taskFrom(given: unknown, { name }: TaskOptions): Task {
  if (isObject(given) && typeof given['taskId'] === 'string' && typeof given['status'] === 'string') return given as Task
  throw new McpError(
    'mcp_protocol',
    `The MCP server "${name}" was asked for a task and gave none: ${JSON.stringify(given)?.slice(0, 200)}`,
    { server: name },
  )
}
