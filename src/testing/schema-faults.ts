import { isObject } from '../util/json.ts'

/** Deeper than this no provider follows. */
const maxDepth = 64
/** By one of these it says what it is without a `type`. */
const says = ['type', 'enum', 'const', '$ref', 'anyOf', 'oneOf', 'allOf', 'not']

/** What some provider would refuse in the schema of a tool's input. */
export function schemaFaults(schema: unknown): readonly string[] {
  const faults: string[] = []
  if (!isObject(schema)) return ['it is no object']
  try {
    if (JSON.stringify(JSON.parse(JSON.stringify(schema))) !== JSON.stringify(schema)) faults.push('it changes when it is sent')
  } catch {
    return ['it is no JSON']
  }
  if (schema['type'] !== 'object') faults.push(`its root has the type ${JSON.stringify(schema['type'])}, expected "object"`)
  for (const key of ['anyOf', 'oneOf', 'allOf', 'enum', 'not'])
    if (key in schema) faults.push(`its root has ${key}, which some providers refuse there`)
  if (!isObject(schema['properties'])) faults.push('it has no properties, expected an object (which may be empty)')
  walk(schema, '', 0, faults)
  const required: unknown = schema['required']
  if (Array.isArray(required))
    for (const name of required)
      if (!isObject(schema['properties']) || !(String(name) in schema['properties']))
        faults.push(`it requires ${String(name)}, which is no property`)
  return faults
}

function walk(schema: Record<string, unknown>, path: string, depth: number, faults: string[]): void {
  if (depth > maxDepth) return void faults.push(`${path.slice(0, 60)}… is nested deeper than ${maxDepth} levels`)
  const { properties, items } = schema
  if (isObject(properties))
    for (const [name, property] of Object.entries(properties)) {
      const at = path === '' ? name : `${path}.${name}`
      if (!isObject(property)) faults.push(`${at} is ${JSON.stringify(property)}, expected a schema`)
      else {
        if (!says.some((key) => key in property)) faults.push(`${at} has no type`)
        walk(property, at, depth + 1, faults)
      }
    }
  if (isObject(items)) walk(items, `${path}[]`, depth + 1, faults)
}
