import { pointerParts } from '../util/json.ts'
import type { JsonSchema } from '../util/json-schema.ts'
import { isObject } from '../util/json.ts'
import type { StandardIssue } from './standard-schema.ts'

/** One finding of the validator. */
export type OutputUnit = {
  readonly keyword: string
  readonly keywordLocation: string
  readonly instanceLocation: string
  readonly error: string
}

/** Only says that something inside does not fit, which has its own error. */
const summaries = new Set([
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  'additionalItems',
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'allOf',
  'then',
  'else',
  'dependentSchemas',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
])

/** What the validator found, each with its path and what the schema expects there. */
export function issuesOf(units: readonly OutputUnit[], schema: JsonSchema): readonly StandardIssue[] {
  const leaves = units.filter((unit) => !summaries.has(unit.keyword))
  const choices = leaves.filter((unit) => isChoice(unit) && isPlainChoice(at(schema, unit.keywordLocation)))
  // Where one of a few plain values would do, what is wrong with each of them says nothing more.
  const told = leaves.filter((unit) => !choices.some((choice) => unit.keywordLocation.startsWith(`${choice.keywordLocation}/`)))
  return (told.length > 0 ? told : units).map((unit) => issueOf(unit, schema))
}

function issueOf(unit: OutputUnit, schema: JsonSchema): StandardIssue {
  const path = pointerParts(unit.instanceLocation)
  const expected = at(schema, unit.keywordLocation)
  switch (unit.keyword) {
    case 'type':
      return { path, message: `expected ${typesOf(expected)}` }
    case 'required': {
      const missing = /"(.*)"/.exec(unit.error)?.[1]
      return missing === undefined ? { path, message: unit.error } : { path: [...path, missing], message: 'required, but missing' }
    }
    case 'enum':
      return {
        path,
        message: `expected one of ${Array.isArray(expected) ? expected.map((option) => JSON.stringify(option)).join(', ') : 'the listed values'}`,
      }
    case 'const':
      return { path, message: `expected ${JSON.stringify(expected)}` }
    case 'pattern':
      return { path, message: `expected a match of the pattern ${String(expected)}` }
    case 'anyOf':
    case 'oneOf': {
      const options = Array.isArray(expected) ? expected.map((option) => inBrief(option, schema)).join(' or ') : 'another shape'
      const fitsSeveral = unit.keyword === 'oneOf' && !unit.error.includes('(0 matches)')
      return { path, message: fitsSeveral ? `expected only one of ${options} to fit` : `expected ${options}` }
    }
    case 'false':
      return { path, message: 'not allowed here' }
    default:
      return { path, message: unit.error.replace(/\.$/, '') }
  }
}

const isChoice = ({ keyword }: OutputUnit): boolean => keyword === 'anyOf' || keyword === 'oneOf'

/** Alternatives that their names tell all about: types without parts, values. */
function isPlainChoice(options: unknown): boolean {
  const isPlain = (option: unknown): boolean =>
    isObject(option) &&
    ('const' in option || 'enum' in option || ['string', 'number', 'integer', 'boolean', 'null'].includes(String(option['type'])))
  return Array.isArray(options) && options.every(isPlain)
}

const typesOf = (type: unknown): string => (Array.isArray(type) ? type.join(' or ') : String(type ?? 'another type'))

/** What a schema asks for, in a few words. */
function inBrief(schema: unknown, root: JsonSchema): string {
  const meant = isObject(schema) && typeof schema['$ref'] === 'string' ? at(root, schema['$ref']) : schema
  if (!isObject(meant)) return 'another shape'
  if ('const' in meant) return JSON.stringify(meant['const'])
  if (Array.isArray(meant['enum'])) return meant['enum'].map((option) => JSON.stringify(option)).join(' or ')
  if (isObject(meant['properties'])) return `an object { ${Object.keys(meant['properties']).join(', ')} }`
  return meant['type'] === undefined ? 'another shape' : typesOf(meant['type'])
}

/** What stands at a place of the schema. A place behind a `$ref` lies where that points. */
function at(root: JsonSchema, pointer: string): unknown {
  let found: unknown = root
  for (const part of pointerParts(pointer)) {
    if (Array.isArray(found)) found = found[Number(part)]
    else if (!isObject(found)) return undefined
    else if (part === '$ref' && typeof found['$ref'] === 'string') found = found['$ref'] === pointer ? undefined : at(root, found['$ref'])
    else found = found[part]
  }
  return found
}
