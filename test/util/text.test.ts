import { fc } from '../support/fast-check.ts'
import { describe, expect, it } from 'vitest'
import { closeNames, didYouMean, headOf, isBlank, tailOf } from '../../src/util/text.ts'

const smile = '😀'

describe('headOf and tailOf', () => {
  it.each([
    ['abc', 5, 'abc', 'abc'],
    ['abc', 3, 'abc', 'abc'],
    ['abc', 2, 'ab', 'bc'],
    ['abc', 0, '', ''],
    [`a${smile}b`, 2, 'a', 'b'],
    [`a${smile}b`, 3, `a${smile}`, `${smile}b`],
    [smile, 1, '', ''],
    ['\u{10000}', 1, '', ''],
    ['\u{10ffff}', 1, '', ''],
    ['\ue000\ud7ff', 1, '\ue000', '\ud7ff'],
    ['', 3, '', ''],
  ])('%j to %i', (text, max, head, tail) => {
    expect([headOf(text, max), tailOf(text, max)]).toEqual([head, tail])
  })

  it('never make a broken character, never grow, and lose at most half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(30), (text, max) => {
        for (const cut of [headOf(text, max), tailOf(text, max)]) {
          expect(cut).not.toMatch(/\p{Surrogate}/u)
          expect(cut.length).toBeLessThanOrEqual(max)
          expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, max) - 1)
        }
        expect(text.startsWith(headOf(text, max))).toBe(true)
        expect(text.endsWith(tailOf(text, max))).toBe(true)
      }),
    )
  })
})

describe('isBlank', () => {
  it.each([
    ['', true],
    [' \n\t\u00a0\ufeff', true],
    [' a ', false],
    ['0', false],
  ])('%j → %s', (text, blank) => expect(isBlank(text)).toBe(blank))
})

describe('closeNames', () => {
  const names = ['read_file', 'write_file', 'edit_file', 'list_dir', 'grep', 'shell']
  it.each([
    ['read-file', ['read_file']],
    ['readFile', ['read_file']],
    ['ReadFile', ['read_file']],
    ['raed_file', ['read_file']],
    ['write_files', ['write_file']],
    ['grpe', ['grep']],
    ['bash', []],
    ['', []],
    ['x', []],
  ])('%j → %j', (name, close) => expect(closeNames(name, names)).toEqual(close))

  it('gives the nearest first, at most three', () => {
    expect(closeNames('file', ['file4', 'files', 'file', 'filed', 'tile'])).toEqual(['file', 'file4', 'files'])
  })

  it('calls nothing close to a very long name but its like', () => {
    const long = 'x'.repeat(1000)
    expect(closeNames(long, names)).toEqual([])
    expect(closeNames(long, [...names, `${'x'.repeat(40)}y`])).toEqual([])
  })

  it('calls names close only that share something', () => {
    expect(closeNames('a', ['b', 'c'])).toEqual([])
  })
})

describe('didYouMean', () => {
  it('makes a sentence of them, or nothing', () => {
    expect(didYouMean('grpe', ['grep', 'shell'])).toBe(' Did you mean "grep"?')
    expect(didYouMean('file', ['filed', 'files'])).toBe(' Did you mean "filed" or "files"?')
    expect(didYouMean('zzz', ['grep'])).toBe('')
  })
})
