import { describe, expect, it } from 'vitest'
import { viewOf } from '../../../src/cli/screen/editor-view.ts'
import { rowWidth } from '../../../src/cli/screen/width.ts'
import { fc } from '../../support/fast-check.ts'
import { desk, keys } from './support/keyboard.ts'

describe('a text that is typed, as rows', () => {
  it('in a low window is a part of what it is in a high one, with the cursor at the same place', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '日', '\t', 'e\u0301'), maxLength: 30 })
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 80 }),
        fc.integer({ min: 8, max: 25 }),
        fc.integer({ min: 2, max: 12 }),
        fc.nat(),
        (lines, width, height, somewhere) => {
          const text = lines.join('\n')
          // The cursor stands at the beginning of a line, where no character is cut.
          const row = somewhere % lines.length
          const cursor = lines.slice(0, row).join('\n').length + (row > 0 ? 1 : 0)
          const options = { prompt: '> ', text, cursor, below: [], width }
          const whole = viewOf({ ...options, height: Infinity })
          const part = viewOf({ ...options, height })
          const top = whole.cursor.row - part.cursor.row
          expect(part.rows).toEqual(whole.rows.slice(top, top + Math.max(1, height - 1)))
          expect(part.cursor.column).toBe(whole.cursor.column)
        },
      ),
    )
  })

  it('behind a prompt that is wider than the window begins below it, no row wider than the window', () => {
    const prompt = '  [y]es / [a]lways / [n]o: '
    expect(viewOf({ prompt, text: 'y', cursor: 1, below: [], width: 19, height: 24 })).toEqual({
      rows: ['  [y]es / [a]lways', '/ [n]o: y'],
      cursor: { row: 1, column: 9 },
    })
    const { rows } = viewOf({ prompt, text: 'no, use npm', cursor: 11, below: [], width: 9, height: 24 })
    expect({ rows, widest: Math.max(...rows.map(rowWidth)) <= 9 }).toEqual({
      rows: ['  [y]es /', '[a]lways', '/ [n]o:', 'no, use n', 'pm'],
      widest: true,
    })
  })
})

describe('a file that was pasted', () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`)

  it('can be edited, is sent whole, and stays on the screen as its beginning and its end', async () => {
    const at = desk({ rows: 10 })
    const reading = at.read()
    await at.type(keys.paste(lines.join('\n')), keys.up, keys.ctrl('a'), 'X')
    expect([at.terminal.text.at(-2), at.terminal.cursor]).toEqual(['  Xline 4999', { row: 7, column: 3 }])
    await at.type(keys.down, keys.enter)
    const text = lines.with(4998, 'Xline 4999').join('\n')
    expect(await reading).toEqual({ kind: 'line', text })
    expect(at.terminal.text).toEqual([
      '> line 1',
      ...lines.slice(1, 20).map((line) => `  ${line}`),
      '  … 4970 more lines',
      ...lines.slice(-10).map((line) => (line === 'line 4999' ? '  Xline 4999' : `  ${line}`)),
      '',
    ])
  })
})
