import { pointerParts } from '../util/json.ts'
import type { JsonSchema } from '../util/json-schema.ts'
import { isObject } from '../util/json.ts'
import { mapSchemas } from './schema-keywords.ts'

/** What is in these speaks of the same value as what is beside them. */
const inPlace = new Set(['allOf', 'anyOf', 'oneOf', 'then', 'else', 'dependentSchemas'])
/** Here a schema that takes less makes the whole take more: nothing but texts is left out. */
const conditions = new Set(['not', 'if'])

/**
 * The schema as the model is shown it: without the keywords `title`, `$schema` and `additionalProperties: false`, which cost
 * tokens and say nothing; an optional property that may be `null` becomes plain, one that is required, even if only sometimes,
 * keeps its `null`. So the model may leave such a property out, but is not told that it may send `null`, and is not told that
 * other keys are refused. In `not` and `if` only `title` goes.
 * Only schemas are touched: a property named `title` stays, and so do the values of `const`, `enum`, `default`, `examples`,
 * and whatever a `$ref` points at or into.
 */
export function cleanSchema(schema: JsonSchema): JsonSchema {
  const targets = new Set<string>()
  findTargets(schema, targets)
  return clean(schema, '', { targets, shared: requiredOfReferences(schema), required: new Set(), isCondition: false }) as JsonSchema
}

type Around = {
  /** The places that references name, and those on the way to them. */
  readonly targets: ReadonlySet<string>
  /** The names that a schema with a reference requires: they may be properties of what it refers to. */
  readonly shared: ReadonlySet<string>
  /** The names that schemas around, which speak of the same value, require. */
  readonly required: ReadonlySet<string>
  readonly isCondition: boolean
}

/** Stands between the parts of a place in the schema. */
const separator = '\0'

function findTargets(value: unknown, targets: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if ((key === '$ref' || key === '$dynamicRef') && typeof inner === 'string') {
      let place = ''
      for (const part of pointerParts(inner.slice(inner.indexOf('#') + 1))) targets.add((place += separator + part))
    }
    findTargets(inner, targets)
  }
}

function clean(schema: unknown, place: string, around: Around): unknown {
  if (!isObject(schema)) return schema
  const required = new Set([...around.required, ...requiredIn(schema)])
  const inner = mapSchemas(schema, (value, key, name) =>
    clean(value, `${place}${separator}${key}${name === undefined ? '' : separator + String(name)}`, {
      ...around,
      required: inPlace.has(key) ? required : new Set(),
      isCondition: around.isCondition || conditions.has(key),
    }),
  )
  const cleaned = Object.fromEntries(Object.entries(inner).filter(([key, value]) => !isNoise(key, value, around.isCondition)))
  return around.isCondition ? cleaned : withPlainOptionals(cleaned, `${place}${separator}properties${separator}`, { ...around, required })
}

function isNoise(key: string, value: unknown, isCondition: boolean): boolean {
  if (key === '$schema' || key === '~standard') return true
  return (key === 'title' && typeof value === 'string') || (key === 'additionalProperties' && value === false && !isCondition)
}

/** What a schema requires, be it only in one of its branches. */
function requiredIn(schema: unknown): readonly string[] {
  if (!isObject(schema)) return []
  const names = [schema['required'], ...Object.values(isObject(schema['dependentRequired']) ? schema['dependentRequired'] : {})]
  const found = names.flatMap((list) => (Array.isArray(list) ? list.filter((name) => typeof name === 'string') : []))
  mapSchemas(schema, (inner, key) => {
    if (inPlace.has(key)) found.push(...requiredIn(inner))
    return inner
  })
  return found
}

function requiredOfReferences(schema: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (!isObject(schema)) return found
  if (refersInPlace(schema)) for (const name of requiredIn(schema)) found.add(name)
  mapSchemas(schema, (inner) => requiredOfReferences(inner, found))
  return found
}

function refersInPlace(schema: unknown): boolean {
  if (!isObject(schema)) return false
  if ('$ref' in schema || '$dynamicRef' in schema) return true
  let refers = false
  mapSchemas(schema, (inner, key) => (refers ||= inPlace.has(key) && refersInPlace(inner)))
  return refers
}

/** A property may be named `__proto__`, which an assignment would not create. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
}

function withPlainOptionals(
  schema: Record<string, unknown>,
  place: string,
  { targets, required, shared }: Around,
): Record<string, unknown> {
  const properties = schema['properties']
  if (!isObject(properties)) return schema
  const isTarget = (name: string): boolean => targets.has(place + name)
  const plain: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties))
    setOwn(plain, name, required.has(name) || shared.has(name) || isTarget(name) ? property : withoutNull(property))
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
