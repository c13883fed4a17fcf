import { InputError } from '../errors.ts'
import { describe } from '../messages/stored.ts'
import { checkDepth } from '../tools/check-schema.ts'
import { SchemaDocument } from '../tools/json-schema/document.ts'
import { modernSchema } from '../tools/modern-schema.ts'
import { compileSchema, isSchema, shownSchema } from '../tools/schema.ts'
import { checkedResult } from '../tools/standard-schema.ts'
import type { Schema, StandardResult } from '../tools/standard-schema.ts'
import { validateJsonSchema } from '../tools/validate-json-schema.ts'
import { isThenable } from '../util/bounded.ts'
import type { JsonSchema } from '../util/json-schema.ts'
import { isObject } from '../util/json.ts'
import { didYouMean } from '../util/text.ts'
import type { OutputOptions } from './output-options.ts'
import { mustBeWrapped, wrapSchema } from './wrap-schema.ts'

/** What an answer must be, checked and compiled. */
export type OutputSpec = {
  readonly name: string
  /** As the model is shown it: always of an object. */
  readonly jsonSchema: JsonSchema
  /** Is the answer the `value` of that object? */
  readonly isWrapped: boolean
  readonly attempts: number
  readonly prompt: string
  readonly mode: 'auto' | 'native' | 'tool' | 'prompt'
  validate(answer: unknown): Promise<StandardResult<unknown>>
}

const optionKeys = ['schema', 'name', 'attempts', 'prompt', 'mode']

/**
 * The option `output`: a schema, or `{ schema, name?, attempts?, prompt?, mode? }`.
 *
 * @throws {InputError} that says what was expected; {ToolDefinitionError} for a schema that cannot be shown to a model.
 */
export function outputSpec(given: unknown): OutputSpec {
  const options = isOptions(given) ? given : ({ schema: given } as OutputOptions)
  if (!isSchema(options.schema))
    throw new InputError(
      `\`output\` must be a schema (zod, another Standard Schema, a JSON Schema) or { schema, … }, got ${describe(given)}.`,
    )
  for (const key of isOptions(given) ? Object.keys(given) : [])
    if (!optionKeys.includes(key))
      throw new InputError(`There is no option "${key}" of \`output\`.${didYouMean(key, optionKeys)} Known: ${optionKeys.join(', ')}.`)
  const { name = 'final_answer', attempts = 3, mode = 'auto' } = options
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    throw new InputError(`\`output.name\` has 1 to 64 letters, digits, "_" or "-", got ${describe(name)}.`)
  if (!Number.isInteger(attempts) || attempts < 1)
    throw new InputError(`\`output.attempts\` must be a positive integer, got ${String(attempts)}.`)
  if (!['auto', 'native', 'tool', 'prompt'].includes(mode))
    throw new InputError(`\`output.mode\` must be "auto", "native", "tool" or "prompt", got ${describe(mode)}.`)
  if (options.prompt !== undefined && (typeof options.prompt !== 'string' || options.prompt.trim() === ''))
    throw new InputError(`\`output.prompt\` must be a text that is not empty, got ${describe(options.prompt)}.`)
  const what = '`output`'
  const shown = shownSchema(options.schema, what)
  const isWrapped = mustBeWrapped(shown)
  const compiled = compileSchema(isWrapped ? wrappedSchema(shown, what) : options.schema, what)
  const own = isWrapped ? checkOf(options.schema) : compiled.validate
  const prompt = options.prompt ?? `Give your answer now, by calling the tool ${name}.`
  return {
    name,
    jsonSchema: compiled.jsonSchema,
    isWrapped,
    attempts,
    prompt,
    mode,
    validate: checked(own, isWrapped),
  }
}

const isOptions = (given: unknown): given is OutputOptions => isObject(given) && 'schema' in given && !('~standard' in given)

type Check = (value: unknown) => StandardResult<unknown> | Promise<StandardResult<unknown>>

/** Made plain before it moves: its references lead through names and places that are others below a property. */
function wrappedSchema(shown: JsonSchema, what: string): JsonSchema {
  checkDepth(shown, what)
  return wrapSchema(modernSchema(new SchemaDocument(shown)))
}

/** The check of the schema as it was given: of anything, not of an object alone. */
function checkOf(schema: Schema): Check {
  if ('~standard' in schema) return (value) => (schema as { '~standard': { validate: Check } })['~standard'].validate(value)
  return (value) => validateJsonSchema(schema, value)
}

/** Models wrap answers that need it not, and give bare what should be wrapped: what fits in one way is taken. */
function checked(check: Check, isWrapped: boolean): OutputSpec['validate'] {
  const ask = async (value: unknown): Promise<StandardResult<unknown>> => {
    try {
      const result = check(value)
      return checkedResult(isThenable(result) ? await result : result)
    } catch (error) {
      return { issues: [{ message: `could not be checked: ${error instanceof Error ? error.message : String(error)}` }] }
    }
  }
  return async (answer) => {
    const inner = isObject(answer) && Object.keys(answer).length === 1 && 'value' in answer ? { value: answer['value'] } : undefined
    const first = await ask(isWrapped && inner ? inner.value : answer)
    if (!first.issues) return first
    // Not the other way round: an open schema takes the wrapping itself.
    if (inner && !isWrapped) {
      const second = await ask(inner.value)
      if (!second.issues) return second
    }
    return isWrapped ? { issues: first.issues.map((issue) => ({ ...issue, path: ['value', ...(issue.path ?? [])] })) } : first
  }
}
