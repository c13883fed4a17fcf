import type { JsonSchema } from '../util/json-schema.ts'
import { isObject } from '../util/json.ts'
import { escaped } from './json-schema/document.ts'
import type { SchemaDocument } from './json-schema/document.ts'
import { isMetaschema } from './json-schema/metaschema-address.ts'
import { isKeyword, mapSchemas } from './schema-keywords.ts'

/** What says something of the document, not of values: every reference is a pointer from the root. */
const names = new Set(['$id', '$anchor', '$dynamicAnchor', '$recursiveAnchor', '$vocabulary', '$dynamicRef', '$recursiveRef'])
/** What may stand beside a `$ref` of an old draft, where it is told and does not count. */
const told = new Set(['$ref', 'title', 'description', 'default', 'examples', '$comment', 'deprecated', '$defs', 'definitions', '$schema'])

/**
 * The schema in the words of draft 2020-12, which providers check schemas against, with every reference as a plain pointer
 * (`#/$defs/…`). What a reference names behind a word that is no keyword moves to `$defs`. A dynamic reference becomes the
 * plain one that it starts as.
 */
export function modernSchema(document: SchemaDocument): JsonSchema {
  const moved = new Map<string, JsonSchema>()
  const movedNames = new Map<unknown, string>()
  const root = document.root as JsonSchema
  const { id, refStandsAlone } = document.dialect
  const places = new Map<unknown, string>()
  place(root, '')

  function place(schema: unknown, pointer: string): void {
    if (!isObject(schema) || places.has(schema)) return
    places.set(schema, pointer)
    mapSchemas(schema, (inner, keyword, name) => {
      place(inner, `${pointer}/${modernPlace(schema, inner, keyword)}${name === undefined ? '' : `/${escaped(String(name))}`}`)
      return inner
    })
  }

  function pointerTo(reference: string, schema: JsonSchema): string | undefined {
    const resource = document.places.get(schema)?.resource
    const target = resource && document.resolve(reference, resource)
    if (!target) return undefined
    const known = places.get(target.schema) ?? movedNames.get(target.schema)
    if (known !== undefined) return known
    if (!isObject(target.schema)) return undefined
    const name = freeName(reference.slice(reference.lastIndexOf('/') + 1), (taken) => moved.has(taken) || has(root['$defs'], taken))
    const pointer = `/$defs/${escaped(name)}`
    movedNames.set(target.schema, pointer)
    moved.set(name, target.schema)
    place(target.schema, pointer)
    return pointer
  }

  function leadsToMetaschema(reference: string, schema: JsonSchema): boolean {
    const resource = document.places.get(schema)?.resource
    return resource !== undefined && isMetaschema(document.addressOf(reference, resource) ?? '')
  }

  function modern(schema: unknown): unknown {
    if (!isObject(schema)) return schema
    const reference = schema['$ref'] ?? schema['$dynamicRef'] ?? schema['$recursiveRef']
    const pointer = typeof reference === 'string' ? pointerTo(reference, schema) : undefined
    const isAlone = refStandsAlone && typeof schema['$ref'] === 'string'
    const kept = Object.entries(schema).filter(
      ([key, value]) =>
        !names.has(key) &&
        !(key === id && typeof value === 'string') &&
        (!isAlone || told.has(key)) &&
        !(key === 'required' && typeof value === 'boolean'),
    )
    const inner = mapSchemas(Object.fromEntries(kept), modern)
    if (pointer === undefined && typeof reference === 'string' && leadsToMetaschema(reference, schema))
      return shownMetaschema(reference, inner)
    return renamed(pointer === undefined ? inner : { ...inner, $ref: `#${pointer}` })
  }

  const result = modern(root) as JsonSchema
  if (moved.size === 0) return result
  const defs: Record<string, unknown> = {}
  // More of them may turn up while they are looked at.
  for (const [name, schema] of moved) defs[name] = modern(schema)
  const left = new Set([...moved.values()].map((schema) => document.places.get(schema)?.pointer.split('/')[1]))
  const isContainer = (key: string): boolean => left.has(escaped(key)) && !isKeyword(key)
  return {
    ...Object.fromEntries(Object.entries(result).filter(([key]) => !isContainer(key))),
    $defs: { ...(isObject(result['$defs']) && result['$defs']), ...defs },
  }
}

/** A model knows what a JSON Schema is, and no provider follows a reference out of the schema. Nothing is said of a mere part of one. */
function shownMetaschema(reference: string, schema: JsonSchema): JsonSchema {
  const beside = Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$ref'))
  if (/#./.test(reference)) return beside
  const version = /draft-0\d|20\d\d-\d\d/.exec(reference)?.[0]
  return { type: 'object', description: `A JSON Schema${version === undefined ? '' : ` (${version})`}.`, ...beside }
}

/** Where the schema in this keyword stands in 2020-12. */
function modernPlace(schema: JsonSchema, inner: unknown, keyword: string): string {
  if (keyword === 'items' && Array.isArray(schema['items'])) return 'prefixItems'
  if (keyword === 'additionalItems' && Array.isArray(schema['items'])) return 'items'
  return keyword === 'dependencies' && !Array.isArray(inner) ? 'dependentSchemas' : keyword
}

/** Keywords that older drafts write otherwise. */
function renamed(given: JsonSchema): JsonSchema {
  const { items, additionalItems, dependencies } = given
  const schema: Record<string, unknown> = { ...given }
  delete schema['additionalItems']
  if (Array.isArray(items)) {
    schema['prefixItems'] = items
    if (additionalItems === undefined) delete schema['items']
    else schema['items'] = additionalItems
  }
  if (isObject(dependencies)) {
    delete schema['dependencies']
    const [lists, schemas] = [true, false].map((isList) =>
      Object.entries(dependencies).filter(([, value]) => Array.isArray(value) === isList),
    )
    if (lists!.length > 0) schema['dependentRequired'] = Object.fromEntries(lists!)
    if (schemas!.length > 0) schema['dependentSchemas'] = Object.fromEntries(schemas!)
  }
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue
    if (schema[exclusive] && schema[bound] !== undefined) {
      schema[exclusive] = schema[bound]
      delete schema[bound]
    } else delete schema[exclusive]
  }
  return schema
}

const has = (map: unknown, name: string): boolean => isObject(map) && Object.hasOwn(map, name)

export function freeName(wanted: string, isTaken: (name: string) => boolean): string {
  const plain = wanted.replaceAll(/[^A-Za-z0-9_]/g, '_') || 'part'
  let name = plain
  for (let n = 2; isTaken(name); n++) name = `${plain}_${n}`
  return name
}
