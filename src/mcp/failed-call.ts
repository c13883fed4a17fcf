import type { ToolOutcome } from '../tools/tool.ts'
import type { JsonObject } from '../util/json.ts'
import { isObject } from '../util/json.ts'
import { McpError } from './mcp-error.ts'
import { failed } from './tool-result.ts'

/** A person must visit a page before the call can be made. */
const pageNeeded = -32_042

/** A failed call, for the model. What is no failure of the server is thrown on. */
export function failedCall(error: unknown): ToolOutcome {
  if (!(error instanceof McpError)) throw error
  const { code, rpcCode, data, message } = error
  const elicitations = isObject(data) ? data['elicitations'] : undefined
  if (rpcCode !== pageNeeded || !Array.isArray(elicitations))
    return failed(`McpError: ${message}`, { error, ...(code === 'mcp_timeout' && { code: 'timeout' }) })
  const lines = (elicitations as readonly JsonObject[]).map(
    ({ message: why, url }) => `- ${String(why ?? 'Open this page')}: ${String(url)}`,
  )
  return failed(
    `The server needs a person to do something first, and the call to be made again after that. Tell the user:\n${lines.join('\n')}`,
    { error, structuredContent: { code: rpcCode, elicitations: elicitations as readonly JsonObject[] } },
  )
}
