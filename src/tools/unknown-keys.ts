import type { JsonSchema } from '../util/json-schema.ts'
import { isObject, pointerParts } from '../util/json.ts'
import { patternOf } from './json-schema/pattern.ts'
import type { StandardIssue } from './standard-schema.ts'

/**
 * Keys that a strict tool's schema does not name, as issues. Named is what any schema names that speaks of the same object:
 * behind a reference, in an alternative, under a condition. An object whose schemas list no keys takes all.
 */
export function unknownKeys(root: unknown, input: unknown): readonly StandardIssue[] {
  const issues: StandardIssue[] = []
  look([root], input, [])
  return issues

  function look(schemas: readonly unknown[], value: unknown, path: readonly PropertyKey[]): void {
    if (typeof value !== 'object' || value === null) return
    const inPlace = new Set<JsonSchema>()
    let isOpen = false
    for (const schema of schemas) isOpen = gather(schema, root, inPlace) || isOpen
    const said = [...inPlace]
    if (Array.isArray(value)) {
      value.forEach((item, index) => {
        look(
          said.flatMap((schema) => itemsOf(schema, index)),
          item,
          [...path, index],
        )
      })
      return
    }
    const isListed = said.some((schema) => isObject(schema['properties']) || isObject(schema['patternProperties']))
    for (const [key, inner] of Object.entries(value)) {
      const named = said.flatMap((schema) => namedBy(schema, key))
      if (named.length === 0 && isListed && !isOpen) issues.push({ path: [...path, key], message: unknown(said) })
      else look(named.length > 0 ? named : said.map((schema) => schema['additionalProperties']), inner, [...path, key])
    }
  }
}

function unknown(said: readonly JsonSchema[]): string {
  const known = new Set(said.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : [])))
  return `unknown key, expected one of ${[...known].map((name) => `"${name}"`).join(', ') || 'no keys at all'}`
}

/** Collects the schemas that speak of the same value as this one. True when one of them takes keys that it does not name. */
function gather(schema: unknown, root: unknown, found: Set<JsonSchema>): boolean {
  if (!isObject(schema)) return schema === true
  if (found.has(schema)) return false
  found.add(schema)
  const { $ref, additionalProperties, unevaluatedProperties } = schema
  let isOpen = isSchema(additionalProperties) || isSchema(unevaluatedProperties)
  const add = (other: unknown): void => {
    if (gather(other, root, found)) isOpen = true
  }
  // What cannot be found may name anything.
  if (typeof $ref === 'string') add(at(root, $ref) ?? true)
  for (const key of ['allOf', 'anyOf', 'oneOf'] as const) {
    const parts = schema[key]
    if (!Array.isArray(parts)) continue
    for (const part of parts) add(key !== 'allOf' && isFree(part) ? true : part)
  }
  for (const key of ['if', 'then', 'else']) if (isObject(schema[key])) add(schema[key])
  for (const part of isObject(schema['dependentSchemas']) ? Object.values(schema['dependentSchemas']) : []) if (isObject(part)) add(part)
  return isOpen
}

const isSchema = (value: unknown): boolean => value === true || isObject(value)

/** An alternative that takes any object. */
function isFree(schema: unknown): boolean {
  if (!isObject(schema)) return false
  const words = Object.keys(schema).filter((key) => key !== 'description')
  return words.length === 0 || (words.length === 1 && schema['type'] === 'object')
}

function itemsOf({ prefixItems, items }: JsonSchema, index: number): readonly unknown[] {
  if (Array.isArray(prefixItems) && index < prefixItems.length) return [prefixItems[index]]
  return [items]
}

function namedBy({ properties, patternProperties }: JsonSchema, key: string): readonly unknown[] {
  const own = isObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : []
  const patterns = isObject(patternProperties) ? Object.entries(patternProperties) : []
  return [...own, ...patterns.flatMap(([pattern, schema]) => (patternOf(pattern).test(key) ? [schema] : []))]
}

function at(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  return pointerParts(reference).reduce<unknown>(
    (found, part) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, part) ? (found as Record<string, unknown>)[part] : undefined,
    root,
  )
}
