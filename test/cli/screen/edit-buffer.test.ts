import { describe, expect, it } from 'vitest'
import { EditBuffer } from '../../../src/cli/screen/edit-buffer.ts'
import { graphemes } from '../../../src/cli/screen/width.ts'
import { fc } from '../../support/fast-check.ts'

const unit = fc.constantFrom('a', ' ', '\n', '日', 'é', 'e\u0301', '👩‍👩‍👧', '🇩🇪', 'ก', 'ำ', '한', '\u1112\u1161\u11ab')

describe('a text that is edited', () => {
  it('is stepped over by whole characters, from either end, however long it is', () => {
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1, maxLength: 20 }), (piece) => {
        const buffer = new EditBuffer()
        const text = `a${piece}a`.repeat(Math.ceil(400 / (piece.length + 2)))
        buffer.set(text)
        let at = 0
        const ends = [0, ...graphemes(text).map(({ length }) => (at += length))]
        const [before, behind] = [ends.slice(-15).reverse(), ends.slice(0, 15)]
        const left = before.map(() => {
          const { cursor } = buffer
          buffer.left()
          return cursor
        })
        buffer.cursor = 0
        const right = behind.map(() => {
          const { cursor } = buffer
          buffer.right()
          return cursor
        })
        expect([left, right]).toEqual([before, behind])
      }),
    )
  })

  it('is taken back change by change, with the cursor where it was', () => {
    const changes: Record<string, (buffer: EditBuffer) => void> = {
      insert: (buffer) => buffer.insert('日本 x'),
      backspace: (buffer) => buffer.backspace(),
      delete: (buffer) => buffer.delete(),
      transpose: (buffer) => buffer.transpose(),
      killLeft: (buffer) => buffer.killLeft(),
      killRight: (buffer) => buffer.killRight(),
      killSpaceLeft: (buffer) => buffer.killSpaceLeft(),
      killWordRight: (buffer) => buffer.killWordRight(),
      yank: (buffer) => buffer.yank(),
      newline: (buffer) => buffer.insert('\n'),
      replaceLeft: (buffer) => buffer.replaceLeft(Math.floor(buffer.cursor / 2), '@src'),
      set: (buffer) => buffer.set('from before'),
    }
    const moves: Record<string, (buffer: EditBuffer) => void> = {
      left: (buffer) => buffer.left(),
      wordLeft: (buffer) => buffer.wordLeft(),
      up: (buffer) => void buffer.up(),
      lineStart: (buffer) => buffer.lineStart(),
    }
    const names = [...Object.keys(changes), ...Object.keys(moves)]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...names), { maxLength: 60 }), (steps) => {
        const buffer = new EditBuffer()
        const before: { readonly text: string; readonly cursor: number }[] = []
        for (const step of steps) {
          const { text, cursor } = buffer
          ;(changes[step] ?? moves[step]!)(buffer)
          if (buffer.text !== text) before.push({ text, cursor })
        }
        // A change that put in what was there already is taken back too, and shows nothing.
        const after: string[] = []
        for (let count = 0; count < steps.length; count++) {
          const { text } = buffer
          buffer.undo()
          if (buffer.text !== text) after.unshift(buffer.text)
        }
        expect([after, buffer.text]).toEqual([before.map(({ text }) => text), ''])
      }),
    )
  })
})
