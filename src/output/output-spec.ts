import { InputError } from '../errors.ts'
import { describe } from '../messages/stored.ts'
import { compileSchema, shownSchema } from '../tools/schema.ts'
import type { Schema, StandardIssue, StandardResult } from '../tools/standard-schema.ts'
import { isThenable } from '../util/bounded.ts'
import type { JsonSchema } from '../util/json-schema.ts'
import { isObject } from '../util/json.ts'
import type { OutputOptions } from './output-options.ts'
import { wrapSchema } from './wrap-schema.ts'

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
  if ((typeof options.schema !== 'object' && typeof options.schema !== 'function') || options.schema === null)
    throw new InputError(
      `\`output\` must be a schema (zod, another Standard Schema, a JSON Schema) or { schema, … }, got ${describe(given)}.`,
    )
  for (const key of isOptions(given) ? Object.keys(given) : [])
    if (!optionKeys.includes(key)) throw new InputError(`There is no option "${key}" of \`output\`. Known: ${optionKeys.join(', ')}.`)
  const { name = 'final_answer', attempts = 3, mode = 'auto' } = options
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    throw new InputError(`\`output.name\` has 1 to 64 letters, digits, "_" or "-", got ${describe(name)}.`)
  if (!Number.isInteger(attempts) || attempts < 1)
    throw new InputError(`\`output.attempts\` must be a positive integer, got ${String(attempts)}.`)
  if (!['auto', 'native', 'tool', 'prompt'].includes(mode))
    throw new InputError(`\`output.mode\` must be "auto", "native", "tool" or "prompt", got ${describe(mode)}.`)
  const what = '`output`'
  const wrapped = wrapSchema(shownSchema(options.schema, what))
  const compiled = compileSchema(wrapped ?? options.schema, what)
  const own = wrapped ? checkOf(options.schema, what) : compiled.validate
  const prompt = options.prompt ?? `Give your answer now, by calling the tool ${name}.`
  return {
    name,
    jsonSchema: compiled.jsonSchema,
    isWrapped: wrapped !== undefined,
    attempts,
    prompt,
    mode,
    validate: checked(own, wrapped !== undefined),
  }
}

const isOptions = (given: unknown): given is OutputOptions => isObject(given) && 'schema' in given && !('~standard' in given)

type Check = (value: unknown) => StandardResult<unknown> | Promise<StandardResult<unknown>>

function checkOf(schema: Schema, what: string): Check {
  if ('~standard' in schema) return (value) => (schema as { '~standard': { validate: Check } })['~standard'].validate(value)
  // Under a property it may be of anything.
  const { validate } = compileSchema({ type: 'object', properties: { value: schema }, required: ['value'] }, what)
  return async (value) => {
    const result = await validate({ value })
    return result.issues ? { issues: result.issues.map(withoutFirst) } : { value: (result.value as { value: unknown }).value }
  }
}

const withoutFirst = (issue: StandardIssue): StandardIssue => ({ ...issue, path: issue.path?.slice(1) })

/** Models wrap answers that need it not, and give bare what should be wrapped: what fits in one way is taken. */
function checked(check: Check, isWrapped: boolean): OutputSpec['validate'] {
  const ask = async (value: unknown): Promise<StandardResult<unknown>> => {
    try {
      const result = check(value)
      return isThenable(result) ? await result : result
    } catch (error) {
      return { issues: [{ message: `could not be checked: ${error instanceof Error ? error.message : String(error)}` }] }
    }
  }
  return async (answer) => {
    const inner = isObject(answer) && Object.keys(answer).length === 1 && 'value' in answer ? { value: answer['value'] } : undefined
    const first = await ask(isWrapped && inner ? inner.value : answer)
    if (!first.issues) return first
    if (inner && !isWrapped) {
      const second = await ask(inner.value)
      if (!second.issues) return second
    }
    return isWrapped ? { issues: first.issues.map((issue) => ({ ...issue, path: ['value', ...(issue.path ?? [])] })) } : first
  }
}
