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

  it('says that it is of an object where it is a choice of objects', () => {
    expect(shown(z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]))).toEqual({
      type: 'object',
      anyOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { type: 'object', properties: { b: { type: 'number' } }, required: ['b'] },
      ],
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
    ['a description alone', { description: 'd' }, { type: 'object', description: 'd' }],
    ['properties without a type', { properties: { a: {} } }, { type: 'object', properties: { a: {} } }],
    ['an object or null', { type: ['object', 'null'], properties: { a: {} } }, { type: 'object', properties: { a: {} } }],
    [
      'a reference',
      { $ref: '#/$defs/A', $defs: { A: { type: 'object' } } },
      { type: 'object', $ref: '#/$defs/A', $defs: { A: { type: 'object' } } },
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

  it('what the library itself cannot write down, and says why', () => {
    expect(() => compile(z.object({ at: z.date() }))).toThrow(/^The schema has no JSON Schema: Date cannot be represented/)
    expect(() => jsonSchema(7 as never)).toThrow(new ToolDefinitionError('jsonSchema() needs a JSON Schema object, got number.'))
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
