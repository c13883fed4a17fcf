import { pointerParts } from '../../util/json.ts'
import type { JsonSchema } from '../../util/json-schema.ts'
import type { JsonObject, JsonValue } from '../../util/json.ts'
import { isObject } from '../../util/json.ts'

/** Keywords whose value is one schema, or, as old drafts have it, a list of them. */
const within = new Set([
  'items',
  'prefixItems',
  'additionalProperties',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
])
/** Keywords whose value maps names to schemas. */
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas'])
/** What is no part of the schemas that the API reads, and the definitions, which stand where they are used. */
const left = new Set(['$schema', '$id', '$anchor', '$comment', '$defs', 'definitions'])
/** After so many, references stay references: what is used often, and uses much, would grow without end. */
const maxInlined = 200

/**
 * A schema as the API reads it. The fields `parametersJsonSchema` and `responseJsonSchema` take JSON Schema as it is, which
 * the older `parameters` does not; three things are not understood everywhere. A reference is replaced by what it names;
 * only what contains itself keeps one, into `$defs`, with nothing beside it but `description` and `default`. A `const` is
 * an `enum` of one. `$schema` goes.
 */
export function wireSchema(schema: JsonSchema): JsonObject {
  return new Conversion(schema as JsonObject).result()
}

class Conversion {
  readonly #root: JsonObject
  readonly #defs: Record<string, JsonValue> = {}
  /** The references that stay, and their names in `$defs`. */
  readonly #kept = new Map<string, string>()
  readonly #open = new Set<string>()
  #inlined = 0

  constructor(root: JsonObject) {
    this.#root = root
  }

  result(): JsonObject {
    const converted = this.#convert(this.#root) as JsonObject
    if (this.#kept.size === 0) return converted
    // The whole is an object, not a reference to one.
    const whole = typeof converted['$ref'] === 'string' ? (this.#defs[converted['$ref'].slice('#/$defs/'.length)] as JsonObject) : converted
    return { ...whole, $defs: this.#defs }
  }

  #convert(schema: JsonValue): JsonValue {
    if (Array.isArray(schema)) return (schema as readonly JsonValue[]).map((inner) => this.#convert(inner))
    if (!isObject(schema)) return schema
    const { $ref, ...rest } = schema
    if (typeof $ref !== 'string') return this.#fields(rest)
    const target = this.#target($ref)
    // It names nothing in this document: what stands beside it is all that is known.
    if (!isObject(target)) return this.#fields(rest)
    return this.#refer($ref, target, rest)
  }

  #refer(reference: string, target: JsonObject, beside: JsonObject): JsonValue {
    const kept = (): JsonObject => ({
      $ref: `#/$defs/${this.#kept.get(reference)}`,
      ...pick(beside, 'description'),
      ...pick(beside, 'default'),
    })
    if (this.#kept.has(reference)) return kept()
    if (this.#open.has(reference)) {
      this.#keep(reference)
      return kept()
    }
    const tooMany = ++this.#inlined > maxInlined
    if (tooMany) this.#keep(reference)
    this.#open.add(reference)
    const inner = this.#convert(target) as JsonObject
    this.#open.delete(reference)
    const name = this.#kept.get(reference)
    if (name === undefined) return { ...inner, ...this.#fields(beside) }
    this.#defs[name] = inner
    return kept()
  }

  #keep(reference: string): void {
    const plain =
      pointerParts(reference)
        .at(-1)
        ?.replaceAll(/[^A-Za-z0-9_]/g, '_') || 'root'
    let name = plain
    for (let n = 2; [...this.#kept.values()].includes(name); n++) name = `${plain}_${n}`
    this.#kept.set(reference, name)
  }

  #fields(schema: JsonObject): JsonObject {
    const fields: Record<string, JsonValue | undefined> = {}
    for (const [key, value] of Object.entries(schema)) {
      if (value === undefined || left.has(key)) continue
      if (key === 'const') Object.assign(fields, constant(value))
      else if (within.has(key)) fields[key] = this.#convert(value)
      else if (maps.has(key) && isObject(value))
        fields[key] = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, this.#convert(inner as JsonValue)]))
      else fields[key] = value
    }
    return fields
  }

  /** What a reference within the document names. */
  #target(reference: string): JsonValue | undefined {
    if (reference !== '#' && !reference.startsWith('#/')) return undefined
    let place: JsonValue | undefined = this.#root
    for (const part of pointerParts(reference)) {
      if (typeof place !== 'object' || place === null || !Object.hasOwn(place, part)) return undefined
      place = (place as JsonObject)[part]
    }
    return place
  }
}

const pick = (from: JsonObject, key: string): JsonObject => (from[key] === undefined ? {} : { [key]: from[key] })

/** Only texts and numbers can be listed. */
function constant(value: JsonValue): JsonObject {
  if (value === null) return { type: 'null' }
  return typeof value === 'string' || typeof value === 'number' ? { enum: [value] } : { const: value }
}

/** Does a tool take anything at all? What takes nothing is declared without parameters. */
export const hasParameters = (schema: JsonSchema): boolean =>
  Object.keys(schema).some((key) => {
    const value = schema[key]
    if (key === 'properties') return isObject(value) && Object.keys(value).length > 0
    return key === '$ref' || key === 'additionalProperties' ? Boolean(value) : maps.has(key) || within.has(key)
  })
