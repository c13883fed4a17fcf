import type { JsonSchema } from '../../util/json-schema.ts'
import { isObject } from '../../util/json.ts'

/** What Anthropic's models take as the name of an argument; one that does not match fails the whole request. */
const plainKey = /^[a-zA-Z0-9_.-]{1,64}$/

/** The schema with arguments of other names told in its description, so that the model can still give them. */
export function withPlainKeys(schema: JsonSchema): JsonSchema {
  const { properties, required, description } = schema as { properties?: unknown; required?: unknown; description?: unknown }
  if (!isObject(properties) || Object.keys(properties).every((name) => plainKey.test(name))) return schema
  const entries = Object.entries(properties)
  const odd = entries.filter(([name]) => !plainKey.test(name))
  const isOdd = (name: unknown): boolean => odd.some(([other]) => other === name)
  const needed = Array.isArray(required) ? required.filter(isOdd) : []
  const told = [
    ...(typeof description === 'string' ? [description] : []),
    `Further arguments, with exactly these names: ${JSON.stringify(Object.fromEntries(odd))}.`,
    ...(needed.length > 0 ? [`Of these are required: ${JSON.stringify(needed)}.`] : []),
  ]
  return {
    ...schema,
    description: told.join(' '),
    properties: Object.fromEntries(entries.filter(([name]) => !isOdd(name))),
    ...(Array.isArray(required) && { required: required.filter((name) => !isOdd(name)) }),
  }
}
