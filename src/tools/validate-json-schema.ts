import { ToolDefinitionError } from '../errors.ts'
import type { JsonSchema } from '../util/json-schema.ts'
import { issuesOf } from './schema-issues.ts'
import type { OutputUnit } from './schema-issues.ts'
import type { StandardResult } from './standard-schema.ts'

type Compiled = { validate(value: unknown): { valid: boolean; errors: readonly OutputUnit[] } }

const compiled = new WeakMap<JsonSchema, Promise<Compiled>>()

/**
 * Checks a value against a JSON Schema, as it was given. Never fetches, never evaluates code.
 *
 * @throws {ToolDefinitionError} when the schema itself cannot be used: a reference to nowhere, a broken pattern.
 */
export async function validateJsonSchema(schema: JsonSchema, value: unknown): Promise<StandardResult<any>> {
  let compiling = compiled.get(schema)
  if (!compiling) compiled.set(schema, (compiling = compile(schema)))
  const validator = await compiling
  const { valid, errors } = orUnusable(() => validator.validate(value))
  return valid ? { value } : { issues: issuesOf(errors, schema) }
}

/** The validator is loaded on first use: agents whose tools come with a schema library never need it. */
async function compile(schema: JsonSchema): Promise<Compiled> {
  const { Validator } = await import('@cfworker/json-schema')
  const dialect = String(schema['$schema'] ?? '')
  const draft = dialect.includes('draft-04')
    ? '4'
    : dialect.includes('draft-07') || dialect.includes('draft-06')
      ? '7'
      : dialect.includes('2019-09')
        ? '2019-09'
        : '2020-12'
  return orUnusable(() => new Validator(schema, draft, false) as unknown as Compiled)
}

function orUnusable<T>(use: () => T): T {
  try {
    return use()
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    // The validator lists all that it knows; the beginning names what it misses.
    throw new ToolDefinitionError(`The JSON Schema of the tool cannot be used: ${said.split(/\n|\.? +Absolute URI/, 1)[0]}`, {
      cause: error,
    })
  }
}
