import { headOf } from '../util/text.ts'
import type { StandardIssue } from './standard-schema.ts'

/** More would not help a model that made so many mistakes. */
const shownIssues = 20

/** What is wrong with an input, for the model to mend: a line for each fault with its path, what was expected and what came. */
export function validationMessage(toolName: string, input: unknown, issues: readonly StandardIssue[]): string {
  const lines = issues.slice(0, shownIssues).map((issue) => {
    const path = (issue.path ?? []).map(keyOf)
    const message = issue.message + branchesOf(issue)
    return `- ${pathOf(path)}: ${message}${gotOf(message, valueAt(input, path))}`
  })
  if (issues.length > shownIssues) lines.push(`- and ${issues.length - shownIssues} more`)
  return `The input of ${toolName} is not valid. Nothing was run.\n${lines.join('\n')}`
}

const keyOf = (part: PropertyKey | { readonly key: PropertyKey }): PropertyKey => (typeof part === 'object' ? part.key : part)

function pathOf(path: readonly PropertyKey[]): string {
  return path.length === 0
    ? 'input'
    : path
        .map((part, index) =>
          typeof part === 'number' || /^\d+$/.test(String(part)) ? `[${String(part)}]` : `${index === 0 ? '' : '.'}${String(part)}`,
        )
        .join('')
}

/** Of a union zod says only that it does not fit; why not stands beside it, a list for each branch. */
function branchesOf(issue: StandardIssue): string {
  const { errors } = issue as { errors?: unknown }
  if (!Array.isArray(errors) || !errors.every(Array.isArray)) return ''
  const branches = (errors as (readonly StandardIssue[])[]).map((issues) =>
    issues.map(({ path = [], message }) => (path.length === 0 ? message : `${pathOf(path.map(keyOf))}: ${message}`)).join(', '),
  )
  return branches.length === 0 ? '' : ` (${branches.join('; or ')})`
}

/** Libraries that say themselves what they received are not repeated. What is quoted are names and values, and says nothing. */
function gotOf(message: string, value: unknown): string {
  if (/\b(received|got|actual|was)\b/i.test(message.replaceAll(/"[^"]*"/g, ''))) return ''
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
