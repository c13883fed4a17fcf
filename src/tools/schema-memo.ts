import type { JsonSchema } from '../util/json-schema.ts'
import { freezeOwn } from '../util/json.ts'

/** What was made of a schema, and what it said then. */
type Made = { readonly text: string; readonly jsonSchema: JsonSchema }

const known = new WeakMap<object, Made>()

/** Longer ones are rare, and would be kept twice. */
const maxText = 100_000

/**
 * What is made of a schema, once for as long as it says the same: a server that makes its tools for each request does so from the
 * same few schemas. What comes back is frozen, as several tools share it.
 *
 * @param schema whose it is; what is known is forgotten with it.
 * @param shown what it says.
 */
export function madeOnce(schema: object, shown: JsonSchema, make: () => JsonSchema): JsonSchema {
  const text = textOf(shown)
  if (text === undefined) return make()
  const before = known.get(schema)
  if (before?.text === text) return before.jsonSchema
  // A copy, as parts of it are the caller's own: those are not ours to freeze.
  const jsonSchema = freezeOwn(JSON.parse(JSON.stringify(make())) as JsonSchema)
  known.set(schema, { text, jsonSchema })
  return jsonSchema
}

function textOf(shown: JsonSchema): string | undefined {
  try {
    const text = JSON.stringify(shown)
    return text.length > maxText ? undefined : text
  } catch {
    // Whoever reads it will say what is wrong with it.
    return undefined
  }
}
