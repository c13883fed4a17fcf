import type { JsonSchema } from '../util/json-schema.ts'
import { isObject, pointerParts } from '../util/json.ts'
import { mapSchemas } from './schema-keywords.ts'

const containers = ['$defs', 'definitions'] as const

/** The schema without the definitions that nothing in it refers to. Its references are plain pointers. */
export function withoutUnused(schema: JsonSchema): JsonSchema {
  const used = new Set<string>()
  const look = (inner: unknown): unknown => {
    if (!isObject(inner)) return inner
    const [container, name] = typeof inner['$ref'] === 'string' ? pointerParts(inner['$ref']) : []
    const definitions = container === undefined ? undefined : schema[container]
    const key = `${container}/${name}`
    if (name !== undefined && isObject(definitions) && containers.includes(container as never) && !used.has(key)) {
      used.add(key)
      look(definitions[name])
    }
    mapSchemas(inner, look)
    return inner
  }
  const { $defs, definitions, ...rest } = schema
  look(rest)
  const kept = (container: string, map: unknown): JsonSchema => {
    if (!isObject(map)) return {}
    const entries = Object.entries(map).filter(([name]) => used.has(`${container}/${name}`))
    return entries.length === 0 ? {} : { [container]: Object.fromEntries(entries) }
  }
  return { ...rest, ...kept('$defs', $defs), ...kept('definitions', definitions) }
}
