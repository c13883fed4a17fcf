import { ToolDefinitionError } from '../errors.ts'
import type { JsonSchema } from '../util/json-schema.ts'
import { isObject } from '../util/json.ts'
import { fillSchema } from './fill-schema.ts'
import { compileSchema } from './schema.ts'
import type { StandardResult } from './standard-schema.ts'

/** A tool as a server or a file tells of it. Nothing in it is trusted. */
export type ForeignSpec = {
  readonly name: unknown
  readonly description?: unknown
  readonly inputSchema?: unknown
  readonly outputSchema?: unknown
}

export type NormalisedSpec = {
  /** As its server knows it: what it is called by the model is for `foreignNames` to say. */
  readonly name: string
  /** Empty when there was none. */
  readonly description: string
  /** For the model: filled in and cleaned. */
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema | undefined
  /** Checks an input against the schema as it was given. */
  readonly validate: (input: unknown) => StandardResult<unknown> | Promise<StandardResult<unknown>>
}

/**
 * A foreign tool's spec, fit for a model: `type`, `properties` and `required` are filled in, and so is the type of a property
 * that says nothing of what it is (`string`). A tool without an input schema takes no arguments. The output schema is left
 * out unless it is an object.
 *
 * @param from names the source in an error, for example `the MCP server "files"`.
 * @throws {ToolDefinitionError} for a spec that no model can be shown: no name, no object, nested deeper than 64 schemas,
 * a reference to nowhere. Skip that one tool with a warning.
 */
export function normaliseSpec(spec: unknown, from = 'a foreign source'): NormalisedSpec {
  if (!isObject(spec)) throw new ToolDefinitionError(`A tool of ${from} is no object, but ${spec === null ? 'null' : typeof spec}.`)
  const { name, description, inputSchema, outputSchema } = spec as ForeignSpec
  if (typeof name !== 'string' || name === '')
    throw new ToolDefinitionError(`A tool of ${from} has no name; got ${name === '' ? 'an empty text' : typeof name}.`)
  const given = inputSchema ?? { type: 'object', properties: {} }
  const what = `The tool ${JSON.stringify(name)} of ${from}: its input schema`
  if (!isObject(given))
    throw new ToolDefinitionError(`${what} must be a JSON Schema object, got ${Array.isArray(given) ? 'an array' : typeof given}.`)
  const { validate } = compileSchema(given, what)
  return {
    name,
    description: typeof description === 'string' ? description : '',
    inputSchema: compileSchema(fillSchema(given), what).jsonSchema,
    ...(isObject(outputSchema) && { outputSchema }),
    validate,
  }
}
