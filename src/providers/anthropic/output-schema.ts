import type { JsonValue } from '../../util/json.ts'
import { isObject } from '../../util/json.ts'

/** The keywords that structured output takes. */
const kept = new Set([
  '$ref',
  '$defs',
  'definitions',
  'type',
  'title',
  'description',
  'properties',
  'required',
  'items',
  'anyOf',
  'allOf',
  'enum',
  'const',
  'default',
])
const keptFormats = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'])
const beside = new Set(['$ref', '$defs', 'definitions'])
/** Keywords whose value is a map of schemas. */
const named = new Set(['$defs', 'definitions', 'properties'])

/**
 * The schema of an output as the API takes it: objects are closed, and what it does not know (bounds, lengths, patterns)
 * is told in the description instead. The answer is still checked against the schema as it was given.
 */
export function outputSchema(schema: JsonValue | undefined): JsonValue | undefined {
  if (!isObject(schema)) return schema
  // Nothing may stand beside a reference but what it refers to.
  if (schema['$ref'] !== undefined && Object.keys(schema).some((key) => !beside.has(key)))
    return outputSchema(Object.fromEntries(Object.entries(schema).filter(([key]) => beside.has(key))))
  const fields: Record<string, JsonValue | undefined> = {}
  const told: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (value === undefined || key === '$schema' || key === 'additionalProperties') continue
    if (key === 'oneOf') fields['anyOf'] = within(value)
    else if (named.has(key) && isObject(value))
      fields[key] = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, outputSchema(inner)]))
    else if (key === 'items' || key === 'anyOf' || key === 'allOf') fields[key] = within(value)
    else if (kept.has(key) || (key === 'format' && keptFormats.has(String(value))) || (key === 'minItems' && (value === 0 || value === 1)))
      fields[key] = value
    else told[key] = value
  }
  if (schema['type'] === 'object' || isObject(schema['properties'])) fields['additionalProperties'] = false
  if (Object.keys(told).length > 0)
    fields['description'] = [schema['description'], JSON.stringify(told)]
      .filter((part) => typeof part === 'string' && part !== '')
      .join(' ')
  return fields
}

const within = (value: JsonValue): JsonValue | undefined =>
  Array.isArray(value) ? (value as readonly JsonValue[]).map((inner) => outputSchema(inner)!) : outputSchema(value)
