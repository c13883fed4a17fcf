import { describe, expect, it } from 'vitest'
import { fieldsOf } from '../../../src/cli/elicitation/field.ts'
import type { JsonObject } from '../../../src/index.ts'
import { fc } from '../../support/fast-check.ts'

const only = (schema: JsonObject) => fieldsOf({ properties: { f: schema } })[0]!
const text = (more: JsonObject = {}): JsonObject => ({ type: 'string', ...more })
const of = { type: 'array', items: { type: 'string', enum: ['red', 'green', 'blue'] } }
const titled = {
  type: 'string',
  oneOf: [
    { const: 'r', title: 'Red' },
    { const: '2', title: 'Two' },
  ],
}

describe('what is typed for a field', () => {
  it.each<[JsonObject, string, unknown]>([
    [text(), 'a  b', 'a  b'],
    [{}, 'anything', 'anything'],
    [text({ minLength: 2, maxLength: 3 }), '\u{1f600}\u{1f600}', '\u{1f600}\u{1f600}'],
    [text({ format: 'email' }), 'ann@example.com', 'ann@example.com'],
    [text({ format: 'uri' }), 'https://example.com/a', 'https://example.com/a'],
    [text({ format: 'uri' }), 'urn:isbn:1', 'urn:isbn:1'],
    [text({ format: 'date' }), '2028-02-29', '2028-02-29'],
    [text({ format: 'date-time' }), '2026-03-31T09:30:00.5+02:00', '2026-03-31T09:30:00.5+02:00'],
    [text({ format: 'unknown' }), 'x', 'x'],
    [text({ pattern: '^(a+)+$' }), `${'a'.repeat(60)}!`, `${'a'.repeat(60)}!`],
    [{ type: 'number' }, '-1.5e2', -150],
    [{ type: 'integer', minimum: 0 }, '0', 0],
    [{ type: 'boolean' }, 'Y', true],
    [{ type: 'boolean' }, 'false', false],
    [text({ enum: ['a', 'B'] }), 'b', 'B'],
    [text({ enum: ['a', 'b'] }), '2', 'b'],
    [text({ enum: ['a', 'A'] }), 'A', 'A'],
    [titled, 'red', 'r'],
    // What stands there goes before its number.
    [titled, '2', '2'],
    [of, 'green, 1,green', ['green', 'red']],
    [{ type: 'array', items: { anyOf: titled.oneOf } }, 'Two', ['2']],
    [{ type: 'array', items: { type: 'string' } }, 'x, y', ['x', 'y']],
  ])('%j takes %j', (schema, typed, value) => expect(only(schema).read(typed)).toEqual({ value }))

  it.each<[JsonObject, string, string]>([
    [text({ minLength: 3 }), '\u{1f600}\u{1f600}', 'It must be text, at least 3 characters.'],
    [text({ maxLength: 1 }), 'ab', 'It must be text, at most 1 character.'],
    [text({ format: 'email' }), 'ann', 'It must be an e-mail address.'],
    [text({ format: 'uri' }), 'example.com', 'It must be an address such as https://example.com.'],
    [text({ format: 'date' }), '2026-02-30', 'It must be a date such as 2026-03-31.'],
    [text({ format: 'date-time' }), '2026-02-01 10:00', 'It must be a date and a time such as 2026-03-31T09:30:00Z.'],
    [text({ format: 'date-time' }), '2026-02-01T24:00:00Z', 'It must be a date and a time such as 2026-03-31T09:30:00Z.'],
    [{ type: 'number', maximum: 5 }, '5.1', 'It must be a number, at most 5.'],
    [{ type: 'number' }, '0x10', 'It must be a number.'],
    [{ type: 'number' }, '1e999', 'It must be a number.'],
    [{ type: 'number' }, 'Infinity', 'It must be a number.'],
    [{ type: 'integer' }, '1.5', 'It must be a whole number.'],
    [{ type: 'integer' }, '90071992547409930', 'It must be a whole number.'],
    [{ type: 'boolean' }, 'maybe', 'It must be yes or no.'],
    [text({ enum: ['a', 'b'] }), '3', 'It must be one of them: a number from 1 to 2, or what stands there.'],
    [text({ enum: ['a', 'b'] }), '0', 'It must be one of them: a number from 1 to 2, or what stands there.'],
    [of, 'red, pink\u001b', '"pink\\u001b" is none of them.'],
    [{ ...of, minItems: 2 }, 'red, red', 'It must be at least 2 of them.'],
    [{ ...of, maxItems: 1 }, 'red, blue', 'It must be at most 1 of them.'],
  ])('%j does not take %j', (schema, typed, problem) => expect(only(schema).read(typed)).toEqual({ problem }))
})

describe('the default of a field', () => {
  it.each<[JsonObject, unknown]>([
    [text({ default: 'x' }), 'x'],
    [{ type: 'integer', default: 3 }, 3],
    [{ type: 'boolean', default: false }, false],
    [text({ enum: ['a'], default: 'a' }), 'a'],
    [{ ...of, default: ['red'] }, ['red']],
    // One that a person could not answer with is none.
    [text({ default: 3 }), undefined],
    [text({ default: 'x', minLength: 2 }), undefined],
    [{ type: 'integer', default: 1.5 }, undefined],
    [{ type: 'integer', default: null }, undefined],
    [text({ enum: ['a'], default: 'b' }), undefined],
    [{ ...of, default: ['pink'] }, undefined],
  ])('of %j is %j', (schema, value) => expect(only(schema).default).toEqual(value))
})

/** What looks like a field, with anything in its places. */
const fieldLike = fc.record(
  {
    type: fc.constantFrom('string', 'integer', 'number', 'boolean', 'array', 'object'),
    title: fc.jsonValue(),
    description: fc.string(),
    default: fc.jsonValue(),
    format: fc.constantFrom('email', 'uri', 'date', 'date-time', 'constructor'),
    minimum: fc.oneof(fc.integer(), fc.jsonValue()),
    maxLength: fc.oneof(fc.integer(), fc.jsonValue()),
    enum: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
    enumNames: fc.jsonValue(),
    oneOf: fc.oneof(fc.array(fc.record({ const: fc.string(), title: fc.string() })), fc.jsonValue()),
    items: fc.oneof(fc.record({ enum: fc.array(fc.string()) }), fc.jsonValue()),
    minItems: fc.jsonValue(),
  },
  { requiredKeys: [] },
)

it('whatever a server sends is a form, and what is read of it is a value or a problem', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.oneof(fieldLike, fc.jsonValue())), fc.string(), (properties, typed) => {
      for (const { name, title, hint, description, choices, read, default: given } of fieldsOf({ properties })) {
        expect(Object.hasOwn(properties, name)).toBe(true)
        expect([title, hint, description, ...choices.map((choice) => choice.title)].join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
        const result = read(typed)
        if ('problem' in result) expect(result.problem).not.toMatch(/[\p{Cc}\p{Cf}]/u)
        // What counts when nothing is typed can be typed as well.
        if (typeof given === 'string' && choices.length === 0) expect(read(given)).toEqual({ value: given })
      }
    }),
  )
  for (const odd of [{}, { properties: [] }, { properties: null }, { properties: { a: null, b: 3 }, required: 'a' }])
    expect(() => fieldsOf(odd)).not.toThrow()
})
