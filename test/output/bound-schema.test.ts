import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isBindable } from '../../src/output/bound-schema.ts'
import { outputSpec } from '../../src/output/output-spec.ts'
import type { Schema } from '../../src/tools/standard-schema.ts'

const providers = ['anthropic', 'bedrock', 'google', 'openai']
const bindingOf = (schema: Schema): readonly string[] => providers.filter((provider) => isBindable(outputSpec(schema).jsonSchema, provider))

const object = (properties: object, rest: object = {}): Schema => ({ type: 'object', properties, ...rest }) as Schema
const text = { type: 'string' }

describe('who can be bound to a schema', () => {
  it.each<readonly [string, Schema, readonly string[]]>([
    ['a plain one', z.object({ a: z.string(), b: z.array(z.object({ c: z.number().nullable() })) }), providers],
    ['a closed one', z.strictObject({ a: z.string() }), providers],
    ['definitions that are used twice', object({ a: { $ref: '#/$defs/P' }, b: { $ref: '#/$defs/P' } }, { $defs: { P: text } }), providers],
    ['free keys', z.object({ a: z.record(z.string(), z.string()) }), ['google', 'openai']],
    ['keys beside those that are listed', z.looseObject({ a: z.string() }), ['google', 'openai']],
    ['keys of a pattern', object({ a: { type: 'object', patternProperties: { '^x': text } } }), ['google', 'openai']],
    ['an object of which nothing is said', object({ a: { type: 'object' } }), ['google', 'openai']],
    ['such an object, or null', object({ a: { type: ['object', 'null'] } }), ['google', 'openai']],
    ['two objects at once', object({ a: { allOf: [object({ b: text }), object({ c: text })] } }), ['google', 'openai']],
    ['one that contains itself', object({ next: { $ref: '#' } }), ['openai']],
    [
      'two that contain each other',
      object(
        { a: { $ref: '#/$defs/A' } },
        { $defs: { A: object({ b: { $ref: '#/$defs/B' } }), B: object({ list: { type: 'array', items: { $ref: '#/$defs/A' } } }) } },
      ),
      ['openai'],
    ],
    ['a union that contains itself', { anyOf: [text, { type: 'array', items: { $ref: '#' } }] }, ['openai']],
  ])('%s', (_what, schema, expected) => expect(bindingOf(schema)).toEqual(expected))
})
