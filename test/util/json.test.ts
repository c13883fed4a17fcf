import { fc } from '../support/fast-check.ts'
import { describe, expect, it } from 'vitest'
import { freezeOwn, frozenCopy, isObject, isOwnFrozen } from '../../src/util/json.ts'

const allFrozen = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(allFrozen))

describe('frozenCopy', () => {
  it('copies any JSON value as it is, frozen all the way down', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = frozenCopy(value)
        expect(JSON.stringify(copy)).toBe(JSON.stringify(value))
        expect(allFrozen(copy)).toBe(true)
      }),
    )
  })

  it('leaves the given value alone, and is not changed by it', () => {
    const given = { list: [{ a: 1 }], text: 'x' }
    const copy = frozenCopy(given)
    given.list[0]!.a = 2
    given.list.push({ a: 3 })
    expect(copy).toEqual({ list: [{ a: 1 }], text: 'x' })
    expect(Object.isFrozen(given)).toBe(false)
  })

  it('shares what is frozen data of ours already', () => {
    const inner = frozenCopy({ a: [1] })
    expect(frozenCopy(inner)).toBe(inner)
    expect(frozenCopy({ inner }).inner).toBe(inner)
  })

  it('does not trust a freeze that somebody else made', () => {
    const shallow = Object.freeze({ list: [1] })
    const copy = frozenCopy(shallow)
    expect(copy).not.toBe(shallow)
    shallow.list.push(2)
    expect(copy).toEqual({ list: [1] })
  })

  it('takes one object in two places, which is no cycle', () => {
    const twice = { x: 1 }
    expect(frozenCopy({ a: twice, b: [twice] })).toEqual({ a: { x: 1 }, b: [{ x: 1 }] })
  })

  it('reads a getter once and keeps what it gave', () => {
    let reads = 0
    const copy = frozenCopy({
      get n() {
        return ++reads
      },
    })
    expect([copy.n, copy.n, reads]).toEqual([1, 1, 1])
  })

  it('drops nothing and adds nothing: undefined stays a property, in a list it is null', () => {
    const copy = frozenCopy({ a: undefined, list: [undefined, 1] })
    expect('a' in copy).toBe(true)
    expect(copy).toStrictEqual({ a: undefined, list: [null, 1] })
  })

  it('fills the holes of a sparse list', () => {
    const sparse: number[] = []
    sparse[2] = 1
    expect(frozenCopy(sparse)).toStrictEqual([null, null, 1])
  })

  it('takes objects without a prototype', () => {
    const bare: Record<string, unknown> = Object.assign(Object.create(null), { a: 1 })
    expect(frozenCopy(bare)).toEqual({ a: 1 })
  })

  it('keeps a key named __proto__ a key', () => {
    const copy = frozenCopy(JSON.parse('{"__proto__":{"admin":true},"a":1}')) as Record<string, unknown>
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    expect(copy['admin']).toBeUndefined()
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"admin":true},"a":1}')
  })

  const cyclic: Record<string, unknown> = { a: {} }
  cyclic['a'] = { back: cyclic }
  it.each<[string, unknown, string]>([
    ['NaN', { a: [Number.NaN] }, 'x.a[0] is NaN, which JSON cannot carry.'],
    ['Infinity', Infinity, 'x is Infinity, which JSON cannot carry.'],
    ['a function', { a: () => {} }, 'x.a is a function, which JSON cannot carry.'],
    ['a symbol', [Symbol('s')], 'x[0] is a symbol, which JSON cannot carry.'],
    ['a bigint', { a: 1n }, 'x.a is a bigint, which JSON cannot carry.'],
    ['a date', { a: new Date(0) }, 'x.a is a Date, expected plain data.'],
    ['a map', new Map(), 'x is a Map, expected plain data.'],
    ['bytes', { a: new Uint8Array(1) }, 'x.a is a Uint8Array, expected plain data.'],
    ['a cycle', cyclic, 'x.a.back refers back to an object that contains it.'],
  ])('refuses %s and names its path', (_what, value, message) => {
    expect(() => frozenCopy(value, 'x')).toThrow(new TypeError(message))
  })

  it('refuses what is nested so deep that it could not be sent', () => {
    const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
    expect(JSON.stringify(frozenCopy(deep(1000))).length).toBe(2000)
    expect(() => frozenCopy(deep(1001))).toThrow(TypeError)
    expect(() => frozenCopy(deep(100_000))).toThrow(TypeError)
  })
})

describe('freezeOwn', () => {
  it('freezes in place, all the way down, and makes it ours', () => {
    const value = { a: [{ b: 1 }] }
    expect(freezeOwn(value)).toBe(value)
    expect(allFrozen(value)).toBe(true)
    expect(frozenCopy(value)).toBe(value)
  })

  it.each<['nothing' | 'whole', readonly boolean[]]>([
    ['nothing', [false, false, false]],
    ['whole', [true, false, false]],
  ])('remembers %s, so that it is shared and not copied', (remembered, known) => {
    const value = { a: [{ b: 1 }] }
    freezeOwn(value, remembered)
    expect(allFrozen(value)).toBe(true)
    const all = [value, value.a, value.a[0]!]
    expect(all.map(isOwnFrozen)).toEqual(known)
    expect(all.map((part) => frozenCopy(part) === part)).toEqual(known)
    expect(all.map((part) => frozenCopy(part))).toEqual(all)
  })

  it('passes plain values through', () => {
    expect([freezeOwn('x'), freezeOwn(null), freezeOwn(undefined), freezeOwn(1)]).toEqual(['x', null, undefined, 1])
  })

  it('refuses what is nested too deep, however deep', () => {
    const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
    expect(Object.isFrozen(freezeOwn(deep(1000)))).toBe(true)
    expect(() => freezeOwn(deep(1001))).toThrow(TypeError)
    expect(() => freezeOwn(deep(100_000))).toThrow(TypeError)
  })
})

describe('isObject', () => {
  it.each<[unknown, boolean]>([
    [{}, true],
    [Object.create(null), true],
    [[], false],
    [null, false],
    ['x', false],
    [() => {}, false],
  ])('%s → %s', (value, object) => expect(isObject(value)).toBe(object))
})
