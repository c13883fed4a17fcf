import { describe, expect, it } from 'vitest'
import { ToolDefinitionError } from '../../src/errors.ts'
import { normaliseSpec } from '../../src/tools/normalise-spec.ts'

const shown = (inputSchema: unknown) => normaliseSpec({ name: 't', inputSchema }).inputSchema
const blank = { type: 'object', properties: {}, required: [] }

describe('normaliseSpec', () => {
  it('fills in what is missing', () => {
    const { validate, ...spec } = normaliseSpec({
      name: 'files.read',
      description: 'Reads.',
      inputSchema: {},
      outputSchema: { type: 'object' },
    })
    expect(spec).toEqual({ name: 'files.read', description: 'Reads.', inputSchema: blank, outputSchema: { type: 'object' } })
    expect(normaliseSpec({ name: 'x', description: 7, outputSchema: 'no' })).toMatchObject({
      name: 'x',
      description: '',
      inputSchema: blank,
    })
    expect(normaliseSpec({ name: 'x' })).not.toHaveProperty('outputSchema')
    expect(typeof validate).toBe('function')
  })

  it.each<[string, object, object]>([
    ['says nothing', { description: 'd' }, { type: 'string', description: 'd' }],
    ['is anything', {}, { type: 'string' }],
    ['has a type', { type: 'number' }, { type: 'number' }],
    ['has properties', { properties: { b: {} } }, { type: 'object', properties: { b: { type: 'string' } } }],
    ['has items', { items: { properties: { b: {} } } }, { type: 'array', items: { properties: { b: { type: 'string' } } } }],
    ['has bounds', { minimum: 1 }, { type: 'number', minimum: 1 }],
    ['is one of a list', { enum: [1, 'x'] }, { enum: [1, 'x'] }],
    ['is one value', { const: 1 }, { const: 1 }],
    ['is a composition', { anyOf: [{ type: 'string' }, { minimum: 3 }] }, { anyOf: [{ type: 'string' }, { minimum: 3 }] }],
    ['is a negation', { not: { properties: { b: {} } } }, { not: { properties: { b: {} } } }],
    [
      'is a choice of objects',
      { oneOf: [{ type: 'object', properties: { b: {} } }] },
      { oneOf: [{ type: 'object', properties: { b: { type: 'string' } } }] },
    ],
  ])('gives a type to a property only if it %s as it should', (_what, given, filled) => {
    expect(shown({ properties: { a: given } })).toEqual({ ...blank, properties: { a: filled } })
  })

  it('takes `true` for a property, and leaves a reference alone', () => {
    expect(shown({ properties: { a: true, b: { $ref: '#/$defs/B' } }, $defs: { B: { description: 'any' } } })).toEqual({
      ...blank,
      properties: { a: { type: 'string' }, b: { $ref: '#/$defs/B' } },
      $defs: { B: { description: 'any' } },
    })
  })

  it('does not fill in where properties are only spoken of', () => {
    const schema = { properties: { n: { type: 'number' } }, if: { properties: { n: { minimum: 5 } } }, then: { required: ['n'] } }
    expect(shown(schema)).toEqual({ ...blank, ...schema })
  })

  it('validates against the schema as it was given', async () => {
    const { validate } = normaliseSpec({ name: 't', inputSchema: { properties: { a: {} }, additionalProperties: false } })
    expect(await validate({ a: 7 })).toEqual({ value: { a: 7 } })
    expect(await validate({ b: 7 })).toEqual({ issues: [{ path: ['b'], message: 'not allowed here' }] })
  })

  const deep = (levels: number): object => (levels === 1 ? { type: 'string' } : { type: 'object', properties: { a: deep(levels - 1) } })
  it.each<[string, unknown, string]>([
    ['no object', 'x', 'A tool of the server is no object, but string.'],
    ['no name', { inputSchema: {} }, 'A tool of the server has no name; got undefined.'],
    ['an empty name', { name: '' }, 'A tool of the server has no name; got an empty text.'],
    [
      'a schema that is none',
      { name: 't', inputSchema: [] },
      'The tool "t" of the server: its input schema must be a JSON Schema object, got an array.',
    ],
    [
      'a list',
      { name: 't', inputSchema: { type: 'array' } },
      'The tool "t" of the server: its input schema must describe an object, because models send arguments by name; it describes "array".',
    ],
    [
      'a schema too deep',
      { name: 't', inputSchema: deep(65) },
      'The tool "t" of the server: its input schema is nested deeper than 64 schemas. Define its parts in $defs, or make it flatter.',
    ],
    [
      'a reference to nowhere',
      { name: 't', inputSchema: { properties: { a: { $ref: '#/nope' } } } },
      'The tool "t" of the server: its input schema, at #/properties/a, refers to "#/nope", which is not in it; nothing is fetched. Put it into $defs.',
    ],
  ])('refuses %s', (_what, spec, said) => expect(() => normaliseSpec(spec, 'the server')).toThrow(new ToolDefinitionError(said)))

  it('takes one that is just not too deep', () => expect(shown(deep(64))).toEqual({ ...deep(64), required: [] }))
})
