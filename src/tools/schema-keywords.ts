import { isObject } from '../util/json.ts'

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
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'])
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'])

/** Keywords with values of any shape. */
const values = new Set(['enum', 'const', 'default', 'examples'])

/** Does it hold schemas or values? What lies behind another word is an author's own. */
export const isKeyword = (key: string): boolean => single.has(key) || lists.has(key) || maps.has(key) || values.has(key)

/** Is the value of this keyword one schema? */
export const isSingleSchema = (key: string, value: unknown): boolean => single.has(key) && !Array.isArray(value)

/** Is it a list of schemas? */
export const isSchemaList = (key: string, value: unknown): value is readonly unknown[] => lists.has(key) && Array.isArray(value)

/** Does it map names to schemas? In `dependencies` there may be lists of names among them. */
export const isSchemaMap = (key: string, value: unknown): value is Record<string, unknown> => maps.has(key) && isObject(value)

/** The same schema with the schemas directly in it changed; the rest is shared. */
export function mapSchemas(
  schema: Readonly<Record<string, unknown>>,
  change: (inner: unknown, keyword: string, name: string | number | undefined) => unknown,
): Record<string, unknown> {
  return fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (isSchemaMap(key, value))
        return [
          key,
          fromEntries(Object.entries(value).map(([name, inner]) => [name, Array.isArray(inner) ? inner : change(inner, key, name)])),
        ]
      if (isSchemaList(key, value)) return [key, value.map((inner, index) => change(inner, key, index))]
      return [key, isSingleSchema(key, value) ? change(value, key, undefined) : value]
    }),
  )
}

/** A property may be named `__proto__`, which `fromEntries` creates as any other. */
const fromEntries = (entries: readonly (readonly [string, unknown])[]): Record<string, unknown> => Object.fromEntries(entries)
