import { describe, expect, it } from 'vitest'
import { graphemes } from '../../../src/cli/screen/width.ts'
import { fc } from '../../support/fast-check.ts'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const byAllRules = (text: string): readonly string[] => Array.from(segmenter.segment(text), ({ segment }) => segment)

describe('a text as the characters that a person sees', () => {
  it('is what the rules for all scripts make of it, for each character of the first plane beside others', () => {
    const wrong: string[] = []
    for (let code = 0x20; code < 0xfff0; code += 4) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const [one, two, three, four] = [0, 1, 2, 3].map((more) => String.fromCharCode(code + more))
      // Beside each other, themselves, a letter, a sign of emoji, a syllable and an ideograph.
      const text = `${one}${one}${two}${two}${three}${three}${four}${four}a${one}❤${two}가${three}日${four}`
      const given = graphemes(text)
      if (given.join('|') !== byAllRules(text).join('|')) wrong.push(code.toString(16))
    }
    expect(wrong).toEqual([])
  })

  it('is that for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(graphemes(text)).toEqual(byAllRules(text))
      }),
    )
  })
})
