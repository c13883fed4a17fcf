import type { JsonSchema } from '../util/json-schema.ts'
import { isObject } from '../util/json.ts'

/** Keywords whose value is one schema. */
const single = new Set(['additionalProperties', 'unevaluatedProperties', 'propertyNames', 'items', 'additionalItems', 'unevaluatedItems', 'contains', 'not', 'if', 'then', 'else', 'contentSchema'])
/** Keywords whose value is a list of schemas. */
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'])
/** Keywords whose value maps names to schemas. */
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

/**
 * The schema as the model is shown it: without the keywords `title`, `$schema` and `additionalProperties: false`, which cost
 * tokens and say nothing; an optional property that may be `null` becomes plain, a required one keeps its `null`.
 * Only schemas are touched: a property named `title` stays, and so do the values of `const`, `enum`, `default`, `examples`.
 */
export function cleanSchema(schema: JsonSchema): JsonSchema {
  return clean(schema) as JsonSchema
}

function clean(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const cleaned: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$schema' || key === '~standard') continue
    if (key === 'title' && typeof value === 'string') continue
    if (key === 'additionalProperties' && value === false) continue
    if (maps.has(key) && isObject(value)) setOwn(cleaned, key, cleanMap(value))
    else if (lists.has(key) && Array.isArray(value)) cleaned[key] = value.map(clean)
    else if (single.has(key)) cleaned[key] = clean(value)
    else setOwn(cleaned, key, value)
  }
  return withPlainOptionals(cleaned)
}

function cleanMap(map: Record<string, unknown>): Record<string, unknown> {
  const cleaned: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(map)) setOwn(cleaned, name, clean(schema))
  return cleaned
}

/** A property may be named `__proto__`, which an assignment would not create. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
}

function withPlainOptionals(schema: Record<string, unknown>): Record<string, unknown> {
  const properties = schema['properties']
  if (!isObject(properties)) return schema
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const plain: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) setOwn(plain, name, required.has(name) ? property : withoutNull(property))
  return { ...schema, properties: plain }
}

const isNull = (schema: unknown): boolean => isObject(schema) && schema['type'] === 'null' && Object.keys(schema).length === 1

/** `X | null` as X. Anything that is not plainly that stays as it is. */
function withoutNull(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const { type, anyOf, ...rest } = schema
  if (Array.isArray(type) && type.includes('null') && type.length > 1 && !hasNull(schema['enum'])) {
    const types = type.filter((name) => name !== 'null')
    return { ...rest, ...(anyOf !== undefined && { anyOf }), type: types.length === 1 ? types[0] : types }
  }
  if (Array.isArray(anyOf) && type === undefined && anyOf.some(isNull)) {
    const others = anyOf.filter((option) => !isNull(option))
    if (others.length === 1 && isObject(others[0])) return { ...others[0], ...rest }
    if (others.length > 1) return { ...rest, anyOf: others }
  }
  return schema
}

const hasNull = (values: unknown): boolean => Array.isArray(values) && values.includes(null)
