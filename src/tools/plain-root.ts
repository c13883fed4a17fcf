import { ToolDefinitionError } from '../errors.ts'
import { isObject, pointerParts } from '../util/json.ts'
import type { JsonSchema } from '../util/json-schema.ts'
import { keyOf } from './json-schema/equality.ts'
import { escaped } from './json-schema/document.ts'
import { freeName } from './modern-schema.ts'
import { mapSchemas } from './schema-keywords.ts'
import { withoutUnused } from './unused-definitions.ts'

/** What most providers refuse at the root, and only there. */
const refused = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'enum', 'const'] as const
/** What is a part of the root alone. */
const ofRoot = new Set(['$defs', 'definitions', 'title', 'description', 'default', 'examples', '$comment'])

/**
 * A root that is an object with properties and nothing else, as providers want it: Anthropic takes no composition there,
 * OpenAI no `enum` and `not` either. A reference and `allOf` are merged into it; of alternatives all properties are told, and
 * those are required that all of them require. So the model may be told of a little more than is accepted. The rest it hears
 * from the description and, should it be wrong, from validation.
 *
 * @param what names it in an error.
 * @throws {ToolDefinitionError} when its root is made of more than 2,000 parts: a few lines of JSON can ask for billions.
 */
export function plainRoot(schema: JsonSchema, what: string): JsonSchema {
  if (!refused.some((key) => key in schema)) return schema
  let parts = 0
  const count = (): void => {
    if (++parts > maxParts)
      throw new ToolDefinitionError(
        `${what} is made of more than ${maxParts} references and alternatives at its root. Make it an object with properties.`,
      )
  }
  return withoutUnused(rehome(flat(schema, { root: schema, count }, new Set()), schema))
}

/** Honest roots have some dozens. One that refers to the same part in two places counts it twice, and so on in each of its parts. */
const maxParts = 2000

type Schemas = Record<string, unknown>
type Whole = { readonly root: JsonSchema; readonly count: () => void }

function flat(schema: JsonSchema, around: Whole, open: Set<string>): JsonSchema {
  around.count()
  const { $ref, allOf, anyOf, oneOf, not: _not, enum: _enum, const: _const, ...own } = schema
  let whole: JsonSchema = own
  if (typeof $ref === 'string' && !open.has($ref)) {
    const target = at(around.root, $ref)
    // What is open further out already says what it says.
    if (isObject(target)) whole = both(whole, flat(target, around, new Set([...open, $ref])))
  }
  if (Array.isArray(allOf)) for (const part of allOf) if (isObject(part)) whole = both(whole, flat(part, around, open))
  for (const branches of [anyOf, oneOf]) {
    if (!Array.isArray(branches)) continue
    const objects = branches.filter(isObject).map((branch) => flat(branch, around, open))
    const fitting = objects.filter(
      ({ type }) => type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object')),
    )
    if (fitting.length > 0) whole = both(whole, either(fitting))
  }
  return whole
}

/** A schema for what fits both. */
function both(a: JsonSchema, b: JsonSchema): JsonSchema {
  const required = [...new Set([...namesIn(a['required']), ...namesIn(b['required'])])]
  const description = [...new Set([a['description'], b['description']])].filter((text) => typeof text === 'string' && text !== '').join(' ')
  return {
    ...withoutRootParts(b),
    ...a,
    ...(description !== '' && { description }),
    ...mergeProperties(a, b, (one, other) => ({ allOf: [one, other] })),
    ...(required.length > 0 && { required }),
  }
}

/** A schema for what fits one of them, as far as properties tell. */
function either(branches: readonly JsonSchema[]): JsonSchema {
  const [first = {}, ...others] = branches
  const required = namesIn(first['required']).filter((name) => others.every((other) => namesIn(other['required']).includes(name)))
  const merged = branches.reduce<JsonSchema>((all, branch) => mergeProperties(all, branch, oneOrOther), {})
  const needs = branches.map((branch) => namesIn(branch['required']).filter((name) => !required.includes(name)))
  const sets = [...new Set(needs.map((names) => names.map((name) => JSON.stringify(name)).join(' and ')))]
  const isOpen = branches.some((branch) => branch['additionalProperties'])
  return {
    ...merged,
    ...(required.length > 0 && { required }),
    ...(isOpen && { additionalProperties: true }),
    ...(sets.length > 1 && !sets.includes('') && { description: `Needs ${sets.join(', or ')}.` }),
  }
}

function mergeProperties(a: JsonSchema, b: JsonSchema, merge: (one: unknown, other: unknown) => unknown): JsonSchema {
  const [these, those] = [a['properties'], b['properties']]
  if (!isObject(those)) return isObject(these) ? { properties: these } : {}
  if (!isObject(these)) return { properties: those }
  const shared = Object.entries(those).map(([name, schema]): readonly [string, unknown] => {
    if (!Object.hasOwn(these, name) || isSame(these[name], schema) || isAnything(these[name])) return [name, schema]
    return [name, isAnything(schema) ? these[name] : merge(these[name], schema)]
  })
  return { properties: Object.fromEntries([...Object.entries(these), ...shared]) }
}

const isSame = (a: unknown, b: unknown): boolean => keyOf(a) === keyOf(b)
const isAnything = (schema: unknown): boolean => schema === true || (isObject(schema) && Object.keys(schema).length === 0)

/** Alternatives with single values, as a choice of values; others as a choice of schemas, each once. */
function oneOrOther(one: unknown, other: unknown): unknown {
  const isChoice = isObject(one) && Object.keys(one).length === 1 && Array.isArray(one['anyOf'])
  const options = isChoice ? (one['anyOf'] as readonly unknown[]) : [one]
  return options.some((option) => isSame(option, other)) ? one : { anyOf: [...options, other] }
}

const namesIn = (required: unknown): readonly string[] =>
  Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : []

const withoutRootParts = (schema: JsonSchema): JsonSchema => Object.fromEntries(Object.entries(schema).filter(([key]) => !ofRoot.has(key)))

/** What references named in parts that are no longer there moves to `$defs`. */
function rehome(schema: JsonSchema, before: JsonSchema): JsonSchema {
  const moved = new Map<string, string>()
  const defs: Schemas = {}
  const taken = (name: string): boolean => name in defs || (isObject(schema['$defs']) && name in schema['$defs'])
  const homed = (inner: unknown): unknown => {
    if (!isObject(inner)) return inner
    const mapped = mapSchemas(inner, homed)
    const reference = mapped['$ref']
    if (typeof reference !== 'string' || isStill(reference)) return mapped
    return { ...mapped, $ref: moved.get(reference) ?? move(reference) }
  }
  const isStill = (reference: string): boolean => reference === '#' || isSame(at(schema, reference), at(before, reference))
  const move = (reference: string): string => {
    const name = freeName(pointerParts(reference).at(-1) ?? '', taken)
    const pointer = `#/$defs/${escaped(name)}`
    moved.set(reference, pointer)
    defs[name] = true
    defs[name] = homed(at(before, reference))
    return pointer
  }
  const result = homed(schema) as JsonSchema
  return Object.keys(defs).length === 0 ? result : { ...result, $defs: { ...(isObject(result['$defs']) && result['$defs']), ...defs } }
}

/** What stands at a plain pointer. */
function at(root: unknown, reference: string): unknown {
  return pointerParts(reference).reduce<unknown>(
    (found, part) => (typeof found === 'object' && found !== null && Object.hasOwn(found, part) ? (found as Schemas)[part] : undefined),
    root,
  )
}
