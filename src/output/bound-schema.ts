import type { JsonSchema } from '../util/json-schema.ts'
import { isObject, pointerParts } from '../util/json.ts'

/** Those whose models are bound to schemas of closed objects alone: whatever key is not listed is forbidden. */
const closing = new Set(['anthropic', 'bedrock'])
/** Those that refuse a schema that contains itself, or take it only where it may be left out. */
const finite = new Set(['anthropic', 'bedrock', 'google'])

/** Can the provider bind its model to this schema, so that every answer that fits can be given? Else the answer goes by the tool. */
export function isBindable(schema: JsonSchema, provider: string): boolean {
  return !(closing.has(provider) && losesByClosing(schema)) && !(finite.has(provider) && containsItself(schema))
}

/** Has an object keys that are not listed, or must it be several objects at once, each of which would forbid the keys of the others? */
function losesByClosing(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(losesByClosing)
  if (!isObject(schema)) return false
  const { type, properties, additionalProperties, patternProperties, allOf } = schema
  if (additionalProperties === true || isObject(additionalProperties) || isObject(patternProperties)) return true
  const isOfObject = type === 'object' || (Array.isArray(type) && type.includes('object'))
  if (isOfObject && (!isObject(properties) || Object.keys(properties).length === 0)) return true
  if (Array.isArray(allOf) && allOf.some((part) => isObject(part) && ('properties' in part || '$ref' in part))) return true
  return Object.values(schema).some(losesByClosing)
}

/** Does a reference lead back into what contains it? */
function containsItself(root: JsonSchema): boolean {
  const open = new Set<unknown>()
  const done = new Set<unknown>()
  const visit = (part: unknown): boolean => {
    if (typeof part !== 'object' || part === null || done.has(part)) return false
    if (open.has(part)) return true
    open.add(part)
    const { $ref } = part as { readonly $ref?: unknown }
    const leadsBack = Object.values(part).some(visit) || (typeof $ref === 'string' && visit(targetOf(root, $ref)))
    open.delete(part)
    done.add(part)
    return leadsBack
  }
  return visit(root)
}

/** Of the compiled schema, in which every reference is a pointer from its root. */
function targetOf(root: JsonSchema, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  return pointerParts(reference).reduce<unknown>(
    (found, part) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, part) ? (found as Record<string, unknown>)[part] : undefined,
    root,
  )
}
