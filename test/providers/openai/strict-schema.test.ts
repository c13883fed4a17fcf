import { expect, it } from 'vitest'
import { isStrictSchema } from '../../../src/providers/openai/strict-schema.ts'

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
