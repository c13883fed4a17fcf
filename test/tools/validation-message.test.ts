import { type } from 'arktype'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { StandardIssue, StandardSchema } from '../../src/tools/standard-schema.ts'
import { validationMessage } from '../../src/tools/validation-message.ts'

const lines = (input: unknown, issues: readonly StandardIssue[]) => validationMessage('add', input, issues).split('\n').slice(1)
const issuesFrom = (schema: unknown, input: unknown) =>
  ((schema as StandardSchema)['~standard'].validate(input) as { issues: readonly StandardIssue[] }).issues

describe('validationMessage', () => {
  it('names the tool, says that nothing ran, and then each fault: path, expected, got', () => {
    const input = { a: 'x', list: [{ n: 1 }] }
    const issues = [
      { path: ['a'], message: 'expected number' },
      { path: ['list', 0, 'n'], message: 'expected string' },
      { path: ['b'], message: 'required, but missing' },
      { message: 'too many keys' },
    ]
    expect(validationMessage('add', input, issues)).toBe(
      [
        'The input of add is not valid. Nothing was run.',
        '- a: expected number; got "x"',
        '- list[0].n: expected string; got 1',
        '- b: required, but missing; got nothing',
        '- input: too many keys; got {"a":"x","list":[{"n":1}]}',
      ].join('\n'),
    )
  })

  it.each<[string, unknown, unknown, readonly string[]]>([
    [
      'zod, which says itself what it got',
      z.object({ a: z.number(), list: z.array(z.object({ n: z.string() })) }),
      { a: 'x', list: [{ n: 1 }] },
      ['- a: Invalid input: expected number, received string', '- list[0].n: Invalid input: expected string, received number'],
    ],
    ['zod, of a bound', z.object({ a: z.number().max(5) }), { a: 9 }, ['- a: Too big: expected number to be <=5; got 9']],
    [
      'zod, of a union: with what each branch expects',
      z.object({ a: z.union([z.string(), z.object({ k: z.number() })]) }),
      { a: { k: 'x' } },
      ['- a: Invalid input (Invalid input: expected string, received object; or k: Invalid input: expected number, received string)'],
    ],
    [
      'zod, of a union that names its branches',
      z.object({ a: z.discriminatedUnion('kind', [z.object({ kind: z.literal('x') }), z.object({ kind: z.literal('y') })]) }),
      { a: { kind: 'z' } },
      [`- a.kind: Invalid discriminator value. Expected 'x' | 'y'; got "z"`],
    ],
    ['arktype', type({ a: 'number' }), { a: 'x' }, ['- a: a must be a number (was a string)']],
  ])('speaks for %s', (_what, schema, input, said) => expect(lines(input, issuesFrom(schema, input))).toEqual(said))

  it('takes path segments that are objects, and numbers as text', () => {
    expect(lines({ a: [1] }, [{ path: [{ key: 'a' }, { key: '0' }], message: 'expected string' }])).toEqual([
      '- a[0]: expected string; got 1',
    ])
    expect(lines([5], [{ path: [0], message: 'expected string' }])).toEqual(['- [0]: expected string; got 5'])
  })

  it('shows what came unless the message does, whatever the names and values in it', () => {
    expect(lines({ a: 1 }, [{ path: ['a'], message: 'expected one of "gotham", "was", "actual"' }])).toEqual([
      '- a: expected one of "gotham", "was", "actual"; got 1',
    ])
    expect(lines({ a: 1 }, [{ path: ['a'], message: 'must be a string (was 1)' }])).toEqual(['- a: must be a string (was 1)'])
  })

  it('looks only at keys of the input itself', () => {
    expect(lines({}, [{ path: ['toString', 'name'], message: 'required, but missing' }])).toEqual([
      '- toString.name: required, but missing; got nothing',
    ])
    expect(lines({ a: 'text' }, [{ path: ['a', 'length'], message: 'expected string' }])).toEqual([
      '- a.length: expected string; got nothing',
    ])
  })

  it('cuts long values, between characters, and a long list of faults', () => {
    expect(lines({ a: '😀'.repeat(100) }, [{ path: ['a'], message: 'expected number' }])).toEqual([
      `- a: expected number; got "${'😀'.repeat(49)}`,
    ])
    const many = Array.from({ length: 25 }, (_, i) => ({ path: [`k${i}`], message: 'no' }))
    expect(lines({}, many).slice(19)).toEqual(['- k19: no; got nothing', '- and 5 more'])
  })
})
