import type { CallToolResult } from '@modelcontextprotocol/client'

/** Since the revision 2026-07-28 tasks are an extension, and it is the server that makes a task of a call. */
export const taskExtension = 'io.modelcontextprotocol/tasks'

const key = 'lena-agent/task'

/** The library takes no task for a result, so a task is carried through it in a result that is empty. */
export function wrapTask(result: Record<string, unknown>): Record<string, unknown> {
  if (result['resultType'] !== 'task') return result
  const { resultType: _, ...task } = result
  return { resultType: 'complete', content: [], _meta: { [key]: task } }
}

/** What came instead of a result, if something did. */
export const wrappedTask = ({ _meta }: CallToolResult): unknown => _meta?.[key]
