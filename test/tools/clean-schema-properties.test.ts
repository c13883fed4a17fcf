import { describe, expect, it } from 'vitest'
import { cleanSchema } from '../../src/tools/clean-schema.ts'
import { compileSchema } from '../../src/tools/schema.ts'
import { validateJsonSchema } from '../../src/tools/validate-json-schema.ts'
import type { JsonSchema } from '../../src/util/json-schema.ts'
import { isObject } from '../../src/util/json.ts'
import { fc } from '../support/fast-check.ts'

const name = fc.constantFrom('a', 'b', 'title', 'additionalProperties')
const leaf = fc.constantFrom<JsonSchema>(
  { type: 'string' },
  { type: 'number', minimum: 1, title: 'N' },
  { type: ['string', 'null'], title: 'S' },
  { type: 'null' },
  { enum: ['x', null] },
  { anyOf: [{ type: 'number' }, { type: 'null' }] },
  { $ref: '#/$defs/D' },
  {},
)

/** An object whose parts contain nothing: recursion without an end is another subject. */
const flat: fc.Arbitrary<JsonSchema> = fc.record(
  {
    type: fc.constant('object'),
    properties: fc.dictionary(
      name,
      leaf.filter((inner) => !('$ref' in inner)),
      { maxKeys: 3 },
    ),
    required: fc.uniqueArray(name, { maxLength: 2 }),
    additionalProperties: fc.constantFrom(false, true),
  },
  { requiredKeys: ['type', 'properties'] },
)

/** Objects of objects, closed or open, with requirements beside them and in branches. */
const { schema } = fc.letrec<{ schema: JsonSchema; object: JsonSchema }>((tie) => ({
  schema: fc.oneof({ depthSize: 'small' }, leaf, tie('object'), fc.record({ type: fc.constant('array'), items: tie('schema') })),
  object: fc.record(
    {
      type: fc.constant('object'),
      properties: fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
      required: fc.uniqueArray(name, { maxLength: 2 }),
      title: fc.constant('T'),
      additionalProperties: fc.constantFrom(false, true, { type: 'string', title: 'V' }),
      allOf: fc.array(flat, { minLength: 1, maxLength: 2 }),
      anyOf: fc.array(flat, { minLength: 1, maxLength: 2 }),
      not: flat,
    },
    { requiredKeys: ['type', 'properties'] },
  ),
}))
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('x', '', 1, 0, null, true),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
    fc.array(tie('value'), { maxLength: 2 }),
  ),
})).value
const root = fc.tuple(schema, flat).map(([inner, D]) => ({ type: 'object', properties: { a: inner, b: D }, $defs: { D } }))

const accepts = async (schema: JsonSchema, data: unknown): Promise<boolean> => !(await validateJsonSchema(schema, data)).issues
const holdsNull = (data: unknown): boolean => data === null || (typeof data === 'object' && Object.values(data).some(holdsNull))
/** Closed objects as open ones: that keys are refused is what the model is not told. */
const opened = (inner: unknown, isCondition = false): unknown => {
  if (Array.isArray(inner)) return inner.map((item) => opened(item, isCondition))
  if (!isObject(inner)) return inner
  const entries = Object.entries(inner).filter(([key, item]) => isCondition || key !== 'additionalProperties' || item !== false)
  return Object.fromEntries(entries.map(([key, item]) => [key, opened(item, isCondition || key === 'not')]))
}

describe('cleaning a schema', () => {
  it('takes no value away but null where it may be left out', async () => {
    await fc.assert(
      fc.asyncProperty(root, fc.dictionary(name, value, { maxKeys: 3 }), async (given, data) => {
        fc.pre(!holdsNull(data))
        if (await accepts(given, data)) expect(await accepts(cleanSchema(given), data)).toBe(true)
      }),
    )
  })

  it('adds no value but keys that are refused', async () => {
    await fc.assert(
      fc.asyncProperty(root, fc.dictionary(name, value, { maxKeys: 3 }), async (given, data) => {
        if (await accepts(cleanSchema(given), data)) expect(await accepts(opened(given) as JsonSchema, data)).toBe(true)
      }),
    )
  })

  it('shows a schema that takes what the given one takes, whatever its root is made of', async () => {
    await fc.assert(
      fc.asyncProperty(schema, flat, fc.dictionary(name, value, { maxKeys: 3 }), async (inner, D, data) => {
        fc.pre(inner['type'] === 'object' && !holdsNull(data))
        const given = { ...inner, $defs: { D } }
        if (await accepts(given, data)) expect(await accepts(compileSchema(given, 'it').jsonSchema, data)).toBe(true)
      }),
    )
  })
})
