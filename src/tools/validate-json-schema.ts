import { ToolDefinitionError } from '../errors.ts'
import type { JsonSchema } from '../util/json-schema.ts'
import { isObject } from '../util/json.ts'
import type { StandardIssue, StandardResult } from './standard-schema.ts'

type OutputUnit = { readonly keyword: string; readonly keywordLocation: string; readonly instanceLocation: string; readonly error: string }
type Compiled = { validate(value: unknown): { valid: boolean; errors: OutputUnit[] } }

const compiled = new WeakMap<JsonSchema, Promise<Compiled>>()

/** Only says that something inside does not fit, which has its own error. */
const summaries = new Set(['properties', 'patternProperties', 'items', 'prefixItems', 'additionalItems', '$ref', '$dynamicRef', '$recursiveRef', 'allOf', 'then', 'else', 'dependentSchemas', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'])

/** Checks a value against a JSON Schema, as it was given. Never fetches, never evaluates code. */
export async function validateJsonSchema(schema: JsonSchema, value: unknown): Promise<StandardResult<any>> {
  let validator = compiled.get(schema)
  if (!validator) compiled.set(schema, (validator = compile(schema)))
  const { valid, errors } = (await validator).validate(value)
  if (valid) return { value }
  const leaves = errors.filter((unit) => !summaries.has(unit.keyword))
  return { issues: (leaves.length > 0 ? leaves : errors).map((unit) => issueOf(unit, schema)) }
}

/** The validator is loaded on first use: agents whose tools come with a schema library never need it. */
async function compile(schema: JsonSchema): Promise<Compiled> {
  const { Validator } = await import('@cfworker/json-schema')
  const dialect = String(schema['$schema'] ?? '')
  const draft = dialect.includes('draft-04') ? '4' : dialect.includes('draft-07') || dialect.includes('draft-06') ? '7' : dialect.includes('2019-09') ? '2019-09' : '2020-12'
  try {
    return new Validator(schema, draft, false) as unknown as Compiled
  } catch (error) {
    throw new ToolDefinitionError(`A JSON Schema cannot be used: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

function issueOf(unit: OutputUnit, schema: JsonSchema): StandardIssue {
  const path = segmentsOf(unit.instanceLocation)
  const said = at(schema, segmentsOf(unit.keywordLocation))
  switch (unit.keyword) {
    case 'type':
      return { path, message: `expected ${Array.isArray(said) ? said.join(' or ') : String(said ?? 'another type')}` }
    case 'required': {
      const missing = /"(.*)"/.exec(unit.error)?.[1]
      return missing === undefined ? { path, message: unit.error } : { path: [...path, missing], message: 'required, but missing' }
    }
    case 'enum':
      return { path, message: `expected one of ${Array.isArray(said) ? said.map((option) => JSON.stringify(option)).join(', ') : 'the listed values'}` }
    case 'const':
      return { path, message: `expected ${JSON.stringify(said)}` }
    case 'false':
      return { path, message: 'not allowed here' }
    default:
      return { path, message: unit.error.replace(/\.$/, '') }
  }
}

/** `#/a/b~1c` as its parts. */
function segmentsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
}

function at(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const part of path) {
    if (Array.isArray(found)) found = found[Number(part)]
    else if (isObject(found)) found = found[part]
    else return undefined
  }
  return found
}
