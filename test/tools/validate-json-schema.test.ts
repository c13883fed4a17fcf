import { describe, expect, it } from 'vitest'
import { ToolDefinitionError } from '../../src/errors.ts'
import { validateJsonSchema } from '../../src/tools/validate-json-schema.ts'
import type { JsonSchema } from '../../src/util/json-schema.ts'

const issues = async (schema: JsonSchema, value: unknown) =>
  (await validateJsonSchema(schema, value)).issues?.map(({ path, message }) => [path, message])
const object = (properties: object, rest: object = {}): JsonSchema => ({ type: 'object', properties, ...rest })

describe('validateJsonSchema', () => {
  it('gives the value itself when it fits', async () => {
    const value = { a: 1 }
    expect((await validateJsonSchema(object({ a: { type: 'number' } }), value)) as { value: unknown }).toEqual({ value })
    const { value: same } = (await validateJsonSchema({}, value)) as { value: unknown }
    expect(same).toBe(value)
  })

  const $defs = { Point: object({ x: { type: 'number', maximum: 5 } }, { required: ['x'] }) }
  it.each<[string, JsonSchema, unknown, readonly unknown[]]>([
    ['no object', object({}), [], [[[], 'expected object']]],
    ['a type', object({ a: { type: 'string' } }), { a: 1 }, [[['a'], 'expected string']]],
    ['one of several types', object({ a: { type: ['string', 'null'] } }), { a: 1 }, [[['a'], 'expected string or null']]],
    [
      'what is missing',
      object({ a: object({}, { required: ['b', 'c"d'] }) }),
      { a: {} },
      [
        [['a', 'b'], 'required, but missing'],
        [['a', 'c"d'], 'required, but missing'],
      ],
    ],
    [
      'what is missing by a name that every object has',
      object({}, { required: ['toString'] }),
      {},
      [[['toString'], 'required, but missing']],
    ],
    ['values', object({ a: { enum: ['x', 1, null] } }), { a: 'y' }, [[['a'], 'expected one of "x", 1, null']]],
    ['one value', object({ a: { const: { k: 1 } } }), { a: 'y' }, [[['a'], 'expected {"k":1}']]],
    ['a pattern', object({ a: { pattern: '^[a-z]+$' } }), { a: '7' }, [[['a'], 'expected a match of the pattern ^[a-z]+$']]],
    [
      'a bound',
      object({ a: { maximum: 5 }, b: { minLength: 3 } }),
      { a: 9, b: 'x' },
      [
        [['a'], 'expected a number of at most 5'],
        [['b'], 'expected at least 3 characters'],
      ],
    ],
    ['what is not allowed', object({ a: {} }, { additionalProperties: false }), { a: 1, b: 2 }, [[['b'], 'not allowed here']]],
    [
      'what is not allowed, by the name __proto__',
      object({}, { additionalProperties: false }),
      JSON.parse('{"__proto__":1}'),
      [[['__proto__'], 'not allowed here']],
    ],
    ['a place in a list', object({ a: { type: 'array', items: { type: 'number' } } }), { a: [1, 'x'] }, [[['a', 1], 'expected number']]],
    ['a place behind odd names', object({ 'a/b~c %': { type: 'string' } }), { 'a/b~c %': 1 }, [[['a/b~c %'], 'expected string']]],
    ['what a reference expects', object({ p: { $ref: '#/$defs/Point' } }, { $defs }), { p: { x: 'y' } }, [[['p', 'x'], 'expected number']]],
    ['what a reference at the root expects', { $ref: '#/$defs/Point', $defs }, 7, [[[], 'expected object']]],
    [
      'what a schema that contains itself expects',
      object({ next: { $ref: '#' }, n: { type: 'number' } }),
      { next: { next: { n: 'x' } } },
      [[['next', 'next', 'n'], 'expected number']],
    ],
    [
      'one of several plain values, in one line',
      object({ a: { anyOf: [{ type: 'string' }, { type: 'number' }, { const: null }] } }),
      { a: true },
      [[['a'], 'expected string or number or null']],
    ],
    [
      'one of several shapes, and what is wrong with each',
      object({ a: { anyOf: [{ $ref: '#/$defs/Point' }, { type: 'string' }] } }, { $defs }),
      { a: {} },
      [
        [['a'], 'expected an object { x } or string'],
        [['a', 'x'], 'required, but missing'],
        [['a'], 'expected string'],
      ],
    ],
    [
      'only one of several',
      object({ a: { oneOf: [{ type: 'string' }, { enum: ['x', 1] }] } }),
      { a: 'x' },
      [[['a'], 'expected only one of string or "x" or 1 to fit']],
    ],
    ['none of several', object({ a: { oneOf: [{ type: 'string' }, { type: 'null' }] } }), { a: 1 }, [[['a'], 'expected string or null']]],
    [
      'a deeper choice',
      object({ list: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } } }),
      { list: [1] },
      [[['list', 0], 'expected string or null']],
    ],
    ['what must not be', object({ a: { not: { type: 'string' } } }), { a: 'x' }, [[['a'], 'expected anything but string']]],
  ])('names %s', async (_what, schema, value, expected) => expect(await issues(schema, value)).toEqual(expected))

  it.each<[string, JsonSchema]>([
    [
      'draft-07: what stands beside a $ref does not count',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        definitions: { S: { type: 'string' } },
        ...object({ a: { $ref: '#/definitions/S', minLength: 9 } }),
      },
    ],
    [
      'draft-04: a bound may be exclusive by a boolean',
      { $schema: 'http://json-schema.org/draft-04/schema#', ...object({ a: { minLength: 1 }, n: { maximum: 5, exclusiveMaximum: true } }) },
    ],
    ['2020-12: prefixItems', object({ a: { type: 'string' }, t: { prefixItems: [{ type: 'string' }] } })],
  ])('knows its drafts: %s', async (_what, schema) => expect(await issues(schema, { a: 'x', n: 4, t: ['x'] })).toBeUndefined())

  it.each<[string, JsonSchema, string]>([
    [
      'a reference to nowhere',
      object({ a: { $ref: '#/nope' } }),
      'The JSON Schema of the tool cannot be used: the $ref "#/nope" names nothing in it, and nothing is fetched',
    ],
    ['a broken pattern', object({ a: { pattern: '(' } }), 'The JSON Schema of the tool cannot be used: Invalid regular expression: /(/'],
  ])('blames the schema, not the input, for %s', async (_what, schema, said) => {
    const failing = validateJsonSchema(schema, { a: 'x' })
    await expect(failing).rejects.toThrow(ToolDefinitionError)
    await expect(failing).rejects.toThrow(said)
  })
})
