import { describe, expect, it } from 'vitest'
import { unknownKeys } from '../../src/tools/unknown-keys.ts'

describe('unknownKeys', () => {
  const point = { type: 'object', properties: { x: {}, y: {} } }
  it.each<[string, unknown, unknown, readonly unknown[]]>([
    ['none', point, { x: 1 }, []],
    ['one, with the names that there are', point, { x: 1, z: 2 }, [{ path: ['z'], message: 'unknown key, expected one of "x", "y"' }]],
    [
      'one where there are none at all',
      { type: 'object', properties: {} },
      { a: 1 },
      [{ path: ['a'], message: 'unknown key, expected one of no keys at all' }],
    ],
    [
      'one by a name that every object has',
      point,
      { toString: 1 },
      [{ path: ['toString'], message: 'unknown key, expected one of "x", "y"' }],
    ],
    [
      'deeper ones',
      { properties: { p: point } },
      { p: { z: 1 } },
      [{ path: ['p', 'z'], message: 'unknown key, expected one of "x", "y"' }],
    ],
    [
      'ones in lists',
      { properties: { l: { items: point } } },
      { l: [{ x: 1 }, { z: 1 }] },
      [{ path: ['l', 1, 'z'], message: 'unknown key, expected one of "x", "y"' }],
    ],
    [
      'one behind a reference, also where that is recursive',
      { properties: { p: { $ref: '#/$defs/p' } }, $defs: { p: { properties: { x: {}, next: { $ref: '#/$defs/p' } } } } },
      { p: { x: 1, next: { z: 1, next: { x: 1 } } } },
      [{ path: ['p', 'next', 'z'], message: 'unknown key, expected one of "x", "next"' }],
    ],
    [
      'one that no alternative names',
      { properties: { p: { anyOf: [point, { type: 'object', properties: { w: {} } }] } } },
      { p: { x: 1, w: 1, z: 1 } },
      [{ path: ['p', 'z'], message: 'unknown key, expected one of "x", "y", "w"' }],
    ],
    [
      'ones in the values of a map, and in places of a list',
      { properties: { m: { additionalProperties: point }, l: { prefixItems: [{}, point], items: { properties: {} } } } },
      { m: { a: { x: 1, z: 1 } }, l: [{ z: 1 }, { z: 1 }, { z: 1 }] },
      [
        { path: ['m', 'a', 'z'], message: 'unknown key, expected one of "x", "y"' },
        { path: ['l', 1, 'z'], message: 'unknown key, expected one of "x", "y"' },
        { path: ['l', 2, 'z'], message: 'unknown key, expected one of no keys at all' },
      ],
    ],
    [
      'one that fits no pattern',
      { properties: { p: { patternProperties: { '^n': point } } } },
      { p: { n1: { z: 1 }, m: 1 } },
      [
        { path: ['p', 'n1', 'z'], message: 'unknown key, expected one of "x", "y"' },
        { path: ['p', 'm'], message: 'unknown key, expected one of no keys at all' },
      ],
    ],
    ['none that a part names', { properties: { p: { ...point, allOf: [{ properties: { z: {} } }] } } }, { p: { x: 1, z: 1 } }, []],
    ['none that a condition names', { ...point, if: { properties: { k: {} } }, then: { properties: { z: {} } } }, { k: 1, z: 1 }, []],
    ['none that comes with another', { ...point, dependentSchemas: { x: { properties: { z: {} } } } }, { x: 1, z: 1 }, []],
    ['none where an alternative takes any object', { properties: { p: { anyOf: [point, { type: 'object' }] } } }, { p: { z: 1 } }, []],
    ['none behind a reference that leads nowhere', { properties: { p: { ...point, $ref: '#/$defs/none' } } }, { p: { z: 1 } }, []],
    ['none where more is allowed', { ...point, additionalProperties: { type: 'string' } }, { z: 'a' }, []],
    ['none where names are patterns', { ...point, patternProperties: { '^z': {} } }, { z: 'a' }, []],
    ['none where nothing is listed', { type: 'object' }, { z: 'a' }, []],
    ['none of what is no object', point, 'text', []],
  ])('finds %s', (_what, schema, value, issues) => expect(unknownKeys(schema, value)).toEqual(issues))
})
