import { pointerParts } from '../util/json.ts'
import type { JsonSchema } from '../util/json-schema.ts'
import { isObject } from '../util/json.ts'

/** Keywords whose value is one schema. */
const single = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'items',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
])
/** Keywords whose value is a list of schemas. */
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'])
/** Keywords whose value maps names to schemas. */
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

/**
 * The schema as the model is shown it: without the keywords `title`, `$schema` and `additionalProperties: false`, which cost
 * tokens and say nothing; an optional property that may be `null` becomes plain, a required one keeps its `null`.
 * Only schemas are touched: a property named `title` stays, and so do the values of `const`, `enum`, `default`, `examples`,
 * and whatever a `$ref` points at or into.
 */
export function cleanSchema(schema: JsonSchema): JsonSchema {
  const targets: string[] = []
  findTargets(schema, targets)
  return clean(schema, '', targets) as JsonSchema
}

/** Stands between the parts of a place in the schema. */
const separator = '\0'

/** The places that references name. */
function findTargets(value: unknown, targets: string[]): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if ((key === '$ref' || key === '$dynamicRef') && typeof inner === 'string')
      targets.push(['', ...pointerParts(inner.slice(inner.indexOf('#') + 1))].join(separator))
    findTargets(inner, targets)
  }
}

function clean(schema: unknown, place: string, targets: readonly string[]): unknown {
  if (!isObject(schema)) return schema
  const cleaned: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) {
    const here = place + separator + key
    if (key === '$schema' || key === '~standard') continue
    if (key === 'title' && typeof value === 'string') continue
    if (key === 'additionalProperties' && value === false) continue
    if (maps.has(key) && isObject(value)) setOwn(cleaned, key, cleanMap(value, here, targets))
    else if (lists.has(key) && Array.isArray(value))
      cleaned[key] = value.map((item, index) => clean(item, here + separator + index, targets))
    else if (single.has(key)) cleaned[key] = clean(value, here, targets)
    else setOwn(cleaned, key, value)
  }
  return withPlainOptionals(cleaned, `${place}${separator}properties${separator}`, targets)
}

function cleanMap(map: Record<string, unknown>, place: string, targets: readonly string[]): Record<string, unknown> {
  const cleaned: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(map)) setOwn(cleaned, name, clean(schema, place + separator + name, targets))
  return cleaned
}

/** A property may be named `__proto__`, which an assignment would not create. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
}

function withPlainOptionals(schema: Record<string, unknown>, place: string, targets: readonly string[]): Record<string, unknown> {
  const properties = schema['properties']
  if (!isObject(properties)) return schema
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const isTarget = (name: string): boolean =>
    targets.some((target) => target === place + name || target.startsWith(place + name + separator))
  const plain: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties))
    setOwn(plain, name, required.has(name) || isTarget(name) ? property : withoutNull(property))
  return { ...schema, properties: plain }
}

/** `X | null` as X. Anything that is not plainly that stays as it is. */
function withoutNull(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const { type } = schema
  if (Array.isArray(type) && type.includes('null') && type.length > 1 && !hasNull(schema['enum'])) {
    const types = type.filter((name) => name !== 'null')
    return { ...schema, type: types.length === 1 ? types[0] : types }
  }
  if (type !== undefined) return schema
  for (const key of ['anyOf', 'oneOf']) {
    const { [key]: options, ...rest } = schema
    if (!Array.isArray(options) || !options.some(isNull)) continue
    const others: unknown[] = options.filter((option) => !isNull(option))
    if (others.length === 1 && isObject(others[0])) return { ...others[0], ...rest }
    if (others.length > 1) return { ...rest, [key]: others }
  }
  return schema
}

/** The ways in which libraries write that `null` will do. */
function isNull(schema: unknown): boolean {
  if (!isObject(schema) || Object.keys(schema).length !== 1) return false
  return (
    schema['type'] === 'null' ||
    schema['const'] === null ||
    (Array.isArray(schema['enum']) && schema['enum'].length === 1 && schema['enum'][0] === null)
  )
}

const hasNull = (values: unknown): boolean => Array.isArray(values) && values.includes(null)
