import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ToolDefinitionError } from '../../src/errors.ts'
import { compileSchema, jsonSchema } from '../../src/tools/schema.ts'

const compile = (schema: unknown) => compileSchema(schema as never, 'The schema')
const shown = (schema: unknown) => compile(schema).jsonSchema

describe('what the model is shown of a zod schema', () => {
  it('is its input side: defaults are optional, transforms have not happened', () => {
    const schema = z.object({
      city: z.string().describe('for example Tokyo'),
      days: z.number().int().default(3),
      when: z.string().transform((text) => new Date(text)),
      note: z.string().nullable().optional(),
      unit: z.enum(['c', 'f']).nullable(),
    })
    expect(shown(schema)).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'for example Tokyo' },
        days: { type: 'integer', default: 3, minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
        when: { type: 'string' },
        note: { type: 'string' },
        unit: { anyOf: [{ type: 'string', enum: ['c', 'f'] }, { type: 'null' }] },
      },
      required: ['city', 'when', 'unit'],
    })
  })

  it('is without noise, whether keys are ignored, refused or taken', () => {
    const plain = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
    expect(shown(z.object({ a: z.string() }).meta({ title: 'T' }))).toEqual(plain)
    expect(shown(z.strictObject({ a: z.string() }))).toEqual(plain)
    expect(shown(z.looseObject({ a: z.string() }))).toEqual({ ...plain, additionalProperties: {} })
    expect(shown(z.object({}))).toEqual({ type: 'object', properties: {} })
  })

  it('keeps its references valid when it is recursive', () => {
    const Tree = z.object({
      name: z.string(),
      get children() {
        return z.array(Tree).optional()
      },
    })
    expect(shown(Tree)).toEqual({
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
      required: ['name'],
    })
    expect(shown(z.object({ root: Tree }))).toEqual({
      type: 'object',
      properties: { root: { $ref: '#/$defs/__schema0' } },
      required: ['root'],
      $defs: {
        __schema0: {
          type: 'object',
          properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/__schema0' } } },
          required: ['name'],
        },
      },
    })
  })

  it('is one object where it is a choice of objects: with the properties of all, and what is required said', () => {
    expect(shown(z.union([z.object({ a: z.string(), c: z.string() }), z.object({ b: z.number(), c: z.number() })]))).toEqual({
      type: 'object',
      description: 'Needs "a", or "b".',
      properties: { a: { type: 'string' }, b: { type: 'number' }, c: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
      required: ['c'],
    })
  })

  it('has what records, tuples and dates as text take', () => {
    expect(
      shown(
        z.object({ r: z.record(z.string(), z.number()), t: z.tuple([z.string(), z.number()]), d: z.iso.date(), n: z.literal([1, 'x']) }),
      ),
    ).toMatchObject({
      properties: {
        r: { type: 'object', additionalProperties: { type: 'number' } },
        t: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
        d: { type: 'string', format: 'date' },
        n: { enum: [1, 'x'] },
      },
      required: ['r', 't', 'd', 'n'],
    })
  })
})

describe('what the model is shown of other schemas', () => {
  it('arktype', () => {
    expect(shown(type({ city: 'string', 'days?': 'number | null' }))).toEqual({
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'number' } },
      required: ['city'],
    })
  })

  it.each<[string, unknown, unknown]>([
    [
      'a plain JSON Schema',
      { type: 'object', properties: { a: { type: 'string' } } },
      { type: 'object', properties: { a: { type: 'string' } } },
    ],
    ['nothing', {}, { type: 'object', properties: {} }],
    ['an object of anything', { type: 'object' }, { type: 'object', properties: {} }],
    ['a description alone', { description: 'd' }, { type: 'object', description: 'd', properties: {} }],
    ['properties without a type', { properties: { a: {} } }, { type: 'object', properties: { a: {} } }],
    ['an object or null', { type: ['object', 'null'], properties: { a: {} } }, { type: 'object', properties: { a: {} } }],
    ['a reference', { $ref: '#/$defs/A', $defs: { A: { type: 'object' } } }, { type: 'object', properties: {} }],
    [
      'a reference to what contains itself',
      { $ref: '#/$defs/A', $defs: { A: { type: 'object', properties: { next: { $ref: '#/$defs/A' } } }, B: { type: 'string' } } },
      {
        type: 'object',
        properties: { next: { $ref: '#/$defs/A' } },
        $defs: { A: { type: 'object', properties: { next: { $ref: '#/$defs/A' } } } },
      },
    ],
    [
      'several schemas that all count',
      {
        allOf: [{ properties: { a: { type: ['string', 'null'] } } }, { $ref: '#/$defs/B' }, { not: { required: ['x'] } }],
        required: ['a'],
        $defs: { B: { properties: { a: { maxLength: 5 }, b: {} }, required: ['b'] } },
      },
      {
        type: 'object',
        properties: { a: { allOf: [{ type: ['string', 'null'] }, { maxLength: 5 }] }, b: {} },
        required: ['a', 'b'],
      },
    ],
    [
      'a reference into an alternative that is told otherwise now',
      { anyOf: [{ properties: { a: { type: 'number' } } }, { properties: { b: { $ref: '#/anyOf/0' } } }] },
      {
        type: 'object',
        properties: { a: { type: 'number' }, b: { $ref: '#/$defs/0' } },
        $defs: { 0: { properties: { a: { type: 'number' } } } },
      },
    ],
    [
      'references by name and address, and behind a word of their own',
      {
        $id: 'https://x.example/tool',
        properties: { a: { $ref: 'https://x.example/tool#A' }, b: { $ref: 'item' }, c: { $ref: '#/components/schemas/C' } },
        $defs: { A: { $anchor: 'A', type: 'string' }, I: { $id: 'item', type: 'number' } },
        components: { schemas: { C: { properties: { d: { $ref: '#/components/schemas/D' } } }, D: { type: 'null' } } },
      },
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/A' }, b: { $ref: '#/$defs/I' }, c: { $ref: '#/$defs/C' } },
        $defs: { A: { type: 'string' }, I: { type: 'number' }, C: { properties: { d: { $ref: '#/$defs/D' } } }, D: { type: 'null' } },
      },
    ],
    [
      'old words',
      {
        $schema: 'http://json-schema.org/draft-04/schema#',
        id: 'http://x.example/',
        properties: {
          t: { items: [{ type: 'string' }], additionalItems: false },
          n: { minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false },
          r: { $ref: '#/properties/t/items/0', minLength: 3, description: 'd' },
          id: { type: 'string' },
        },
        dependencies: { t: ['n'], n: { required: ['id'] } },
      },
      {
        type: 'object',
        properties: {
          t: { prefixItems: [{ type: 'string' }], items: false },
          n: { exclusiveMinimum: 1, maximum: 5 },
          r: { $ref: '#/properties/t/prefixItems/0', description: 'd' },
          id: { type: 'string' },
        },
        dependentRequired: { t: ['n'] },
        dependentSchemas: { n: { required: ['id'] } },
      },
    ],
    [
      'a schema with a type of your own',
      jsonSchema({ type: 'object', title: 'T', properties: { a: {} } }),
      { type: 'object', properties: { a: {} } },
    ],
  ])('%s', (_what, schema, expected) => expect(shown(schema)).toEqual(expected))

  it('leaves the given schema as it was', () => {
    const schema = { type: 'object', title: 'T', properties: { a: { type: ['string', 'null'] } }, additionalProperties: false }
    const before = structuredClone(schema)
    shown(schema)
    expect(schema).toEqual(before)
  })
})

describe('compileSchema refuses', () => {
  it.each<[string, unknown, string]>([
    ['text', 'object', 'The schema must be a zod schema, another Standard Schema, or a JSON Schema object; got string.'],
    ['a list', [], 'The schema must be a zod schema, another Standard Schema, or a JSON Schema object; got an array.'],
    [
      'a list schema',
      z.array(z.string()),
      'The schema must describe an object, because models send arguments by name; it describes "array".',
    ],
    [
      'a type that there is not',
      { type: 'dict' },
      'The schema must describe an object, because models send arguments by name; it describes "dict".',
    ],
    [
      'several types, none of them object',
      { type: ['string', 'null'] },
      'The schema must describe an object, because models send arguments by name; it describes ["string","null"].',
    ],
    [
      'values',
      { enum: ['a'] },
      'The schema must describe an object, because models send arguments by name; it describes "something else".',
    ],
    [
      'valibot as it is',
      v.object({ a: v.string() }),
      'The schema: this valibot schema cannot be turned into a JSON Schema; wrap it with `toStandardJsonSchema` of the package @valibot/to-json-schema, or give a plain JSON Schema.',
    ],
    [
      'an old zod',
      { '~standard': { version: 1, vendor: 'zod', validate: () => ({ value: 1 }) } },
      'The schema: this zod schema cannot be turned into a JSON Schema; use zod 4.2 or newer, or give a plain JSON Schema.',
    ],
    [
      'any other library without JSON Schema',
      { '~standard': { version: 1, vendor: 'x', validate: () => ({ value: 1 }) } },
      'The schema: this x schema cannot be turned into a JSON Schema; use a version of the library that has Standard JSON Schema, or give a plain JSON Schema.',
    ],
  ])('%s', (_what, schema, said) => expect(() => compile(schema)).toThrow(new ToolDefinitionError(said)))

  const deep = (levels: number): object => (levels === 1 ? { type: 'string' } : { type: 'object', properties: { a: deep(levels - 1) } })
  it.each<[string, unknown, string]>([
    [
      'a reference out of it',
      { properties: { a: { $ref: 'https://x.example/y' } } },
      'The schema, at #/properties/a, refers to "https://x.example/y", which is not in it; nothing is fetched. Put it into $defs.',
    ],
    [
      'a type deeper down that there is not',
      { properties: { 'a/b': { type: ['float', 'null'] } } },
      'The schema, at #/properties/a~1b, has the type "float", which JSON Schema does not have; expected one of string, number, integer, boolean, object, array, null.',
    ],
    [
      '65 schemas within each other',
      deep(65),
      'The schema is nested deeper than 64 schemas. Define its parts in $defs, or make it flatter.',
    ],
    [
      'values deeper than that',
      { default: JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`) },
      'The schema is nested deeper than 64 schemas. Define its parts in $defs, or make it flatter.',
    ],
  ])('%s', (_what, schema, said) => expect(() => compile(schema)).toThrow(new ToolDefinitionError(said)))

  it('an object that contains itself', () => {
    const loop: Record<string, unknown> = { type: 'object' }
    loop['properties'] = { loop }
    expect(() => compile(loop)).toThrow('nested deeper than 64')
  })

  it('a few lines that ask for billions of parts', () => {
    const twice = (n: number): object => ({ allOf: [{ $ref: `#/$defs/d${n}` }, { $ref: `#/$defs/d${n}` }] })
    const $defs = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`d${n}`, n === 29 ? { type: 'object' } : twice(n + 1)]))
    expect(() => shown({ ...twice(0), $defs })).toThrow('is made of more than 2000 references and alternatives at its root.')
  })

  it('takes 64 schemas within each other', () => expect(shown(deep(64))).toEqual(deep(64)))

  it('a broken pattern', () =>
    expect(() => compile({ properties: { a: { pattern: '(' } } })).toThrow(/^The schema, at #\/properties\/a, has a pattern/))

  it('what the library itself cannot write down, and says why', () => {
    expect(() => compile(z.object({ at: z.date() }))).toThrow(/^The schema has no JSON Schema: Date cannot be represented/)
    expect(() => jsonSchema(7 as never)).toThrow(new ToolDefinitionError('jsonSchema() needs a JSON Schema object, got 7.'))
  })
})

describe('validation uses the schema as it was given', () => {
  it('zod: defaults are filled in, transforms done, unknown keys dropped', async () => {
    const { validate } = compile(z.object({ a: z.string().transform((text) => text.length), b: z.number().default(3) }))
    expect(await validate({ a: 'four', c: 1 })).toMatchObject({ value: { a: 4, b: 3 } })
  })

  it('zod: null is no absent value, whatever the model is shown', async () => {
    const { validate } = compile(z.object({ a: z.string().optional() }))
    expect(await validate({ a: null })).toMatchObject({ issues: [{ path: ['a'] }] })
    expect((await validate({})).issues).toBeUndefined()
  })

  it('zod: checks that take time', async () => {
    const { validate } = compile(z.object({ a: z.string().refine(async (text) => text === 'ok', 'not ok') }))
    expect((await validate({ a: 'ok' })).issues).toBeUndefined()
    expect(await validate({ a: 'no' })).toMatchObject({ issues: [{ path: ['a'], message: 'not ok' }] })
  })

  it('a plain JSON Schema: `additionalProperties: false` counts although the model is not shown it', async () => {
    const { validate } = compile({ type: 'object', properties: { a: { type: ['string', 'null'] } }, additionalProperties: false })
    expect(await validate({ a: null })).toEqual({ value: { a: null } })
    expect(await validate({ b: 1 })).toEqual({ issues: [{ path: ['b'], message: 'not allowed here' }] })
  })

  it('a schema with a type of your own, likewise', async () => {
    const { validate } = compile(jsonSchema<{ n: number }>({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }))
    expect(await validate({ n: 1 })).toEqual({ value: { n: 1 } })
    expect(await validate({})).toEqual({ issues: [{ path: ['n'], message: 'required, but missing' }] })
  })
})
