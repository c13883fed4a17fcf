import { isObject } from '../../util/json.ts'

/** The keywords that OpenAI's strict mode has taken from the start. */
const taken = [
  '$schema',
  '$defs',
  '$ref',
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'enum',
  'const',
]

/**
 * May the schema be sent with `strict: true`, which binds the model to it? Every object must be closed and every property
 * required; a schema that strict mode does not know would be refused as a whole.
 */
export function isStrictSchema(schema: unknown): boolean {
  return isObject(schema) && schema['type'] === 'object' && isStrict(schema)
}

function isStrict(schema: unknown): boolean {
  if (!isObject(schema) || !Object.keys(schema).every((key) => taken.includes(key))) return false
  const { properties, required, items, anyOf, $defs } = schema as {
    properties?: unknown
    required?: unknown
    items?: unknown
    anyOf?: unknown
    $defs?: unknown
  }
  if (schema['type'] === 'object' || properties !== undefined) {
    if (schema['additionalProperties'] !== false || !isObject(properties) || !Array.isArray(required)) return false
    if (!Object.keys(properties).every((name) => (required as unknown[]).includes(name))) return false
  }
  const inside: unknown[] = [properties, $defs].flatMap((named) => (isObject(named) ? Object.values(named) : []))
  if (items !== undefined) inside.push(items)
  if (Array.isArray(anyOf)) inside.push(...(anyOf as unknown[]))
  return inside.every(isStrict)
}
