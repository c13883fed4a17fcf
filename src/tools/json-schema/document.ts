import type { JsonSchema } from '../../util/json-schema.ts'
import { isObject, pointerParts } from '../../util/json.ts'
import { isSchemaList, isSchemaMap, isSingleSchema } from '../schema-keywords.ts'
import { dialectOf } from './dialect.ts'
import type { Dialect } from './dialect.ts'

/** A schema with a name of its own, and what is named within it. */
export type Resource = {
  readonly uri: string
  readonly root: unknown
  readonly dialect: Dialect
  readonly anchors: Map<string, JsonSchema>
  readonly dynamicAnchors: Map<string, JsonSchema>
}
/** Where a schema stands: in which resource, and its JSON pointer from the root of the document. */
export type Place = { readonly resource: Resource; readonly pointer: string }
export type Target = { readonly schema: unknown; readonly resource: Resource; readonly anchor: string | undefined }

/** The address of a document that does not say its own. */
const nowhere = 'schema:/'

/** The schemas of one document by their addresses. References are found in it and in documents that are added; nothing is fetched. */
export class SchemaDocument {
  readonly root: unknown
  readonly dialect: Dialect
  readonly resources = new Map<string, Resource>()
  readonly places = new Map<object, Place>()
  /** Something in it asks what other keywords have looked at. */
  tracks = false

  constructor(root: JsonSchema, dialect = dialectOf(root)) {
    this.root = root
    this.dialect = dialect
    this.add(root, nowhere)
  }

  /** Takes in a document with its address. */
  add(root: JsonSchema, uri: string, dialect = this.dialect): void {
    const resource = this.#resource(uri, root, dialect)
    // A schema may be `true` or `false`.
    if (isObject(root)) this.#index(root, resource, '')
  }

  /** What a reference in a schema of this resource names; `undefined` when it leads out of what is known. */
  resolve(reference: string, from: Resource): Target | undefined {
    const hash = reference.indexOf('#')
    const fragment = hash < 0 ? '' : reference.slice(hash + 1)
    const uri = this.addressOf(reference, from)
    const resource = uri === undefined ? undefined : this.resources.get(uri)
    if (!resource) return undefined
    if (fragment === '') return { schema: resource.root, resource, anchor: undefined }
    if (fragment.startsWith('/')) return this.#follow(fragment, resource)
    const schema = resource.anchors.get(fragment)
    return schema && { schema, resource: this.places.get(schema)?.resource ?? resource, anchor: fragment }
  }

  /** Of the document that a reference leads to, known or not. */
  addressOf(reference: string, from: Resource): string | undefined {
    const [address = ''] = reference.split('#', 1)
    return address === '' ? from.uri : join(address, from.uri)
  }

  #follow(fragment: string, from: Resource): Target | undefined {
    let schema: unknown = from.root
    let resource = from
    let pointer = (isObject(from.root) && this.places.get(from.root)?.pointer) || ''
    for (const part of pointerParts(fragment)) {
      if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, part)) return undefined
      schema = (schema as Record<string, unknown>)[part]
      pointer += `/${escaped(part)}`
      if (isObject(schema)) resource = this.places.get(schema)?.resource ?? resource
    }
    // Behind a word that is no keyword schemas are found only when something refers to them.
    if (isObject(schema) && !this.places.has(schema)) this.#index(schema, resource, pointer)
    return { schema, resource: (isObject(schema) && this.places.get(schema)?.resource) || resource, anchor: undefined }
  }

  #resource(uri: string, root: unknown, dialect: Dialect): Resource {
    const resource: Resource = { uri, root, dialect, anchors: new Map(), dynamicAnchors: new Map() }
    // The first of two with the same name counts.
    if (!this.resources.has(uri)) this.resources.set(uri, resource)
    return resource
  }

  #index(schema: JsonSchema, within: Resource, pointer: string): void {
    if (this.places.has(schema)) return
    const { id, refStandsAlone } = within.dialect
    const named = refStandsAlone && '$ref' in schema ? undefined : schema[id]
    let resource = within
    if (typeof named === 'string') {
      const [address = '', fragment = ''] = named.split('#')
      const uri = address === '' ? undefined : join(address, within.uri)
      if (uri !== undefined && uri !== within.uri) {
        resource = this.#resource(uri, schema, within.dialect)
        // The root is known by both names.
        if (pointer === '' && within.root === schema) this.resources.set(within.uri, resource)
      }
      if (fragment !== '' && !fragment.startsWith('/') && refStandsAlone) resource.anchors.set(fragment, schema)
    }
    if (typeof schema['$anchor'] === 'string') resource.anchors.set(schema['$anchor'], schema)
    if (typeof schema['$dynamicAnchor'] === 'string') {
      resource.anchors.set(schema['$dynamicAnchor'], schema)
      resource.dynamicAnchors.set(schema['$dynamicAnchor'], schema)
    }
    this.places.set(schema, { resource, pointer })
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'unevaluatedProperties' || key === 'unevaluatedItems') this.tracks = true
      const inner = (item: unknown, at: string): void => {
        if (isObject(item)) this.#index(item, resource, `${pointer}/${escaped(key)}${at}`)
      }
      if (isSchemaMap(key, value)) for (const [name, item] of Object.entries(value)) inner(item, `/${escaped(name)}`)
      else if (isSchemaList(key, value)) value.forEach((item, index) => inner(item, `/${index}`))
      else if (isSingleSchema(key, value)) inner(value, '')
    }
  }
}

/** A part of a JSON pointer. */
export const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')

function join(address: string, base: string): string | undefined {
  try {
    return new URL(address, base).href.replace(/#$/, '')
  } catch {
    return undefined
  }
}
