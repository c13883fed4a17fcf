import type { CallToolResult } from '@modelcontextprotocol/client'
import type { JsonObject } from '../util/json.ts'
import { isObject } from '../util/json.ts'
import type { ServerRequest } from './server-questions.ts'
import type { Session } from './session.ts'
import { anything, taskError, watchTask } from './task-state.ts'
import type { Task, TaskOptions } from './task-state.ts'

/** Follows a task that came instead of a result to its end, and answers what it asks on the way. A cancel reaches it. */
export async function followTask(session: Session, first: Task, options: TaskOptions): Promise<CallToolResult> {
  const { name, requestOptions, signal } = options
  const answered = new Set<string>()
  const task = await watchTask(session, first, options, async ({ taskId, status, inputRequests }) => {
    if (status !== 'input_required' || !isObject(inputRequests)) return false
    const open = Object.entries(inputRequests).filter(([id]) => !answered.has(id))
    if (open.length === 0) return false
    const inputResponses: Record<string, JsonObject> = {}
    for (const [id, request] of open) {
      inputResponses[id] = await options.answer(request as ServerRequest, signal)
      answered.add(id)
    }
    await session.client.request({ method: 'tasks/update', params: { taskId, inputResponses } }, anything, requestOptions)
    return false
  })
  const { status, statusMessage, result, error } = task
  if (status === 'cancelled') throw taskError(name, 'cancelled the task.')
  if (isObject(result) && Array.isArray(result['content'])) return result as CallToolResult
  const { code, message, data } = (isObject(error) ? error : {}) as { code?: number; message?: string; data?: unknown }
  const said = message ?? statusMessage ?? 'it gave no result.'
  throw taskError(name, `ended a task as "${status}": ${said}`, {
    ...(code !== undefined && { rpcCode: code }),
    ...(data !== undefined && { data }),
  })
}
