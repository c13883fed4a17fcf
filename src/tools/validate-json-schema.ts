import { ToolDefinitionError } from '../errors.ts'
import type { JsonSchema } from '../util/json-schema.ts'
import type { StandardIssue, StandardResult } from './standard-schema.ts'

type Validator = (value: unknown) => readonly StandardIssue[]

const compiled = new WeakMap<JsonSchema, Promise<Validator>>()

/**
 * Checks a value against a JSON Schema, as it was given. Never fetches, never evaluates code.
 *
 * @throws {ToolDefinitionError} when the schema itself cannot be used: a reference to nowhere, a broken pattern, a chain of
 * references without end, or one that asks for millions of steps.
 */
export async function validateJsonSchema(schema: JsonSchema, value: unknown): Promise<StandardResult<any>> {
  let compiling = compiled.get(schema)
  if (!compiling) compiled.set(schema, (compiling = compile(schema)))
  const validate = await compiling
  const issues = orUnusable(() => validate(value))
  return issues.length === 0 ? { value } : { issues }
}

/** The validator is loaded on first use: agents whose tools come with a schema library never need it. */
async function compile(schema: JsonSchema): Promise<Validator> {
  const { compileJsonSchema } = await import('./json-schema/validator.ts')
  return orUnusable(() => compileJsonSchema(schema))
}

function orUnusable<T>(use: () => T): T {
  try {
    return use()
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    throw new ToolDefinitionError(`The JSON Schema of the tool cannot be used: ${said}`, { cause: error })
  }
}
