import { fc } from '../support/fast-check.ts'
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { readable } from '../../src/tools/readable.ts'
import { programOf } from '../support/program.ts'

describe('readable', () => {
  it('gives JSON as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => void expect(JSON.stringify(readable(value))).toBe(JSON.stringify(value))),
    )
  })

  it('gives JSON, whatever it is given, or says why it cannot', () => {
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
      withObjectString: true,
      withTypedArray: true,
      withSparseArray: true,
    })
    fc.assert(
      fc.property(anything, (value) => {
        const shown = readable(value)
        expect(JSON.parse(JSON.stringify(shown))).toEqual(shown)
      }),
    )
  })

  it('shows one object in two places twice: that is no cycle', () => {
    const twice = { a: 1 }
    expect(readable([twice, { twice }])).toEqual([{ a: 1 }, { twice: { a: 1 } }])
  })

  it('marks what is nested too deep, and a toJSON that never ends', () => {
    let deep: unknown = 'ground'
    for (let i = 0; i < 70; i++) deep = [deep]
    expect(JSON.stringify(readable(deep))).toBe(`${'['.repeat(64)}"[nested too deep]"${']'.repeat(64)}`)
    const endless = (): object => ({ toJSON: endless })
    expect(readable(endless())).toBe('[nested too deep]')
    const itself = { toJSON: () => itself }
    expect(readable(itself)).toBe('[circular]')
  })

  it.each<[string, unknown, unknown]>([
    ['infinities', [Infinity, -Infinity], ['Infinity', '-Infinity']],
    ['boxed values', [new Number(1), new Number(Number.NaN), new Boolean(false)], [1, 'NaN', false]],
    ['parameters of a URL', new URLSearchParams({ a: '1', b: 'x y' }), 'a=1&b=x+y'],
    ['functions without a name, and classes', [(() => () => {})(), Date], ['[function anonymous]', '[function Date]']],
    ['a buffer of bytes', new ArrayBuffer(3), '[ArrayBuffer of 3 bytes]'],
    ['a key named __proto__', JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
  ])('%s', (_what, value, shown) => expect(readable(value)).toEqual(shown))

  it('does not load what it only asks about: naming a class like Response would cost more than the whole agent', async () => {
    const program = await programOf(`
      import { readable } from './src/tools/readable.ts'
      const before = process.moduleLoadList.length
      readable({ a: [1] })
      console.log(process.moduleLoadList.slice(before).filter((name) => name.includes('undici')).length)
    `)
    expect(execFileSync(process.execPath, [program], { encoding: 'utf8' }).trim()).toBe('0')
  }, 30_000)
})
