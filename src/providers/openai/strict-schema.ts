import type { JsonSchema } from '../../util/json-schema.ts'
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

/** Objects within objects that strict mode takes. */
const maxNesting = 10

/**
 * The schema as strict mode takes it: objects that say nothing of other keys are closed, `oneOf` is `anyOf`, and a reference stands alone.
 * `undefined` where that is not all that is missing: an optional property, an object without listed keys, a keyword that strict mode
 * does not know. The answer is still checked against the schema as it was given.
 */
export function strictSchema(schema: JsonSchema): JsonSchema | undefined {
  const closed = close(schema)
  return isStrictSchema(closed) && nesting(closed) <= maxNesting ? (closed as JsonSchema) : undefined
}

function close(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const { $ref, $defs, oneOf, properties, items } = schema
  const named = (map: unknown): unknown =>
    isObject(map) ? Object.fromEntries(Object.entries(map).map(([name, inner]) => [name, close(inner)])) : map
  const listed = (list: unknown): unknown => (Array.isArray(list) ? list.map(close) : list)
  const beside = Object.entries(schema).filter(([key]) => typeof $ref !== 'string' || !['title', 'description'].includes(key))
  const fields: Record<string, unknown> = Object.fromEntries(beside)
  if (oneOf !== undefined && fields['anyOf'] === undefined) {
    fields['anyOf'] = oneOf
    delete fields['oneOf']
  }
  if (fields['anyOf'] !== undefined) fields['anyOf'] = listed(fields['anyOf'])
  if (items !== undefined) fields['items'] = close(items)
  if ($defs !== undefined) fields['$defs'] = named($defs)
  if (isObject(properties)) {
    fields['properties'] = named(properties)
    // Of what has no listed keys nothing would be left.
    if (Object.keys(properties).length > 0) fields['additionalProperties'] ??= false
  }
  return fields
}

function nesting(schema: unknown): number {
  if (!isObject(schema)) return 0
  const { properties, $defs, items, anyOf } = schema
  const inside: unknown[] = [properties, $defs].flatMap((named) => (isObject(named) ? Object.values(named) : []))
  inside.push(items, ...(Array.isArray(anyOf) ? (anyOf as unknown[]) : []))
  return (properties === undefined ? 0 : 1) + Math.max(0, ...inside.map(nesting))
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
