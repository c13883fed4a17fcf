import { ToolDefinitionError } from '../errors.ts'
import type { JsonSchema } from '../util/json-schema.ts'
import { isObject } from '../util/json.ts'
import type { SchemaDocument } from './json-schema/document.ts'
import { isMetaschema } from './json-schema/metaschema-address.ts'
import { patternOf } from './json-schema/pattern.ts'
import { mapSchemas } from './schema-keywords.ts'

/** Schemas within schemas. Real ones have a dozen; what is deeper is broken, or meant to break something. */
const maxSchemaDepth = 64
/** A schema in a list in a keyword is three levels of JSON. */
const maxNesting = 4 * maxSchemaDepth

/** @throws {ToolDefinitionError} when it is nested deeper than 64 schemas, or refers back to itself as an object. */
export function checkDepth(schema: JsonSchema, what: string): void {
  const tooDeep = (): never => {
    throw new ToolDefinitionError(`${what} is nested deeper than ${maxSchemaDepth} schemas. Define its parts in $defs, or make it flatter.`)
  }
  const nested = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null) return
    if (depth > maxNesting) tooDeep()
    for (const inner of Object.values(value)) nested(inner, depth + 1)
  }
  nested(schema, 1)
  const within = (inner: unknown, depth: number): unknown => {
    if (isObject(inner)) depth > maxSchemaDepth ? tooDeep() : mapSchemas(inner, (deeper) => within(deeper, depth + 1))
    return inner
  }
  within(schema, 1)
}

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

/**
 * Refuses what no provider takes and no validator can use: one such tool would fail every request that tells of it.
 *
 * @throws {ToolDefinitionError} for a type that JSON Schema does not have, a reference out of the schema, a broken pattern.
 */
export function checkSchema(document: SchemaDocument, what: string): void {
  for (const [schema, { resource, pointer }] of document.places as Map<JsonSchema, { resource: never; pointer: string }>) {
    const bad = (said: string): never => {
      throw new ToolDefinitionError(`${what}${pointer === '' ? '' : `, at #${pointer},`} ${said}`)
    }
    const { type } = schema
    for (const name of type === undefined ? [] : Array.isArray(type) ? type : [type])
      if (!types.includes(name as string))
        bad(`has the type ${JSON.stringify(name)}, which JSON Schema does not have; expected one of ${types.join(', ')}.`)
    for (const key of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const reference = schema[key]
      if (typeof reference !== 'string' || document.resolve(reference, resource)) continue
      if (!isMetaschema(document.addressOf(reference, resource) ?? ''))
        bad(`refers to ${JSON.stringify(reference)}, which is not in it; nothing is fetched. Put it into $defs.`)
    }
    const { pattern, patternProperties } = schema
    const patterns = [
      ...(typeof pattern === 'string' ? [pattern] : []),
      ...(isObject(patternProperties) ? Object.keys(patternProperties) : []),
    ]
    for (const source of patterns) {
      try {
        patternOf(source)
      } catch (error) {
        bad(`has a pattern that is none: ${error instanceof Error ? error.message : String(error)}.`)
      }
    }
  }
}
