import { pointerParts } from '../../../src/util/json.ts'

export type WireSpec = { readonly name: string; readonly schema: unknown }
export type Rules = {
  readonly name: RegExp
  /** What may not stand at the root. */
  readonly notAtRoot: readonly string[]
  /** What may stand nowhere as a keyword. */
  readonly nowhere?: readonly string[]
  /** The names of the root's properties. */
  readonly key?: RegExp
  /** What may stand beside a reference; anything, unless it is said. */
  readonly besideRef?: readonly string[]
  /** A tool without arguments has no schema at all. */
  readonly mayLackSchema?: boolean
}

/** The rules of each wire, as its errors and its reference state them. */
export const rules = {
  anthropic: { name: /^[a-zA-Z0-9_-]{1,64}$/, notAtRoot: ['$ref', 'anyOf', 'oneOf', 'allOf'], key: /^[a-zA-Z0-9_.-]{1,64}$/ },
  bedrock: { name: /^[a-zA-Z0-9_-]{1,64}$/, notAtRoot: ['$ref', 'anyOf', 'oneOf', 'allOf'], key: /^[a-zA-Z0-9_.-]{1,64}$/ },
  openai: { name: /^[a-zA-Z0-9_-]{1,64}$/, notAtRoot: ['$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'not'] },
  google: {
    name: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
    notAtRoot: ['$ref', 'anyOf', 'oneOf', 'allOf'],
    nowhere: ['definitions'],
    besideRef: ['$ref', 'description', 'default'],
    mayLackSchema: true,
  },
} as const satisfies Record<string, Rules>

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']
/** Words that older drafts have otherwise, and what names a document. */
const foreign = ['$schema', '$id', '$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveRef', 'additionalItems', 'dependencies']
const single = [
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'items',
  'unevaluatedItems',
  'contains',
  'not',
  'if',
  'then',
  'else',
]
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const maps = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']

type Data = Readonly<Record<string, unknown>>
const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Each rule that a tool breaks, as a line. Nothing, when the provider would take it. */
export function breaches({ name, schema }: WireSpec, wire: Rules): readonly string[] {
  const found: string[] = []
  const say = (place: string, said: string): void => void found.push(`${place || '#'}: ${said}`)
  if (!wire.name.test(name)) say('name', name)
  if (schema === undefined && wire.mayLackSchema) return found
  if (!isData(schema)) return [...found, 'the schema is no object']
  if (schema['type'] !== 'object') say('', 'its type is not "object"')
  if (!isData(schema['properties'])) say('', 'no properties')
  for (const key of wire.notAtRoot) if (key in schema) say('', `${key} at the root`)
  for (const key of Object.keys(schema['properties'] ?? {})) if (wire.key && !wire.key.test(key)) say('properties', key)
  look(schema, '', 1)
  return found

  function look(inner: unknown, place: string, depth: number): void {
    if (typeof inner === 'boolean') return
    if (!isData(inner)) return say(place, 'no schema')
    if (depth > 64) return say(place, 'too deep')
    for (const key of [...foreign, ...(wire.nowhere ?? [])]) if (typeof inner[key] !== 'undefined') say(place, key)
    const { type, required, enum: options, $ref, pattern } = inner as Record<'type' | 'required' | 'enum' | '$ref' | 'pattern', unknown>
    for (const one of type === undefined ? [] : [type].flat()) if (!types.includes(one as string)) say(place, `type ${String(one)}`)
    if (required !== undefined && (!Array.isArray(required) || new Set(required).size !== required.length)) say(place, 'required')
    if (options !== undefined && (!Array.isArray(options) || options.length === 0)) say(place, 'enum')
    for (const bound of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'minItems', 'maxItems'])
      if (inner[bound] !== undefined && typeof inner[bound] !== 'number') say(place, bound)
    if (pattern !== undefined && !(RegExp(String(pattern)) instanceof RegExp)) say(place, 'pattern')
    if ($ref !== undefined) {
      if (typeof $ref !== 'string' || !$ref.startsWith('#') || !leads($ref)) say(place, `$ref ${String($ref)}`)
      if (wire.besideRef) for (const key of Object.keys(inner)) if (!wire.besideRef.includes(key)) say(place, `${key} beside $ref`)
    }
    for (const key of single) if (inner[key] !== undefined) look(inner[key], `${place}/${key}`, depth + 1)
    for (const key of lists)
      if (inner[key] !== undefined) {
        const list = inner[key]
        if (!Array.isArray(list) || list.length === 0) say(place, `${key} is no list of schemas`)
        else list.forEach((item, i) => look(item, `${place}/${key}/${i}`, depth + 1))
      }
    for (const key of maps)
      if (inner[key] !== undefined)
        for (const [name, item] of Object.entries(inner[key] as Data)) look(item, `${place}/${key}/${name}`, depth + 1)
  }

  function leads(reference: string): boolean {
    const target = pointerParts(reference).reduce<unknown>(
      (at, part) => (typeof at === 'object' && at !== null && Object.hasOwn(at, part) ? (at as Data)[part] : undefined),
      schema,
    )
    return typeof target === 'boolean' || isData(target)
  }
}
