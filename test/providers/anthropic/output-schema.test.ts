import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/util/json.ts'
import { bodyOf } from './support/ask.ts'

/** The schema that is sent for an output of this schema. */
const sentFor = async (schema: JsonObject): Promise<JsonValue | undefined> => {
  const { output_config: config } = await bodyOf({ output: { name: 'out', schema } })
  return (config as { readonly format: { readonly schema: JsonValue } }).format.schema
}

describe('the schema of an output', () => {
  it.each<readonly [name: string, given: JsonObject, sent: JsonObject]>([
    [
      'closes every object',
      {
        type: 'object',
        properties: { a: { type: 'object' }, b: { type: 'array', items: { type: 'object' } } },
        additionalProperties: true,
      },
      {
        type: 'object',
        properties: {
          a: { type: 'object', additionalProperties: false },
          b: { type: 'array', items: { type: 'object', additionalProperties: false } },
        },
        additionalProperties: false,
      },
    ],
    [
      'tells bounds in the description',
      { type: 'string', description: 'A name.', minLength: 2, pattern: '^a' },
      { type: 'string', description: 'A name. {"minLength":2,"pattern":"^a"}' },
    ],
    [
      'keeps the formats that are known',
      {
        anyOf: [
          { type: 'string', format: 'date' },
          { type: 'string', format: 'phone' },
        ],
      },
      {
        anyOf: [
          { type: 'string', format: 'date' },
          { type: 'string', description: '{"format":"phone"}' },
        ],
      },
    ],
    ['says one of as any of', { oneOf: [{ const: 1 }, { enum: ['a'] }] }, { anyOf: [{ const: 1 }, { enum: ['a'] }] }],
    [
      'keeps small lower bounds of arrays',
      { type: 'array', items: { type: 'null' }, minItems: 1, maxItems: 3 },
      { type: 'array', items: { type: 'null' }, minItems: 1, description: '{"maxItems":3}' },
    ],
    [
      'leaves references alone',
      { $schema: 'x', $ref: '#/$defs/a', title: 'A', $defs: { a: { type: 'object', properties: {} } } },
      { $ref: '#/$defs/a', $defs: { a: { type: 'object', properties: {}, additionalProperties: false } } },
    ],
    [
      'does not take properties for keywords',
      { type: 'object', properties: { minimum: { type: 'number' }, $ref: { type: 'string' } } },
      { type: 'object', properties: { minimum: { type: 'number' }, $ref: { type: 'string' } }, additionalProperties: false },
    ],
  ])('%s', async (_name, given, sent) => expect(await sentFor(given)).toEqual(sent))
})
