import { expect, test } from 'vitest'
import { lineDiff } from '../../../src/toolkit/files/line-diff.ts'
import { shortestEdit } from '../../../src/toolkit/files/shortest-edit.ts'
import { fc } from '../../support/fast-check.ts'

const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })

/** Lines of the longest common subsequence, the slow way. */
function commonLines(before: readonly string[], after: readonly string[]): number {
  const [first, ...rest] = before
  if (first === undefined || after.length === 0) return 0
  const at = after.indexOf(first)
  const without = commonLines(rest, after)
  return at < 0 ? without : Math.max(without, 1 + commonLines(rest, after.slice(at + 1)))
}

test('leads from one to the other, and no way is shorter', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const kinds = shortestEdit(before, after)!
      let [row, column] = [0, 0]
      for (const kind of kinds) {
        if (kind === ' ') expect(before[row]).toBe(after[column])
        if (kind !== '+') row++
        if (kind !== '-') column++
      }
      expect([row, column]).toEqual([before.length, after.length])
      expect(kinds.filter((kind) => kind === ' ')).toHaveLength(commonLines(before, after))
    }),
  )
})

test('texts that differ as a whole are not compared', () => {
  const numbers = Array.from({ length: 600 }, (_, index) => `${index}`)
  expect(
    shortestEdit(
      numbers,
      numbers.map((number) => `x${number}`),
    ),
  ).toBeUndefined()
})

test('two small changes that stand far apart are shown as two', () => {
  const before = Array.from({ length: 10_000 }, (_, index) => `line ${index}`)
  const after = before.with(10, 'new').toSpliced(9990, 1)
  expect(
    lineDiff(before.join('\n'), after.join('\n'))
      .split('\n')
      .filter((line) => /^[-+@]/.test(line)),
  ).toEqual(['@@ -8,7 +8,7 @@', '-line 10', '+new', '@@ -9988,7 +9988,6 @@', '-line 9990'])
})
