import { expect, test } from 'vitest'
import { fc } from '../../support/fast-check.ts'
import { lineDiff } from '../../../src/toolkit/files/line-diff.ts'
import { shortestEdit } from '../../../src/toolkit/files/shortest-edit.ts'

/** Lines that both have in the same order, at most. */
function common(before: readonly string[], after: readonly string[]): number {
  const table = Array.from({ length: before.length + 1 }, () => Array<number>(after.length + 1).fill(0))
  before.forEach((one, i) =>
    after.forEach((other, j) => {
      table[i + 1]![j + 1] = one === other ? table[i]![j]! + 1 : Math.max(table[i]![j + 1]!, table[i + 1]![j]!)
    }),
  )
  return table[before.length]![after.length]!
}

const texts = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 9 })

test('a difference shows each change, and no more than there are', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')
      const shown = lineDiff(text(before), text(after))
        .split('\n')
        .filter((line) => /^[-+]/.test(line))
      const kept = common(before, after)
      expect([shown.filter((line) => line[0] === '-').length, shown.filter((line) => line[0] === '+').length]).toEqual([
        before.length - kept,
        after.length - kept,
      ])
    }),
  )
})

test('hunks say where they stand, and what is in them leads from one text to the other', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 }),
      fc.nat(39),
      fc.constantFrom('x', 'y', ''),
      (before, at, put) => {
        const after = [...before.slice(0, at), ...(put === '' ? [] : [put]), ...before.slice(at + (put === 'y' ? 0 : 1))]
        const diff = lineDiff(before.map((line) => `${line}\n`).join(''), after.map((line) => `${line}\n`).join(''))
        const result: string[] = [...before]
        let moved = 0
        for (const hunk of diff.split(/^(?=@@)/m).filter((part) => part !== '')) {
          const [head = '', ...lines] = hunk.replace(/\n$/, '').split('\n')
          const [, oldLine, oldCount, newLine, newCount] = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/.exec(head)!.map(Number)
          const [left, right] = ['+', '-'].map((skipped) => lines.filter((line) => line[0] !== skipped).map((line) => line.slice(1)))
          expect([left!.length, right!.length]).toEqual([oldCount, newCount])
          const from = (oldCount! > 0 ? oldLine! - 1 : oldLine!) + moved
          expect(from).toBe(newCount! > 0 ? newLine! - 1 : newLine!)
          expect(result.splice(from, oldCount ?? 0, ...right!)).toEqual(left)
          moved += newCount! - oldCount!
        }
        expect(result).toEqual(after)
      },
    ),
  )
})

test('500 changes are found, 501 are not', () => {
  const before = Array.from({ length: 300 }, (_, index) => `old ${index}`)
  const after = Array.from({ length: 200 }, (_, index) => `new ${index}`)
  expect(shortestEdit(before, after)).toEqual([...Array(300).fill('-'), ...Array(200).fill('+')])
  expect(shortestEdit([...before, 'x'], after)).toBeUndefined()
})

test('of changed lines that are not shown those that stay are not counted', () => {
  const lines = (count: number, name: string): string => Array.from({ length: count }, (_, index) => `${name} ${index}\n`).join('')
  const shown = lineDiff(`${lines(90, 'a')}same\nsame 2\n${lines(5, 'b')}`, `same\nsame 2\n${lines(5, 'c')}`).split('\n')
  expect([shown.length, shown.at(-1)]).toEqual([81, '[21 more changed lines are not shown.]'])
  const apart = lineDiff(lines(90, 'a') + lines(20, 'keep') + 'old\n', lines(20, 'keep') + 'new\n').split('\n')
  expect(apart.at(-1)).toBe('[13 more changed lines are not shown.]')
})
