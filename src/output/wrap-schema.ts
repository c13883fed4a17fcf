import type { JsonSchema } from '../util/json-schema.ts'
import { isObject } from '../util/json.ts'

/** What makes a root more than a plain object. */
const composed = ['$ref', 'anyOf', 'oneOf', 'allOf', 'not', 'if', 'enum', 'const']

/**
 * A schema that is no plain object, as the property `value` of one: arrays, texts, unions. `undefined` for one that needs it not.
 * Definitions stay at the root, and references to what was the root find it in its new place.
 */
export function wrapSchema(schema: JsonSchema): JsonSchema | undefined {
  if (schema['type'] === 'object' && !composed.some((key) => key in schema)) return undefined
  const { $defs, definitions, $schema, ...inner } = schema
  const move = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(move)
    if (!isObject(part)) return part
    return Object.fromEntries(
      Object.entries(part).map(([key, value]) => [key, key === '$ref' && typeof value === 'string' ? moved(value) : move(value)]),
    )
  }
  return {
    ...($schema !== undefined && { $schema }),
    type: 'object',
    properties: { value: move(inner) },
    required: ['value'],
    ...($defs !== undefined && { $defs: move($defs) }),
    ...(definitions !== undefined && { definitions: move(definitions) }),
  }
}

function moved(reference: string): string {
  if (reference !== '#' && !reference.startsWith('#/')) return reference
  if (/^#\/(\$defs|definitions)(\/|$)/.test(reference)) return reference
  return `#/properties/value${reference.slice(1)}`
}
