import { describe, expect, it } from 'vitest'
import { previewOf } from '../../src/results/preview.ts'
import { fc } from '../support/fast-check.ts'

const family = '👨‍👩‍👧‍👦'
const flag = '🇩🇪'

describe('the beginning of a text', () => {
  it.each([
    ['nothing is cut of a text that fits', 'abc', 3, 'abc'],
    ['plain text is cut to the character', 'abcdef', 3, 'abc'],
    ['a surrogate pair stays out as a whole', 'ab😀', 3, 'ab'],
    ['an emoji of several parts stays out as a whole', `ab${family}`, 9, 'ab'],
    ['and stays in as a whole', `ab${family}c`, 2 + family.length, `ab${family}`],
    ['an accent stays with its letter', 'abe\u0301f', 3, 'ab'],
    ['a line end of two stays together', 'ab\r\ncd', 3, 'ab'],
    ['a flag is not made into half of another', `a${flag.repeat(3)}`, 7, `a${flag}`],
    ['a skin colour stays with its hand', 'a👍🏽b', 3, 'a'],
    ['nothing is left of one large character', family, 3, ''],
  ])('%s', (_, text, max, wanted) => {
    expect(previewOf(text, max)).toBe(wanted)
  })

  it('is cut between code points where a character is larger than any that is meant', () => {
    const towers = `a${'\u0301'.repeat(5000)}`
    expect(previewOf(towers, 2000)).toBe(towers.slice(0, 2000))
  })

  it('ends where a reader sees the end of a character, far into a text too', () => {
    const pieces = fc.constantFrom('a', ' ', '\n', '\r\n', 'e\u0301', '😀', family, flag, '👍🏽', '각', '漢', '\u200d')
    const texts = fc.tuple(fc.constantFrom('', 'plain text '.repeat(60), `${family} `.repeat(60)), fc.array(pieces, { maxLength: 30 }))
    const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
    fc.assert(
      fc.property(texts, fc.nat(120), ([before, parts], beyond) => {
        const text = before + parts.join('')
        const max = Math.min(text.length, before.length + beyond)
        const ends = [0, text.length, ...[...segmenter.segment(text)].map(({ index }) => index)]
        expect(previewOf(text, max).length).toBe(Math.max(...ends.filter((end) => end <= max)))
        expect(text.startsWith(previewOf(text, max))).toBe(true)
      }),
    )
  })

  it('never ends in half a surrogate pair, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 700 }), fc.nat(700), (text, max) => {
        const preview = previewOf(text, max)
        expect(text.startsWith(preview) && preview.length <= max).toBe(true)
        expect(/[\ud800-\udbff]$/.test(preview)).toBe(false)
      }),
    )
  })
})
