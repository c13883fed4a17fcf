import type { StandardSchemaV1 } from '@modelcontextprotocol/client'
import { notNeeded, reasonOf } from '../util/abort.ts'
import type { Clock } from '../util/clock.ts'
import type { JsonObject } from '../util/json.ts'
import { isObject } from '../util/json.ts'
import { McpError } from './mcp-error.ts'
import type { ServerRequest } from './server-questions.ts'
import type { Session } from './session.ts'

export type TaskOptions = {
  /** The server's. */
  readonly name: string
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly requestOptions: { readonly signal: AbortSignal; readonly timeout: number }
  /** Told how it stands. */
  readonly onChange: (value: JsonObject) => void
  /** Something happened. */
  readonly heard: () => void
  /** Answers what the server asks while it runs. */
  readonly answer: (request: ServerRequest, signal: AbortSignal) => Promise<JsonObject>
}

/** A call that goes on at the server, as it stands. Two revisions of the protocol name some of its parts differently. */
export type Task = {
  readonly taskId: string
  readonly status: string
  readonly statusMessage?: string
  readonly pollInterval?: unknown
  readonly pollIntervalMs?: unknown
  readonly lastUpdatedAt?: string
  readonly inputRequests?: unknown
  readonly result?: unknown
  readonly error?: unknown
}

/** Takes whatever comes: what is used of it is looked at here. */
export const anything = {
  '~standard': { version: 1, vendor: 'lena-agent', validate: (value: unknown) => ({ value }) },
} as StandardSchemaV1<unknown, unknown>

/** Between two looks at a task that names no time of its own, and what is made of those that do. */
const [usualMs, leastMs, mostMs] = [500, 50, 10_000]
/** How long the server may take to cancel. */
const cancelMs = 5000

const isOver = ({ status }: Task): boolean => ['completed', 'failed', 'cancelled'].includes(status)

/**
 * Looks at a task until it is over, or until `atLook`, which sees each state, says that it is enough. A task that is left before it
 * is over is cancelled.
 */
export async function watchTask(
  session: Session,
  first: Task,
  options: TaskOptions,
  atLook: (task: Task) => boolean | Promise<boolean>,
): Promise<Task> {
  const { clock, signal, requestOptions } = options
  const look = { method: 'tasks/get', params: { taskId: first.taskId } }
  try {
    let task = first
    for (let count = 1; !isOver(task) && !(await atLook(task)); count++) {
      const wanted = Number(task.pollIntervalMs ?? task.pollInterval) || usualMs
      await clock.sleep(Math.min(mostMs, Math.max(leastMs, wanted)), signal)
      if (signal.aborted) throw reasonOf(signal)
      const next = taskFrom(await session.client.request(look, anything, requestOptions), options.name)
      if (next.status !== task.status || next.statusMessage !== task.statusMessage || next.lastUpdatedAt !== task.lastUpdatedAt) {
        options.heard()
        options.onChange({ progress: count, message: next.statusMessage ?? next.status })
      }
      task = next
    }
    return task
  } catch (error) {
    cancelTask(session, first.taskId, clock)
    throw error
  }
}

/** Tells the server, and waits for nothing. */
export function cancelTask({ client }: Session, taskId: string, clock: Clock): void {
  const timer = new AbortController()
  void clock.sleep(cancelMs, timer.signal).then(() => timer.abort(notNeeded))
  client
    .request({ method: 'tasks/cancel', params: { taskId } }, anything, { signal: timer.signal, timeout: cancelMs })
    .catch(() => {})
    .finally(() => timer.abort(notNeeded))
}

export function taskFrom(given: unknown, serverName: string): Task {
  if (isObject(given) && typeof given['taskId'] === 'string' && typeof given['status'] === 'string') return given as Task
  throw taskError(serverName, `was asked for a task and gave none: ${JSON.stringify(given)?.slice(0, 200)}`)
}

export const taskError = (server: string, what: string, rest: { readonly rpcCode?: number; readonly data?: unknown } = {}): McpError =>
  new McpError('mcp_protocol', `The MCP server "${server}" ${what}`, { server, ...rest })
