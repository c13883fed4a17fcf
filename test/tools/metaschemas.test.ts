import { describe, expect, it } from 'vitest'
import { ToolDefinitionError } from '../../src/errors.ts'
import { compileSchema } from '../../src/tools/schema.ts'
import { validateJsonSchema } from '../../src/tools/validate-json-schema.ts'
import type { JsonSchema } from '../../src/util/json-schema.ts'

const old = (draft: string): string => `http://json-schema.org/draft-${draft}/schema#`
const newer = (draft: string): string => `https://json-schema.org/draft/${draft}/schema`

const issues = async (schema: JsonSchema, value: unknown) =>
  (await validateJsonSchema(schema, value)).issues?.map(({ path, message }) => [path?.join('.'), message])

/** Behind a schema, what it says of another one. Each is a fault in one draft alone. */
const judged = async (uri: string, ...schemas: readonly JsonSchema[]) =>
  Promise.all(schemas.map(async (schema) => (await issues({ $ref: uri }, schema)) === undefined))

describe('a reference to the schema of schemas', () => {
  it.each([old('04'), old('06'), old('07'), newer('2019-09'), newer('2020-12')])('tells a schema from what is none: %s', async (uri) => {
    const legal = {
      type: 'object',
      title: 'A point',
      properties: { x: { type: ['number', 'string'], minimum: 1 }, list: { items: { $ref: '#' }, minItems: 0, uniqueItems: true } },
      required: ['x'],
      additionalProperties: false,
      allOf: [{ not: { enum: [1, 2] } }, { patternProperties: { '^a': { maxLength: 3 } } }],
      dependencies: { x: ['list'], list: { minProperties: 2 } },
    }
    expect(await judged(uri, {}, legal)).toEqual([true, true])
    const illegal: readonly JsonSchema[] = [
      { type: 'text' },
      { type: [] },
      { type: ['string', 'string'] },
      { minLength: -1 },
      { minItems: 1.5 },
      { required: 'x' },
      { required: ['x', 'x'] },
      { pattern: 7 },
      { multipleOf: 0 },
      { allOf: [] },
      { uniqueItems: 1 },
      { properties: { x: { properties: { y: { maximum: 'much' } } } } },
      { items: { not: { anyOf: [{ maxLength: '3' }] } } },
      { dependencies: { x: ['y', 7] } },
      { additionalProperties: { enum: {} } },
    ]
    expect(await judged(uri, ...illegal)).toEqual(illegal.map(() => false))
  })

  it('is of the draft that it names', async () => {
    const probes: readonly JsonSchema[] = [
      { exclusiveMinimum: true, minimum: 1 },
      { exclusiveMinimum: 1 },
      { required: [] },
      { if: 7 },
      { readOnly: 'yes' },
      { enum: [] },
      { items: [{}] },
      { additionalItems: 7 },
      { dependentRequired: 7 },
      { $recursiveAnchor: true },
      { $dynamicAnchor: 'a b' },
      { prefixItems: {} },
      { contentSchema: 7 },
    ]
    const all = [old('04'), old('06'), old('07'), newer('2019-09'), newer('2020-12')]
    const said = await Promise.all(all.map(async (uri) => (await judged(uri, ...probes)).map((fits) => (fits ? '+' : '-')).join('')))
    expect(said).toEqual(['+--++-+-+++++', '-++++-+-+++++', '-++--++-+++++', '-++--++--+++-', '-++--+-+-----'])
  })

  it('names the fault by its place', async () => {
    const schema = { type: 'object', properties: { schema: { $ref: newer('2020-12') } } }
    expect(await issues(schema, { schema: { properties: { a: { minLength: -1 } } } })).toEqual([
      ['schema.properties.a.minLength', 'expected a number of at least 0'],
    ])
  })

  it('may lead to a part of it', async () => {
    const schema = {
      properties: {
        least: { $ref: `${old('07')}/definitions/nonNegativeInteger` },
        names: { $ref: 'https://json-schema.org/draft/2020-12/meta/validation#/$defs/stringArray' },
      },
    }
    expect(await issues(schema, { least: 0, names: ['a'] })).toBeUndefined()
    expect(await issues(schema, { least: -1, names: ['a', 'a'] })).toHaveLength(2)
  })

  it('judges by its own draft in a document of another one', async () => {
    // Up to draft-07 nothing beside a $ref counts; in the schema of 2020-12 the pattern beside one does.
    const schema = { $schema: old('07'), properties: { schema: { $ref: newer('2020-12') } } }
    expect(await issues(schema, { schema: { $id: 'a#' } })).toBeUndefined()
    expect(await issues(schema, { schema: { $id: 'a#b' } })).toEqual([['schema.$id', 'expected a match of the pattern ^[^#]*#?$']])
  })

  it('asks those that extend it for the schemas within', async () => {
    const extended = {
      $schema: newer('2020-12'),
      $id: 'https://example.com/strict',
      $dynamicAnchor: 'meta',
      $ref: newer('2020-12'),
      propertyNames: { pattern: '^[$a-zA-Z]+$' },
    }
    expect(await issues(extended, { properties: { x: { 'x-odd': 1 } } })).toMatchObject([['properties.x.x-odd', expect.any(String)]])
    const older = { ...extended, $schema: newer('2019-09'), $recursiveAnchor: true, $ref: newer('2019-09') }
    expect(await issues(older, { properties: { x: { 'x-odd': 1 } } })).toMatchObject([['properties.x.x-odd', expect.any(String)]])
  })

  it('to something else of that host is not known', async () => {
    for (const $ref of [old('03'), 'https://json-schema.org/draft/2020-12/meta/nope', 'https://json-schema.org/draft/next/schema'])
      await expect(validateJsonSchema({ $ref }, {})).rejects.toThrow(ToolDefinitionError)
    await expect(validateJsonSchema({ $ref: `${old('07')}/definitions/nope` }, {})).rejects.toThrow('names nothing in it')
  })
})

describe('a tool that takes a schema', () => {
  const schema = {
    type: 'object',
    properties: {
      shape: { $ref: old('07'), description: 'What the rows look like.' },
      newest: { $ref: newer('2020-12') },
      least: { $ref: `${old('07')}/definitions/nonNegativeInteger` },
    },
    required: ['shape'],
  }

  it('is shown as one, without the reference that no provider follows', () => {
    expect(compileSchema(schema, 'It').jsonSchema).toEqual({
      type: 'object',
      properties: {
        shape: { type: 'object', description: 'What the rows look like.' },
        newest: { type: 'object', description: 'A JSON Schema (2020-12).' },
        least: {},
      },
      required: ['shape'],
    })
  })

  it('is checked by the schema of schemas', async () => {
    const { validate } = compileSchema(schema, 'It')
    expect((await validate({ shape: { type: 'string' }, newest: { $defs: {} }, least: 3 })).issues).toBeUndefined()
    expect((await validate({ shape: { type: 'nothing' } })).issues).toMatchObject([{ path: ['shape', 'type'] }, {}, {}])
  })
})
