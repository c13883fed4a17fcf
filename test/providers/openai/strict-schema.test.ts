import { describe, expect, it } from 'vitest'
import { isStrictSchema, strictSchema } from '../../../src/providers/openai/strict-schema.ts'

const closed = (properties: Record<string, unknown>, more: object = {}): unknown => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
})

it.each<readonly [string, unknown, boolean]>([
  ['an empty object', closed({}), true],
  [
    'closed objects in arrays and unions',
    closed({ a: { type: 'array', items: closed({ b: { anyOf: [{ type: 'string' }, { type: 'null' }] } }) } }),
    true,
  ],
  ['references', closed({ a: { $ref: '#/$defs/a' } }, { $defs: { a: closed({}) }, $schema: 'x' }), true],
  ['an open object', { type: 'object', properties: {}, required: [] }, false],
  ['an optional property', { type: 'object', properties: { a: { type: 'string' } }, required: [], additionalProperties: false }, false],
  ['an open object inside', closed({ a: { type: 'object' } }), false],
  ['an open object in a definition', closed({}, { $defs: { a: { type: 'object', properties: {} } } }), false],
  ['a default', closed({ a: { type: 'string', default: 'x' } }), false],
  ['an array at the root', { type: 'array', items: { type: 'string' } }, false],
  ['a union at the root', { anyOf: [closed({})] }, false],
  ['true', true, false],
])('%s: %o', (_what, schema, strict) => expect(isStrictSchema(schema)).toBe(strict))

describe('a schema made strict', () => {
  const open = (properties: Record<string, unknown>, more: object = {}): Record<string, unknown> => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    ...more,
  })
  const text = { type: 'string' }

  it('has its objects closed, in arrays, unions and definitions', () => {
    const schema = open(
      {
        list: { type: 'array', items: open({ a: { anyOf: [open({ b: text }), { type: 'null' }] } }) },
        shape: { oneOf: [open({ kind: { const: 'x' } }), open({ kind: { const: 'y' } })] },
        tree: { $ref: '#/$defs/Tree', description: 'The tree.' },
      },
      { $defs: { Tree: open({ children: { type: 'array', items: { $ref: '#/$defs/Tree' } } }) } },
    )
    const before = JSON.stringify(schema)
    expect(strictSchema(schema)).toEqual(
      closed(
        {
          list: { type: 'array', items: closed({ a: { anyOf: [closed({ b: text }), { type: 'null' }] } }) },
          shape: { anyOf: [closed({ kind: { const: 'x' } }), closed({ kind: { const: 'y' } })] },
          tree: { $ref: '#/$defs/Tree' },
        },
        { $defs: { Tree: closed({ children: { type: 'array', items: { $ref: '#/$defs/Tree' } } }) } },
      ),
    )
    expect(JSON.stringify(schema)).toBe(before)
  })

  const deep = (levels: number): Record<string, unknown> => (levels === 0 ? text : open({ in: deep(levels - 1) }))
  it.each<readonly [string, Record<string, unknown>, boolean]>([
    ['a closed one', closed({ a: text }) as Record<string, unknown>, true],
    ['ten levels', deep(10), true],
    ['eleven levels', deep(11), false],
    ['an optional property', { type: 'object', properties: { a: text }, required: [] }, false],
    ['an object of any keys', open({ a: { type: 'object' } }), false],
    ['an object of no keys that is not closed', open({ a: { type: 'object', properties: {} } }), false],
    ['an object whose keys are free', open({ a: open({ b: text }, { additionalProperties: text }) }), false],
    ['an object that says that others may be there', open({ a: text }, { additionalProperties: true }), false],
    ['a bound', open({ a: { type: 'number', minimum: 1 } }), false],
    ['a default', open({ a: { type: 'string', default: 'x' } }), false],
  ])('%s', (_what, schema, isStrict) => expect(strictSchema(schema) !== undefined).toBe(isStrict))
})
