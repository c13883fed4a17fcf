import { expect, it } from 'vitest'
import { table } from '../../src/cli/table.ts'

const rows = [
  ['NAME', 'WHAT'],
  ['日本', 'reads a file and says what stands in it'],
]

it('has columns of one width, the last as long as it is', () => {
  expect(table(rows)).toBe('NAME  WHAT\n日本  reads a file and says what stands in it\n')
})

it('breaks the last column between words, below itself, where there is room for it', () => {
  expect(table(rows, 30)).toBe('NAME  WHAT\n日本  reads a file and says\n      what stands in it\n')
  expect(table(rows, 20)).toBe(table(rows))
})
