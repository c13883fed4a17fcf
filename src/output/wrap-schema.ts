import { mapSchemas } from '../tools/schema-keywords.ts'
import type { JsonSchema } from '../util/json-schema.ts'
import { isObject } from '../util/json.ts'

/** What makes a root more than a plain object. */
const composed = ['$ref', '$dynamicRef', '$recursiveRef', 'anyOf', 'oneOf', 'allOf', 'not', 'if', 'enum', 'const']

/** Is it no plain object: an array, a text, a union? */
export const mustBeWrapped = (schema: JsonSchema): boolean =>
  schema['type'] !== 'object' || composed.some((key) => Object.hasOwn(schema, key))

/**
 * A schema as the property `value` of an object. Its references are pointers from its root, as `modernSchema` makes them; what was the
 * root they find in its new place. Definitions stay at the root.
 */
export function wrapSchema({ $defs, definitions, ...inner }: JsonSchema): JsonSchema {
  const move = (schema: unknown): unknown => {
    if (!isObject(schema)) return schema
    const within = mapSchemas(schema, move)
    const { $ref } = within
    return typeof $ref === 'string' ? { ...within, $ref: moved($ref) } : within
  }
  const all = (schemas: unknown): unknown =>
    isObject(schemas) ? Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, move(schema)])) : schemas
  return {
    type: 'object',
    properties: { value: move(inner) },
    required: ['value'],
    ...($defs !== undefined && { $defs: all($defs) }),
    ...(definitions !== undefined && { definitions: all(definitions) }),
  }
}

function moved(reference: string): string {
  if (reference !== '#' && !reference.startsWith('#/')) return reference
  if (/^#\/(\$defs|definitions)(\/|$)/.test(reference)) return reference
  return `#/properties/value${reference.slice(1)}`
}
