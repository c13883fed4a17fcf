import type { JsonSchema } from '../util/json-schema.ts'
import { isObject } from '../util/json.ts'
import { headOf } from '../util/text.ts'
import type { StandardIssue } from './standard-schema.ts'

/** More would not help a model that made so many mistakes. */
const shownIssues = 20

/** What is wrong with an input, for the model to mend: a line for each fault with its path, what was expected and what came. */
export function validationMessage(toolName: string, input: unknown, issues: readonly StandardIssue[]): string {
  const lines = issues.slice(0, shownIssues).map((issue) => {
    const path = (issue.path ?? []).map((part) => (typeof part === 'object' ? part.key : part))
    return `- ${pathOf(path)}: ${issue.message}${gotOf(issue.message, valueAt(input, path))}`
  })
  if (issues.length > shownIssues) lines.push(`- and ${issues.length - shownIssues} more`)
  return `The input of ${toolName} is not valid. Nothing was run.\n${lines.join('\n')}`
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'input' : path.map((part, index) => (typeof part === 'number' || /^\d+$/.test(String(part)) ? `[${String(part)}]` : `${index === 0 ? '' : '.'}${String(part)}`)).join('')
}

/** Libraries that say themselves what they received are not repeated. */
function gotOf(message: string, value: unknown): string {
  if (/receiv|got|actual|was /i.test(message)) return ''
  return `; got ${value === undefined ? 'nothing' : headOf(JSON.stringify(value) ?? typeof value, 100)}`
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<PropertyKey, unknown>)[part]
  }
  return value
}

/** Keys that a strict tool's schema does not name, as issues. Looks into objects that list their properties. */
export function unknownKeys(schema: unknown, value: unknown, path: readonly string[] = []): readonly StandardIssue[] {
  if (!isObject(schema) || !isObject(value)) return []
  const properties = (schema as JsonSchema)['properties']
  if (!isObject(properties) || schema['additionalProperties'] || schema['patternProperties']) return []
  const known = Object.keys(properties)
  return Object.keys(value).flatMap((key): readonly StandardIssue[] => {
    if (!Object.hasOwn(properties, key)) return [{ path: [...path, key], message: `unknown key, expected one of ${known.join(', ') || 'no keys at all'}` }]
    return unknownKeys(properties[key], value[key], [...path, key])
  })
}
