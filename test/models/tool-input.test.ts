import { fc } from '../support/fast-check.ts'
import { describe, expect, it } from 'vitest'
import { parseToolInput } from '../../src/models/tool-input.ts'

describe('parseToolInput', () => {
  it.each<[string, unknown]>([
    ['', {}],
    ['  \n', {}],
    ['null', {}],
    [' null ', {}],
    ['{}', {}],
    [' {"a":[1,{"b":null}]}\n', { a: [1, { b: null }] }],
    ['{"a":1,"a":2}', { a: 2 }],
    ['{"é":"\\ud83d\\ude00"}', { é: '😀' }],
  ])('%j → %j', (text, input) => expect(parseToolInput(text)).toStrictEqual({ input }))

  it.each<[string, RegExp]>([
    ['{"x":', /JSON/],
    ['{"x": "cut', /JSON/],
    ['{"a":1}{"b":2}', /JSON.*position 7/],
    ['{"a":{"b":[1,}}', /JSON/],
    ["{'a':1}", /JSON/],
    ['{"a":NaN}', /JSON/],
    ['undefined', /JSON/],
    ['[1]', /^expected a JSON object, got an array$/],
    ['"s"', /^expected a JSON object, got a string$/],
    ['"{\\"a\\":1}"', /^expected a JSON object, got a string$/],
    ['7', /^expected a JSON object, got a number$/],
    ['true', /^expected a JSON object, got a boolean$/],
  ])('%j is kept, with what is wrong with it', (text, error) => {
    expect(parseToolInput(text)).toEqual({ input: {}, invalidInput: { text, error: expect.stringMatching(error) as string } })
  })

  it('keeps the beginning of a long one, whole characters only', () => {
    const { invalidInput } = parseToolInput(`{"a":"${'😀'.repeat(500)}`)
    expect(invalidInput!.text).toBe(`{"a":"${'😀'.repeat(197)}`)
  })

  it('keeps a key named __proto__ a key', () => {
    const { input } = parseToolInput('{"__proto__":{"admin":true}}')
    expect(Object.keys(input)).toEqual(['__proto__'])
    expect(input['admin']).toBeUndefined()
  })

  it('refuses what is nested so deep that it could not be sent back', () => {
    const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
    expect(parseToolInput(deep(900)).invalidInput).toBeUndefined()
    expect(parseToolInput(deep(100_000))).toEqual({
      input: {},
      invalidInput: { text: '{"a":'.repeat(80), error: 'the value is nested deeper than 1000 levels.' },
    })
  })

  it('gives what JSON gives for every object, frozen all the way down', () => {
    const frozen = (value: unknown): boolean =>
      typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(frozen))
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const { input, invalidInput } = parseToolInput(JSON.stringify(value))
        expect(JSON.stringify(input)).toBe(JSON.stringify(value))
        expect([invalidInput, frozen(input)]).toEqual([undefined, true])
      }),
    )
  })

  it('never throws, whatever the text', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseToolInput(text)))
  })
})
