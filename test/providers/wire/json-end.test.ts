import { fc } from '../../support/fast-check.ts'
import { describe, expect, it } from 'vitest'
import { JsonEnd } from '../../../src/providers/wire/json-end.ts'

/** The index of the piece with which it closes. */
function closesWith(...pieces: readonly string[]): number {
  const end = new JsonEnd()
  return pieces.findIndex((piece) => end.push(piece))
}

describe('the end of a JSON object in pieces', () => {
  it.each([
    [['{}'], 0],
    [['{', '}'], 1],
    [['  {"a":', '1}  '], 1],
    [['{"a":"}"', '}'], 1],
    [['{"a":"\\', '"}"', '}'], 2],
    [['{"a":"\\\\"}'], 0],
    [['{"a":[{"b":{}}', ']', '}'], 2],
  ] as const)('%j closes with piece %i', (pieces, index) => expect(closesWith(...pieces)).toBe(index))

  it.each([[''], ['   '], ['null'], ['[]'], ['"{}"'], ['{"a":"}'], ['{"a":{}']])('%j does not close', (text) =>
    expect(closesWith(text)).toBe(-1),
  )

  it('is where JSON.parse first takes the text, for any object cut anyhow', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.nat(200), { maxLength: 8 }), (object, cuts) => {
        const text = JSON.stringify(object)
        const ends = [...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b)
        const pieces = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end))
        const at = closesWith(...pieces)
        expect(pieces.slice(0, at + 1).join('')).toBe(text)
      }),
    )
  })
})
