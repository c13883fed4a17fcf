import { type } from 'arktype'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { jsonSchema } from '../../src/tools/schema.ts'
import { tool } from '../../src/tools/tool.ts'
import type { Tool, ToolContext } from '../../src/tools/tool.ts'
import type { InferInput } from '../../src/tools/standard-schema.ts'
import type { JsonObject, JsonValue } from '../../src/util/json.ts'

// Most of this is checked by the compiler; what runs makes sure that the values are what the types say.
describe('without a single annotation', () => {
  const inputSchema = z.object({ city: z.string(), days: z.number().default(3), when: z.string().transform((text) => text.length) })

  it('execute and the flags get what the schema gives out', () => {
    const forecast = tool({
      name: 'forecast',
      description: 'd',
      inputSchema,
      isReadOnly: (input) => {
        expectTypeOf(input).toEqualTypeOf<{ city: string; days: number; when: number }>()
        return input.days > 1
      },
      isConcurrencySafe: ({ city }) => city,
      execute: (input, context) => {
        expectTypeOf(input).toEqualTypeOf<{ city: string; days: number; when: number }>()
        expectTypeOf(context).toEqualTypeOf<ToolContext>()
        return input.city.length + input.days + input.when
      },
    })
    expectTypeOf(forecast.name).toEqualTypeOf<'forecast'>()
    expectTypeOf(forecast).parameter(0).toEqualTypeOf<{ city: string; days: number; when: number }>()
    expectTypeOf<NonNullable<(typeof forecast)['~input']>>().toEqualTypeOf<{ city: string; days?: number | undefined; when: string }>()
    expectTypeOf<InferInput<typeof inputSchema>>().toEqualTypeOf<{ city: string; days?: number | undefined; when: string }>()
    expectTypeOf(forecast).toExtend<Tool>()
    const sum = forecast({ city: 'Rome', days: 1, when: 2 })
    expectTypeOf(sum).toEqualTypeOf<number>()
    expect(sum).toBe(7)
  })

  it('a direct call gives back what execute does: a value, a promise, a generator', async () => {
    const base = { description: 'd', inputSchema: z.object({}) }
    const later = tool({ ...base, name: 'later', execute: async () => 1 })
    const slowly = tool({
      ...base,
      name: 'slowly',
      execute: async function* () {
        yield 'half'
        return 'whole'
      },
    })
    expectTypeOf(later({})).toEqualTypeOf<Promise<number>>()
    expectTypeOf(slowly({})).toEqualTypeOf<AsyncGenerator<string, string, unknown>>()
    expect(await later({})).toBe(1)
    expect(await slowly({}).next()).toEqual({ value: 'half', done: false })
  })

  it('arktype schemas are inferred alike', () => {
    const add = tool({
      name: 'add',
      description: 'd',
      inputSchema: type({ a: 'number', 'b?': 'string' }),
      execute: ({ a, b }) => `${a.toFixed(1)}${b ?? ''}`,
    })
    expectTypeOf(add).parameter(0).toEqualTypeOf<{ a: number; b?: string }>()
    expect(add({ a: 1, b: '!' })).toBe('1.0!')
  })

  it('a plain JSON Schema gives JSON, and with a type of your own that type', () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } } }
    const plain = tool({ name: 'plain', description: 'd', inputSchema: schema, execute: ({ city }) => city })
    expectTypeOf(plain).parameter(0).toEqualTypeOf<JsonObject>()
    expectTypeOf(plain({})).toEqualTypeOf<JsonValue | undefined>()
    const vouched = tool({
      name: 'vouched',
      description: 'd',
      inputSchema: jsonSchema<{ city: string }>(schema),
      execute: ({ city }) => city.toUpperCase(),
    })
    expectTypeOf(vouched).parameter(0).toEqualTypeOf<{ city: string }>()
    expect([plain({ city: 'x' }), vouched({ city: 'x' })]).toEqual(['x', 'X'])
  })

  it('what is wrong does not compile', () => {
    const add = tool({ name: 'add', description: 'd', inputSchema: z.object({ a: z.number() }), execute: ({ a }) => a })
    // @ts-expect-error a string is no number
    add({ a: '1' })
    // @ts-expect-error a is missing
    add({})
    // @ts-expect-error there is no field b
    tool({ name: 'x', description: 'd', inputSchema: z.object({ a: z.number() }), execute: ({ b }) => b })
    // @ts-expect-error a flag is a boolean
    expect(() => tool({ name: 'x', description: 'd', inputSchema: z.object({}), isReadOnly: 'yes', execute: () => 1 })).toThrow()
    // @ts-expect-error no such option
    expect(() => tool({ name: 'x', description: 'd', inputSchema: z.object({}), isReadonly: true, execute: () => 1 })).toThrow(
      'Did you mean "isReadOnly"?',
    )
  })
})
