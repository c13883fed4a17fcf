import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../../src/util/json-schema.ts'
import { noCorpora, readCorpus } from '../../support/corpora.ts'
import type { SchemaCase, SchemaEntry } from '../../support/corpora.ts'
import { bodyOf } from './support/ask.ts'

async function parametersOf(inputSchema: JsonSchema): Promise<unknown> {
  const { tools } = await bodyOf({ tools: [{ name: 'look', description: '', inputSchema }] })
  const [
    {
      functionDeclarations: [declared],
    },
  ] = tools as unknown as readonly [{ readonly functionDeclarations: readonly [{ readonly parametersJsonSchema?: unknown }] }]
  return declared.parametersJsonSchema
}
const object = (properties: object, more: object = {}): JsonSchema => ({ type: 'object', properties, ...more })

describe('the parameters of a tool', () => {
  it.each([
    ['nothing', object({}), undefined],
    ['no type at all', {}, undefined],
    [
      'any property',
      { type: 'object', additionalProperties: { type: 'string' } },
      { type: 'object', additionalProperties: { type: 'string' } },
    ],
    [
      'what JSON Schema can say',
      object(
        { n: { type: ['integer', 'null'], exclusiveMinimum: 0 }, t: { prefixItems: [{ type: 'string' }] } },
        { $schema: 'https://json-schema.org/draft/2020-12/schema' },
      ),
      object({ n: { type: ['integer', 'null'], exclusiveMinimum: 0 }, t: { prefixItems: [{ type: 'string' }] } }),
    ],
    [
      'constants',
      object({ a: { const: 'x' }, b: { const: 1 }, c: { const: null }, d: { const: true } }),
      object({ a: { enum: ['x'] }, b: { enum: [1] }, c: { type: 'null' }, d: { const: true } }),
    ],
    [
      'properties named like keywords',
      object({ $ref: { type: 'string' }, const: { type: 'number' }, $defs: { type: 'object', properties: { const: { const: 2 } } } }),
      object({ $ref: { type: 'string' }, const: { type: 'number' }, $defs: { type: 'object', properties: { const: { enum: [2] } } } }),
    ],
  ])('may be %s', async (_name, schema, wire) => expect(await parametersOf(schema)).toEqual(wire))

  it('have definitions where they are used', async () => {
    const kind = { enum: ['aws', 'flow'], type: 'string' }
    const schema = object(
      {
        kind: { $ref: '#/$defs/Kind', default: 'aws' },
        list: { type: 'array', items: { $ref: '#/definitions/Pair' } },
        again: { $ref: '#/properties/kind' },
        same: { anyOf: [{ $ref: '#/%24defs/Kind' }, { type: 'null' }] },
      },
      { $defs: { Kind: kind }, definitions: { Pair: object({ left: { $ref: '#/$defs/Kind' } }) } },
    )
    expect(await parametersOf(schema)).toEqual(
      object({
        kind: { ...kind, default: 'aws' },
        list: { type: 'array', items: object({ left: kind }) },
        again: { ...kind, default: 'aws' },
        same: { anyOf: [kind, { type: 'null' }] },
      }),
    )
  })

  it('keep a reference where a definition contains itself', async () => {
    const schema = object(
      { root: { $ref: '#/$defs/Node', description: 'The top.', minProperties: 1 } },
      { $defs: { Node: object({ name: { $ref: '#/$defs/Name' }, next: { $ref: '#/$defs/Node' } }), Name: { type: 'string' } } },
    )
    expect(await parametersOf(schema)).toEqual({
      ...object({ root: { $ref: '#/$defs/Node', description: 'The top.' } }),
      $defs: { Node: object({ name: { type: 'string' }, next: { $ref: '#/$defs/Node' } }) },
    })
  })

  it('keep one to the whole, too', async () => {
    const node = object({ value: { type: 'number' }, next: { $ref: '#/$defs/root' } })
    expect(await parametersOf(object({ value: { type: 'number' }, next: { $ref: '#' } }))).toEqual({
      ...object({ value: { type: 'number' }, next: { $ref: '#/$defs/root' } }),
      $defs: { root: node },
    })
  })

  it('are an object even where the whole is a reference', async () => {
    const node = object({ next: { $ref: '#/$defs/Node' } })
    expect(await parametersOf({ $ref: '#/$defs/Node', $defs: { Node: node } })).toEqual({ ...node, $defs: { Node: node } })
  })

  it('are what is known where a reference leads nowhere', async () => {
    expect(await parametersOf(object({ a: { $ref: '#/$defs/none', type: 'string' }, b: { $ref: 'https://e.example/s.json' } }))).toEqual(
      object({ a: { type: 'string' }, b: {} }),
    )
  })

  it('do not grow without end', async () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [
        `D${n}`,
        n === 29 ? { type: 'string' } : { anyOf: [{ $ref: `#/$defs/D${n + 1}` }, { type: 'array', items: { $ref: `#/$defs/D${n + 1}` } }] },
      ]),
    )
    expect(JSON.stringify(await parametersOf(object({ a: { $ref: '#/$defs/D0' } }, { $defs }))).length).toBeLessThan(50_000)
  })
})

describe.skipIf(noCorpora !== undefined)('schemas of real tools (skipped when ../shared/corpora is missing)', () => {
  const entries = noCorpora === undefined ? readCorpus<readonly SchemaEntry[]>('schemas', 'index.json') : []

  it.each(entries.map(({ id, file }) => [id, file] as const))('%s', async (_id, file) => {
    const { schema } = readCorpus<SchemaCase>('schemas', file)
    const wire = await parametersOf(schema)
    expect(danglingIn(wire, wire)).toEqual([])
  })
})

/** The references of a schema that name nothing in it, or have more beside them than the API takes. */
function danglingIn(value: unknown, root: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const { $ref, ...beside } = value as { readonly $ref?: unknown }
  const own =
    typeof $ref === 'string' &&
    ($ref.split('/').length !== 3 ||
      !Object.hasOwn((root as { readonly $defs: object }).$defs, $ref.split('/')[2]!) ||
      Object.keys(beside).some((key) => key !== 'description' && key !== 'default'))
      ? [$ref]
      : []
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, inner]) =>
      key === 'enum' || key === 'default' || key === 'examples' ? [] : danglingIn(inner, root),
    ),
  ]
}
