import type { ServerToolResultBlock, ServerToolUseBlock } from '../../messages/content.ts'
import type { JsonObject } from '../../util/json.ts'
import { isObject } from '../../util/json.ts'
import { providerName } from './options.ts'

/**
 * A tool that the server ran, or what came of it, as a block that keeps the whole part for the API.
 *
 * @param ownId stands where the API gives no id.
 * @param lastCall the call before, to which a result without an id belongs.
 */
export function serverToolBlock(part: JsonObject, ownId: string, lastCall: string): ServerToolUseBlock | ServerToolResultBlock | undefined {
  const provider = { [providerName]: { part } }
  const { executableCode: code, codeExecutionResult: output, toolCall: call, toolResponse: response } = part
  if (isObject(code)) {
    const { id, ...input } = code
    return { type: 'server_tool_use', id: idOr(id, ownId), name: 'code_execution', input, provider }
  }
  if (isObject(output)) {
    const { id, ...content } = output
    return { type: 'server_tool_result', toolUseId: idOr(id, lastCall || ownId), content, provider }
  }
  if (isObject(call)) {
    const { id, toolType, args } = call
    return { type: 'server_tool_use', id: idOr(id, ownId), name: String(toolType ?? 'tool').toLowerCase(), input: args ?? {}, provider }
  }
  if (!isObject(response)) return undefined
  const { id, response: content } = response
  return { type: 'server_tool_result', toolUseId: idOr(id, lastCall || ownId), content: content ?? null, provider }
}

const idOr = (id: unknown, other: string): string => (typeof id === 'string' && id !== '' ? id : other)
