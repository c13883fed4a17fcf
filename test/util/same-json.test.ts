import { expect, it } from 'vitest'
import { sameJson } from '../../src/util/same-json.ts'
import { fc } from '../support/fast-check.ts'

it.each<[unknown, unknown, boolean]>([
  [{ a: 1, b: [2, { c: 3, d: 4 }] }, { b: [2, { d: 4, c: 3 }], a: 1 }, true],
  [{ a: undefined, b: 1 }, { b: 1 }, true],
  [undefined, undefined, true],
  [undefined, null, false],
  [undefined, {}, false],
  [[1, 2], [2, 1], false],
  [[1], [1, 1], false],
  [[], {}, false],
  [{}, [], false],
  [{ a: 1 }, { a: '1' }, false],
  [{ a: 1 }, { b: 1 }, false],
  [{ a: null }, {}, false],
  [{ toString: 1 }, {}, false],
  [{}, { toString: 1 }, false],
])('%j and %j: %s', (a, b, same) => {
  expect([sameJson(a, b), sameJson(b, a)]).toEqual([same, same])
})

it('any value is the same as what JSON makes of it, whatever the order of its keys', () => {
  const turned = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(turned)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([key, inner]) => [key, turned(inner)]),
    )
  }
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const copy = JSON.parse(JSON.stringify(a)) as unknown
      expect(sameJson(copy, turned(copy))).toBe(true)
      const other = JSON.parse(JSON.stringify(b)) as unknown
      expect(sameJson(copy, other)).toBe(JSON.stringify(sortedKeys(copy)) === JSON.stringify(sortedKeys(other)))
    }),
  )
})

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sortedKeys(inner)])
}
