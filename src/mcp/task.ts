import type { CallToolResult } from '@modelcontextprotocol/client'
import { isObject } from '../util/json.ts'
import type { Session } from './session.ts'
import { anything, cancelTask, taskError, taskFrom, watchTask } from './task-state.ts'
import type { TaskOptions } from './task-state.ts'

/** Does the server run calls of tools as tasks when it is asked to? That is how it was before the revision 2026-07-28. */
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
  const { name, requestOptions, signal, clock } = options
  const created: unknown = await client.request({ method: 'tools/call', params: { ...params, task: {} } }, anything, requestOptions)
  // A server may answer at once after all.
  if (isObject(created) && Array.isArray(created['content'])) return created as CallToolResult
  const first = taskFrom(isObject(created) ? created['task'] : undefined, name)
  // One that waits for an answer of ours asks for it while its result is asked for.
  const task = await watchTask(session, first, options, ({ status }) => status === 'input_required')
  if (task.status === 'cancelled') throw taskError(name, 'cancelled the task.')
  try {
    const asked = { method: 'tasks/result', params: { taskId: task.taskId } }
    const result: unknown = await client.request(asked, anything, requestOptions)
    if (isObject(result) && Array.isArray(result['content'])) return result as CallToolResult
  } catch (error) {
    if (signal.aborted) cancelTask(session, task.taskId, clock)
    throw error
  }
  throw taskError(name, `ended a task as "${task.status}" without a result.`)
}
