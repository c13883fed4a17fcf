import type { JsonObject, JsonValue } from '../../../util/json.ts'
import { isObject } from '../../../util/json.ts'
import { jsonOr } from '../../wire/http-error.ts'

/** Where an item holds what came of the tool that the server ran. */
const resultFields = ['results', 'outputs', 'output', 'result', 'tools']

/** An item of a tool that the server runs: as a call, and what came of it. */
export type ServerItem = {
  readonly name: string
  readonly input: JsonObject
  /** The item without its result. */
  readonly rest: JsonObject
  readonly result: { readonly field: string; readonly value: JsonValue } | undefined
  /** The id of the call whose result this item is, and nothing else. */
  readonly answers: string | undefined
}

export function serverItem(item: JsonObject): ServerItem {
  const type = String(item['type'])
  const field = resultFields.find((name) => item[name] !== undefined && item[name] !== null)
  const { [field ?? '']: value, ...rest } = item
  return {
    name: typeof item['name'] === 'string' && item['name'] !== '' ? item['name'] : type.replace(/_call$/, ''),
    input: inputOf(rest),
    rest,
    result: field === undefined ? undefined : { field, value: value! },
    answers: type.endsWith('_output') && typeof item['call_id'] === 'string' ? item['call_id'] : undefined,
  }
}

/** What the model asked of the tool. */
function inputOf(rest: JsonObject): JsonObject {
  const { id: _id, type: _type, status: _status, call_id: _call, name: _name, ...input } = rest
  for (const key of ['arguments', 'input', 'action']) {
    const said = input[key]
    const value = typeof said === 'string' ? jsonOr(said) : said
    if (isObject(value)) return value as JsonObject
  }
  return input
}

/** Calls of tools that the server does not run itself. We answer none of them, and it takes none back without its answer. */
const awaitsUs = ['computer_call', 'custom_tool_call', 'local_shell_call', 'shell_call', 'apply_patch_call', 'mcp_approval_request']

/** Does a call of this kind go back only with its result? */
export const needsResult = (item: JsonObject): boolean => awaitsUs.includes(String(item['type'])) || item['execution'] === 'client'
