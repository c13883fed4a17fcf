import { ToolDefinitionError } from '../errors.ts'
import { describe } from '../util/describe.ts'
import type { JsonSchema } from '../util/json-schema.ts'
import { isOptions } from '../util/check-options.ts'
import { isObject } from '../util/json.ts'
import { checkDepth, checkSchema } from './check-schema.ts'
import { cleanSchema } from './clean-schema.ts'
import { SchemaDocument } from './json-schema/document.ts'
import { modernSchema } from './modern-schema.ts'
import { plainRoot } from './plain-root.ts'
import { madeOnce } from './schema-memo.ts'
import type { Schema, StandardResult, StandardSchema } from './standard-schema.ts'
import { expectValidation, validateJsonSchema } from './validate-json-schema.ts'

export type CompiledSchema = {
  /** As the model is shown it. */
  readonly jsonSchema: JsonSchema
  /** Checks against the schema as it was given. */
  readonly validate: (value: unknown) => StandardResult<any> | Promise<StandardResult<any>>
}

/**
 * A plain JSON Schema with the type that you vouch for.
 *
 * @example inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] })
 */
export function jsonSchema<T = { readonly [key: string]: unknown }>(schema: JsonSchema): StandardSchema<T, T> {
  if (!isOptions(schema)) throw new ToolDefinitionError(`jsonSchema() needs a JSON Schema object, got ${describe(schema)}.`)
  const given = () => schema as Record<string, unknown>
  return {
    '~standard': {
      version: 1,
      vendor: 'lena-agent',
      validate: (value) => validateJsonSchema(schema, value),
      jsonSchema: { input: given, output: given },
    },
  }
}

const isStandard = (schema: unknown): schema is StandardSchema =>
  (typeof schema === 'object' || typeof schema === 'function') && schema !== null && '~standard' in schema

/** Is it one at all? Whether it can be shown to a model is another matter. */
export const isSchema = (value: unknown): value is Schema => isStandard(value) || isOptions(value)

/** The JSON Schema of any schema, as it is, before anything is made of it. */
export function shownSchema(schema: Schema, what: string): JsonSchema {
  const shown = isStandard(schema) ? fromStandard(schema, what) : schema
  if (!isObject(shown)) throw new ToolDefinitionError(`${what} must be a schema, got ${typeof shown}.`)
  return shown
}

/**
 * The two uses of a schema: showing it to the model and checking what the model sends.
 *
 * @param what names it in an error, for example `The tool "weather": inputSchema`.
 * @throws {ToolDefinitionError} when the library gives no JSON Schema, or the schema is not of an object.
 */
export function compileSchema(schema: Schema, what: string): CompiledSchema {
  const shown = isStandard(schema) ? fromStandard(schema, what) : schema
  if (!isObject(shown))
    throw new ToolDefinitionError(
      `${what} must be a zod schema, another Standard Schema, or a JSON Schema object; got ${Array.isArray(shown) ? 'an array' : typeof shown}.`,
    )
  const isPlain = !isStandard(schema) || schema['~standard'].vendor === 'lena-agent'
  if (isPlain) expectValidation()
  return {
    jsonSchema: madeOnce(isPlain ? shown : schema, shown, () => shownToModel(shown, what)),
    validate: (value) => (isStandard(schema) ? schema['~standard'].validate(value) : validateJsonSchema(schema as JsonSchema, value)),
  }
}

/** @throws {ToolDefinitionError} when it cannot be shown. */
function shownToModel(shown: JsonSchema, what: string): JsonSchema {
  checkDepth(shown, what)
  if (!isOfObject(shown))
    throw new ToolDefinitionError(
      `${what} must describe an object, because models send arguments by name; it describes ${JSON.stringify(shown['type'] ?? 'something else')}.`,
    )
  const document = new SchemaDocument(shown)
  checkSchema(document, what)
  const plain = plainRoot(cleanSchema(modernSchema(document)), what)
  // Both are said even where they follow from the rest: not every wire takes a schema without them.
  return { ...plain, type: 'object', properties: plain['properties'] ?? {} }
}

/** Keywords that say something of other values than objects. */
const notOfObjects = [
  'enum',
  'const',
  'items',
  'prefixItems',
  'contains',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'multipleOf',
]

function isOfObject({ type, ...rest }: JsonSchema): boolean {
  if (Array.isArray(type)) return type.includes('object')
  return type === 'object' || (type === undefined && !notOfObjects.some((key) => key in rest))
}

/** The input side: defaults are optional there, and transforms have not happened yet. */
function fromStandard(schema: StandardSchema, what: string): unknown {
  const { vendor, jsonSchema: convert } = schema['~standard']
  if (!convert) {
    const remedy =
      vendor === 'valibot'
        ? 'wrap it with `toStandardJsonSchema` of the package @valibot/to-json-schema'
        : vendor === 'zod'
          ? 'use zod 4.2 or newer'
          : 'use a version of the library that has Standard JSON Schema'
    throw new ToolDefinitionError(
      `${what}: this ${vendor} schema cannot be turned into a JSON Schema; ${remedy}, or give a plain JSON Schema.`,
    )
  }
  try {
    return convert.input({ target: 'draft-2020-12' })
  } catch (error) {
    throw new ToolDefinitionError(`${what} has no JSON Schema: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
