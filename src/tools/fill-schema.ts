import type { JsonSchema } from '../util/json-schema.ts'
import { isObject } from '../util/json.ts'
import { mapSchemas } from './schema-keywords.ts'

/**
 * The schema with what a foreign one leaves out: the root's `type`, `properties` and `required`, and the type of each
 * property that does not say what it is.
 */
export function fillSchema(schema: JsonSchema): JsonSchema {
  const filled = fill(schema, false) as JsonSchema
  const isRequired = (name: unknown): boolean => typeof name === 'string'
  return {
    ...filled,
    ...(filled['type'] === undefined && isOpen(filled) && { type: 'object' }),
    properties: isObject(filled['properties']) ? filled['properties'] : {},
    required: Array.isArray(filled['required']) ? filled['required'].filter(isRequired) : [],
  }
}

/** Nothing says that it is something else than an object. */
const isOpen = (schema: JsonSchema): boolean => !['enum', 'const', 'items', 'prefixItems'].some((key) => key in schema)

/** Here `properties` may speak of properties that are described elsewhere, unless it says that it is an object: a type would say something new. */
const branches = new Set(['allOf', 'anyOf', 'oneOf', 'then', 'else', 'dependentSchemas', 'dependencies'])
/** Here it would turn what it says around. */
const conditions = new Set(['not', 'if'])

function fill(schema: unknown, isCondition: boolean): unknown {
  if (!isObject(schema)) return schema
  return mapSchemas(schema, (inner, key) => {
    const isWithin = conditions.has(key) || (branches.has(key) ? !isObject(inner) || inner['type'] !== 'object' : isCondition)
    const filled = fill(inner, isWithin)
    return key === 'properties' && !isCondition ? typed(filled) : filled
  })
}

/** What says in another way what a value may be. */
const telling = ['$ref', '$dynamicRef', 'enum', 'const', 'allOf', 'anyOf', 'oneOf', 'not', 'if'] as const
/** Keywords that go with one type alone. */
const hints = {
  object: ['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames', 'minProperties', 'maxProperties'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
}

function typed(property: unknown): unknown {
  if (property === true) return { type: 'string' }
  if (!isObject(property) || property['type'] !== undefined || telling.some((key) => key in property)) return property
  const hinted = Object.entries(hints).find(([, keywords]) => keywords.some((key) => key in property))
  return { type: hinted?.[0] ?? 'string', ...property }
}
