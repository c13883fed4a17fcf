import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Agent } from '../../src/agent/agent.ts'
import { OutputError } from '../../src/errors.ts'
import { check } from '../../src/messages/check.ts'
import { outputSpec } from '../../src/output/output-spec.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import type { ScriptStep } from '../../src/testing/scripted-model.ts'
import type { Schema } from '../../src/tools/standard-schema.ts'
import type { JsonValue } from '../../src/util/json.ts'
import { look } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

type Tree = { readonly name: string; readonly children: readonly Tree[] }
const tree: z.ZodType<Tree> = z.object({
  name: z.string(),
  get children() {
    return z.array(tree)
  },
})
type Chain = { readonly n: number; readonly next: Chain | null }
const chain: z.ZodType<Chain> = z.lazy(() => z.object({ n: z.number(), next: chain.nullable() }))
type Nest = string | readonly Nest[]
const nest: z.ZodType<Nest> = z.lazy(() => z.union([z.string(), z.array(nest)]))
const point = z.object({ x: z.number(), y: z.number() })
const event = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('moved'), to: point }),
  z.object({ kind: z.literal('said'), text: z.string().nullable() }),
])
const named = { type: 'object', properties: { n: { type: 'number' }, kids: { type: 'array', items: { $ref: '#/$defs/Node' } } } }

type Shape = {
  readonly schema: Schema
  readonly right: JsonValue
  readonly wrong: JsonValue
  readonly isWrapped?: boolean
}
const shapes: Readonly<Record<string, Shape>> = {
  'nested objects': {
    schema: z.object({ from: point, via: z.object({ stops: z.array(z.object({ at: point, notes: z.array(z.string()) })) }) }),
    right: { from: { x: 1, y: 2 }, via: { stops: [{ at: { x: 3, y: 4 }, notes: ['a'] }] } },
    wrong: { from: { x: 1, y: 2 }, via: { stops: [{ at: { x: 3 }, notes: ['a'] }] } },
  },
  'lists of lists': { schema: z.object({ grid: z.array(z.array(z.number())) }), right: { grid: [[1], []] }, wrong: { grid: [1] } },
  'an object that contains itself': {
    schema: tree,
    right: { name: 'a', children: [{ name: 'b', children: [{ name: 'c', children: [] }] }] },
    wrong: { name: 'a', children: [{ name: 'b', children: [{ name: 7, children: [] }] }] },
  },
  'a chain that may end': {
    schema: chain,
    right: { n: 1, next: { n: 2, next: null } },
    wrong: { n: 1, next: { n: 2 } },
  },
  'a union that contains itself': { schema: nest, right: ['a', ['b', []]], wrong: ['a', [7]], isWrapped: true },
  'a JSON Schema that contains itself': {
    schema: { type: 'object', properties: { n: { type: 'number' }, next: { $ref: '#' } }, required: ['n'], additionalProperties: false },
    right: { n: 1, next: { n: 2 } },
    wrong: { n: 1, next: { next: { n: 3 } } },
  },
  'a JSON Schema of a union that contains itself': {
    schema: { anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#' } }] },
    right: ['a', ['b']],
    wrong: ['a', [7]],
    isWrapped: true,
  },
  'a JSON Schema that is a reference': {
    schema: { $ref: '#/$defs/Node', $defs: { Node: { ...named, required: ['n'], additionalProperties: false } } },
    right: { n: 1, kids: [{ n: 2, kids: [] }] },
    wrong: { n: 1, kids: [{ kids: [] }] },
    isWrapped: true,
  },
  'a JSON Schema of a list, with definitions': {
    schema: { type: 'array', items: { $ref: '#/$defs/Node' }, $defs: { Node: { ...named, required: ['n'] } } },
    right: [{ n: 1, kids: [{ n: 2 }] }],
    wrong: [{ n: 1, kids: [{}] }],
    isWrapped: true,
  },
  'a JSON Schema of a list, with a name': {
    schema: { $id: 'https://example.com/list', type: 'array', items: { anyOf: [{ type: 'number' }, { $ref: '#' }] } },
    right: [1, [2, [3]]],
    wrong: [1, ['2']],
    isWrapped: true,
  },
  'a JSON Schema of an old draft': {
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'array',
      items: [{ $ref: '#/definitions/Size' }, { type: 'string' }],
      additionalItems: false,
      definitions: { Size: { type: 'integer', exclusiveMinimum: 0 } },
    },
    right: [1, 'a'],
    wrong: [0, 'a'],
    isWrapped: true,
  },
  'a JSON Schema': {
    schema: { $ref: 'https://json-schema.org/draft/2020-12/schema' },
    right: { type: 'object', properties: { a: { type: 'string' } } },
    wrong: { type: 'object', properties: { a: { type: 'text' } } },
    isWrapped: true,
  },
  'fields that may be null': {
    schema: z.object({ a: z.string().nullable(), b: point.nullable(), c: z.number().nullish() }),
    right: { a: null, b: null },
    wrong: { a: null },
  },
  'an object or null': { schema: point.nullable(), right: null, wrong: { x: 1 }, isWrapped: true },
  'a union of objects': { schema: z.union([point, z.object({ name: z.string() })]), right: { name: 'a' }, wrong: {}, isWrapped: true },
  'a union by its kind': {
    schema: event,
    right: { kind: 'said', text: null },
    wrong: { kind: 'said', to: { x: 1, y: 2 } },
    isWrapped: true,
  },
  'a list of unions': {
    schema: z.object({ events: z.array(event) }),
    right: { events: [{ kind: 'moved', to: { x: 1, y: 2 } }] },
    wrong: { events: [{ kind: 'moved', text: 'x' }] },
  },
  'a list': { schema: z.array(point), right: [{ x: 1, y: 2 }], wrong: [{ x: 1 }], isWrapped: true },
  'a list of lists at the root': { schema: z.array(z.array(z.string())), right: [['a'], []], wrong: ['a'], isWrapped: true },
  'a tuple': { schema: z.tuple([z.string(), z.number()]), right: ['a', 1], wrong: [1, 'a'], isWrapped: true },
  'a text': { schema: z.string(), right: 'x', wrong: 7, isWrapped: true },
  'a number': { schema: z.number().int(), right: 7, wrong: 7.5, isWrapped: true },
  'yes or no': { schema: z.boolean(), right: false, wrong: 'no', isWrapped: true },
  nothing: { schema: z.null(), right: null, wrong: 0, isWrapped: true },
  'one of some words': { schema: z.enum(['a', 'b']), right: 'b', wrong: 'c', isWrapped: true },
  'an object of free keys': { schema: z.record(z.string(), z.number()), right: { a: 1 }, wrong: { a: 'x' } },
}

type Mode = 'tool' | 'native'
const looks: ScriptStep = { calls: [{ name: 'look', input: { at: 1 } }] }

async function ask(schema: Schema, mode: Mode, ...steps: readonly ScriptStep[]) {
  const model = scriptedModel(...steps)
  const agent = new Agent({ model, retry: false, tools: [look()] })
  const outcome = await agent.invoke('go', { output: { schema, mode } }).then(
    ({ output }) => ({ output: output as unknown }),
    (error: unknown) => ({ error }),
  )
  expect(check(agent.messages)).toEqual([])
  return { ...outcome, calls: model.requests.length }
}

describe.each(Object.entries(shapes))('%s', (_name, { schema, right, wrong, isWrapped = false }) => {
  const inside = (value: JsonValue): JsonValue => (isWrapped ? { value } : value)

  it('is shown as an object, and judged alike in either form', async () => {
    const spec = outputSpec(schema)
    expect([spec.isWrapped, spec.jsonSchema['type']]).toEqual([isWrapped, 'object'])
    expect((await spec.validate(right)).issues).toBeUndefined()
    expect((await spec.validate(inside(right))).issues).toBeUndefined()
    expect((await spec.validate(inside(wrong))).issues).not.toEqual([])
  })

  describe.each<readonly [Mode, (value: JsonValue) => ScriptStep]>([
    ['tool', (value) => ({ calls: [{ name: 'final_answer', input: value }] })],
    ['native', (value) => ({ text: JSON.stringify(value) })],
  ])('%s', (mode, give) => {
    const rightly = give(inside(right))
    const wrongly = give(inside(wrong))

    it('right, behind a tool: two calls of the model', async () => {
      expect(await ask(schema, mode, looks, rightly)).toEqual({ output: right, calls: 2 })
    })

    it('wrong, then a tool, then right: three', async () => {
      expect(await ask(schema, mode, wrongly, looks, rightly)).toEqual({ output: right, calls: 3 })
    })

    it('always wrong: three, with the last answer and what is wrong with it', async () => {
      const { error, calls } = (await ask(schema, mode, wrongly, wrongly, wrongly, rightly)) as { error: OutputError; calls: number }
      expect(error).toBeInstanceOf(OutputError)
      expect([error.code, error.lastAnswer, calls]).toEqual(['no_output', inside(wrong), 3])
      expect(error.issues.length).toBeGreaterThan(0)
    })

    it('prose, then right: two', async () => {
      expect(await ask(schema, mode, { text: 'It is as you say.' }, rightly)).toEqual({ output: right, calls: 2 })
    })

    it('in prose: one, as text; as text instead of the call: two', async () => {
      const told = { text: `Here it is:\n\n\`\`\`json\n${JSON.stringify(inside(right), null, 2)}\n\`\`\`\nIs that all?` }
      const steps = mode === 'native' ? [told] : [{ text: 'Well.' }, told]
      expect(await ask(schema, mode, ...steps)).toEqual({ output: right, calls: steps.length })
    })

    it('never: given up', async () => {
      const prose = { text: 'It is as you say.' }
      const { error, calls } = (await ask(schema, mode, prose, prose, prose, prose)) as { error: OutputError; calls: number }
      expect([error.code, calls]).toEqual(['no_output', mode === 'tool' ? 2 : 3])
    })
  })

  it('beside the call of a tool, in one message: one', async () => {
    const both = {
      calls: [
        { name: 'look', input: { at: 1 } },
        { name: 'final_answer', input: inside(right) },
      ],
    }
    expect(await ask(schema, 'tool', both)).toEqual({ output: right, calls: 1 })
  })
})
