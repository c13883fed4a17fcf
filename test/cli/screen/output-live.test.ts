import { Writable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { OutputStream } from '../../../src/cli/io.ts'
import { Output } from '../../../src/cli/output.ts'
import { restoreTerminal } from '../../../src/cli/screen/restore.ts'
import { rowWidth } from '../../../src/cli/screen/width.ts'
import { wrap } from '../../../src/cli/screen/wrap.ts'
import { painted } from '../../../src/cli/screen/span.ts'
import { fc } from '../../support/fast-check.ts'
import { VirtualTerminal } from '../../support/virtual-terminal.ts'

function screen(columns = 20, rows = 8) {
  const terminal = new VirtualTerminal(columns, rows)
  let writes = 0
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      writes++
      terminal.write(String(chunk))
      done()
    },
  })
  const size = Object.assign(stream, { isTTY: true, columns, rows })
  const out = new Output(size as OutputStream)
  onTestFinished(() => out.dispose())
  return {
    terminal,
    out,
    writes: () => writes,
    resize(columns: number) {
      terminal.resize(columns)
      Object.assign(size, { columns })
      stream.emit('resize')
    },
  }
}

describe('rows that change below the text', () => {
  it('stand below whatever is written, and the cursor is hidden as long as they do', () => {
    const { terminal, out } = screen()
    out.line('one')
    out.live(['working 1', 'working 2'])
    expect([terminal.text, terminal.modes.has('25')]).toEqual([['one', 'working 1', 'working 2'], false])
    out.line('two')
    out.live(['working 3'], 'three\n')
    expect(terminal.text).toEqual(['one', 'two', 'three', 'working 3'])
    out.live([])
    expect([terminal.text, terminal.modes.has('25')]).toEqual([['one', 'two', 'three', ''], true])
  })

  it('go while somebody else has the terminal, and come back', () => {
    const { terminal, out } = screen()
    out.live(['working'])
    const release = out.hold()
    out.live(['still working'])
    out.line('held back')
    terminal.write('a question\n')
    expect(terminal.text).toEqual(['a question', ''])
    release()
    expect(terminal.text).toEqual(['a question', 'held back', 'still working'])
  })

  it('make way for what another stream writes on the same terminal', () => {
    const { terminal, out } = screen()
    out.live(['working'])
    out.freshLine()
    terminal.write('a warning\n')
    out.live(['working 2'])
    expect(terminal.text).toEqual(['a warning', 'working 2'])
  })

  it('and what was to be written before comes before', () => {
    const { terminal, out } = screen()
    const off = out.onTurn(() => out.live([], 'finished\n'))
    out.freshLine()
    terminal.write('a question\n')
    off()
    out.freshLine()
    expect(terminal.text).toEqual(['finished', 'a question', ''])
  })

  it('are never more than the terminal has, so that nothing above is touched', () => {
    const { terminal, out } = screen(20, 5)
    out.line('above')
    const rows = Array.from({ length: 9 }, (_, index) => `row ${index}`)
    out.live(rows)
    out.live(rows.map((row) => `${row}!`))
    out.live([])
    expect(terminal.text).toEqual(['above', ''])
  })

  it('leave nothing above the screen when they stand in its first row', () => {
    const { terminal, out } = screen(20, 8)
    out.live(['working 1', 'working 2'])
    out.live(['working 3', 'working 4'])
    out.live(['working 5'])
    out.line('done')
    out.live(['working 6'])
    out.live([])
    expect(terminal.text).toEqual(['done', ''])
  })

  it('leave nothing behind when the program ends in the middle', () => {
    const { terminal, out } = screen()
    out.line('one')
    out.live(['working'])
    restoreTerminal()
    terminal.write('lena: broken\n')
    expect([terminal.text, [...terminal.modes]]).toEqual([['one', 'lena: broken', ''], ['25']])
  })

  it('are written only when they changed', () => {
    const { out, writes } = screen()
    out.live(['working'])
    const before = writes()
    out.live(['working'])
    expect(writes()).toBe(before)
  })

  it('whatever is written, shown and resized: the text above is whole and in order', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '日', '👍', 'e\u0301'), minLength: 1, maxLength: 30 })
    const step = fc.oneof(
      text.map((line) => ({ line, live: undefined, columns: undefined })),
      fc.array(text, { maxLength: 6 }).map((live) => ({ line: undefined, live, columns: undefined })),
      fc.integer({ min: 10, max: 40 }).map((columns) => ({ line: undefined, live: undefined, columns })),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const { terminal, out, resize } = screen(30, 10)
        const lines: string[] = []
        for (const { line, live, columns } of steps) {
          if (columns !== undefined) resize(columns)
          if (live) out.live(live.flatMap((row) => wrap([{ text: row }], out.width - 1).map(painted)))
          if (line !== undefined) {
            const rows = wrap([{ text: line }], 9).map(painted)
            lines.push(...rows)
            out.write(rows.map((row) => `${row}\n`).join(''))
          }
        }
        out.live([])
        expect(terminal.text.slice(0, lines.length)).toEqual(lines.map((line) => line.trimEnd()))
        expect(terminal.text.slice(lines.length)).toEqual([''])
      }),
    )
  }, 60_000)
})

it('rows are as wide as they look', () => {
  expect(
    [
      'abc',
      '日本',
      '👍🏽',
      'e\u0301',
      '\u001b[1;36mab\u001b[0m',
      '\u001b]8;;https://x.org\u001b\\a\u001b]8;;\u001b\\',
      '✓',
      '⌚',
      '❤\ufe0f',
      '\u200b',
    ].map(rowWidth),
  ).toEqual([3, 4, 2, 1, 2, 1, 1, 2, 2, 0])
})
