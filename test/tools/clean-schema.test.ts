import { describe, expect, it } from 'vitest'
import { cleanSchema } from '../../src/tools/clean-schema.ts'

const object = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest })
const same = Symbol('same')
const nullable = { anyOf: [{ type: 'string' }, { type: 'null' }] }

const cases: Record<string, readonly [given: object, cleaned: object | typeof same]> = {
  'the keywords title, $schema and additionalProperties: false go, at every depth': [
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'A',
      ...object(
        { list: { title: 'L', type: 'array', items: { title: 'I', ...object({ x: { title: 'X' } }, { additionalProperties: false }) } } },
        { additionalProperties: false },
      ),
      $defs: { D: { title: 'D', type: 'string' } },
      allOf: [{ title: 'O', required: ['list'] }],
      not: { title: 'N', required: ['z'] },
    },
    {
      ...object({ list: { type: 'array', items: object({ x: {} }) } }),
      $defs: { D: { type: 'string' } },
      allOf: [{ required: ['list'] }],
      not: { required: ['z'] },
    },
  ],
  'properties of those names stay': [
    object({ title: { type: 'string' }, $schema: { type: 'string' }, additionalProperties: { type: 'boolean' } }, { required: ['title'] }),
    same,
  ],
  'a property named properties is a property': [
    object({ properties: { type: 'object', title: 'P', properties: { title: { type: 'string', title: 'T' } } } }),
    object({ properties: object({ title: { type: 'string' } }) }),
  ],
  'a property named $defs, items or anyOf is a property': [
    object({ $defs: { type: 'array', title: 'x' }, items: { type: 'string', title: 'x' }, anyOf: { type: 'number', title: 'x' } }),
    object({ $defs: { type: 'array' }, items: { type: 'string' }, anyOf: { type: 'number' } }),
  ],
  'additionalProperties as a schema stays, and is cleaned': [
    { type: 'object', additionalProperties: { type: 'string', title: 'V' } },
    { type: 'object', additionalProperties: { type: 'string' } },
  ],
  'additionalProperties: true stays': [{ type: 'object', additionalProperties: true }, same],
  'values are values: const, enum, default and examples are not touched': [
    object(
      { a: { const: { title: 'x', additionalProperties: false } }, b: { enum: [{ title: 'y' }], default: { $schema: 'z' } } },
      { examples: [{ title: 'q' }], default: { title: 't', properties: { a: { title: 'x' } } } },
    ),
    same,
  ],
  'a title that is no text is not the keyword': [{ type: 'object', title: { type: 'string' } }, same],
  'an optional nullable becomes plain': [
    object({
      a: nullable,
      b: { type: ['string', 'null'], description: 'd' },
      c: { oneOf: [{ type: 'number' }, { const: null }], default: null },
    }),
    object({ a: { type: 'string' }, b: { type: 'string', description: 'd' }, c: { type: 'number', default: null } }),
  ],
  'an optional nullable choice stays a choice': [
    object({
      a: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }], description: 'd' },
      b: { type: ['string', 'number', 'null'] },
    }),
    object({ a: { description: 'd', anyOf: [{ type: 'string' }, { type: 'number' }] }, b: { type: ['string', 'number'] } }),
  ],
  'an optional nullable reference becomes the reference': [
    object({ a: { anyOf: [{ $ref: '#/$defs/D' }, { type: 'null' }] } }, { $defs: { D: { type: 'string' } } }),
    object({ a: { $ref: '#/$defs/D' } }, { $defs: { D: { type: 'string' } } }),
  ],
  'what stands beside the choice wins over what stands in it': [
    object({ a: { anyOf: [{ type: 'string', description: 'inner' }, { enum: [null] }], description: 'outer' } }),
    object({ a: { type: 'string', description: 'outer' } }),
  ],
  'a required nullable keeps its null': [object({ a: nullable, b: { type: ['string', 'null'] } }, { required: ['a', 'b'] }), same],
  'required counts at its own depth': [
    object({ outer: object({ a: nullable, b: nullable }, { required: ['a'] }) }, { required: ['b'] }),
    object({ outer: object({ a: nullable, b: { type: 'string' } }, { required: ['a'] }) }, { required: ['b'] }),
  ],
  'null alone, and null among the values, stay': [
    object({
      a: { type: 'null' },
      b: { type: ['null'] },
      c: { anyOf: [{ type: 'null' }] },
      d: { type: ['string', 'null'], enum: ['x', null] },
      e: { const: null },
    }),
    same,
  ],
  'a null that says more than null stays': [object({ a: { anyOf: [{ type: 'string' }, { type: 'null', description: 'none' }] } }), same],
  'what is no property is not made plain': [{ ...nullable, $defs: { A: nullable }, items: nullable }, same],
  '$ref and $defs stay, recursion too': [
    object(
      { kids: { type: 'array', items: { $ref: '#' } }, d: { $ref: '#/$defs/D' } },
      { $defs: { D: object({ next: { $ref: '#/$defs/D' } }) } },
    ),
    same,
  ],
  'a nullable that a reference points into stays as it is': [
    object({ a: nullable, b: { $ref: '#/properties/a/anyOf/0' }, c: nullable }),
    object({ a: nullable, b: { $ref: '#/properties/a/anyOf/0' }, c: { type: 'string' } }),
  ],
  'a nullable that a reference points at keeps its null': [
    object({ 'a/b ~': nullable, b: { $ref: '#/properties/a~1b%20~0' } }, { required: ['b'] }),
    same,
  ],
  'a reference with an address before it counts too': [
    { $id: 'https://x.y/z', ...object({ a: nullable, b: { $ref: 'https://x.y/z#/properties/a' } }) },
    same,
  ],
  'schemas that are true or false stay': [object({ a: true, b: false }, { items: false }), same],
}

describe('cleanSchema', () => {
  it.each(Object.entries(cases))('%s', (_what, [given, cleaned]) => {
    const before = structuredClone(given)
    expect(cleanSchema(given as never)).toEqual(cleaned === same ? given : cleaned)
    expect(given).toEqual(before)
  })

  it('keeps a property named __proto__', () => {
    const given = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string","title":"x"},"a":{}}}') as object
    expect(JSON.stringify(cleanSchema(given as never))).toBe('{"type":"object","properties":{"__proto__":{"type":"string"},"a":{}}}')
  })

  it('has nothing to do the second time', () => {
    for (const [given] of Object.values(cases)) {
      const once = cleanSchema(given as never)
      expect(cleanSchema(once)).toEqual(once)
    }
  })
})
