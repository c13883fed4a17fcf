import type { JsonObject, JsonValue } from '../../util/json.ts'
import { isObject } from '../../util/json.ts'

/** Fields of the Converse API; any other is the model's own. */
const converseFields = new Set([
  'additionalModelRequestFields',
  'additionalModelResponseFieldPaths',
  'guardrailConfig',
  'inferenceConfig',
  'outputConfig',
  'performanceConfig',
  'promptVariables',
  'requestMetadata',
  'serviceTier',
  'system',
  'toolConfig',
])

/** What users add, each field where it belongs. Of several the later wins. */
export function userFields(...given: readonly (JsonObject | undefined)[]): JsonObject {
  return given.reduce<JsonObject>((all, fields) => merged(all, sorted(fields ?? {})), {})
}

function sorted(fields: JsonObject): JsonObject {
  const entries = Object.entries(fields)
  const models = Object.fromEntries(entries.filter(([key]) => !converseFields.has(key)))
  const own = Object.fromEntries(entries.filter(([key]) => converseFields.has(key)))
  return Object.keys(models).length > 0 ? merged({ additionalModelRequestFields: models }, own) : own
}

/** The fields of both; objects are merged in turn, anything else is replaced by the latter. */
export function merged(ours: JsonObject, more: JsonObject): JsonObject {
  const fields: Record<string, JsonValue | undefined> = { ...ours }
  for (const [key, value] of Object.entries(more)) {
    const own = fields[key]
    fields[key] = isObject(own) && isObject(value) ? merged(own, value) : value
  }
  return fields
}
