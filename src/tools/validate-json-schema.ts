import { ToolDefinitionError } from '../errors.ts'
import type { JsonSchema } from '../util/json-schema.ts'
import { SchemaDocument } from './json-schema/document.ts'
import type { StandardIssue, StandardResult } from './standard-schema.ts'

type Validator = (value: unknown) => readonly StandardIssue[]

const compiled = new WeakMap<JsonSchema, Promise<Validator>>()

/**
 * Checks a value against a JSON Schema, as it was given. Never fetches, never evaluates code. The schemas of schemas of the drafts 04,
 * 06, 07, 2019-09 and 2020-12 are known, so that a `$ref` may name one.
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
const load = () => import('./json-schema/validator.ts')

let isWanted = false
let isWarm = false

/** A tool was made whose input will be checked here. */
export const expectValidation = (): void => void (isWanted = true)

/** Loads the validator ahead, while the model is waited for, so that the first call of a tool does not wait for it. */
export function warmValidation(): void {
  if (!isWanted || isWarm) return
  isWarm = true
  // What fails here fails again where it is needed, and is told there.
  load().catch(() => {})
}

async function compile(schema: JsonSchema): Promise<Validator> {
  const { compileJsonSchema, addMetaschemas } = await load()
  const document = orUnusable(() => new SchemaDocument(schema))
  await addMetaschemas(document)
  return compileJsonSchema(schema, document)
}

function orUnusable<T>(use: () => T): T {
  try {
    return use()
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    throw new ToolDefinitionError(`The JSON Schema of the tool cannot be used: ${said}`, { cause: error })
  }
}
