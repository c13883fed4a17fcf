import { expect, test } from 'vitest'
import { lineDiff } from '../../../src/toolkit/files/line-diff.ts'

const lines = (...texts: string[]): string => texts.map((text) => `${text}\n`).join('')
const many = (count: number, name = 'line'): string[] => Array.from({ length: count }, (_, index) => `${name} ${index + 1}`)

test.each<{ title: string; before: string; after: string; diff: string[] }>([
  { title: 'nothing changed', before: 'a\nb\n', after: 'a\nb\n', diff: [''] },
  { title: 'all new', before: '', after: lines('a', 'b'), diff: ['@@ -0,0 +1,2 @@', '+a', '+b'] },
  { title: 'all gone', before: lines('a', 'b'), after: '', diff: ['@@ -1,2 +0,0 @@', '-a', '-b'] },
  { title: 'a line put in', before: lines('a', 'c'), after: lines('a', 'b', 'c'), diff: ['@@ -1,2 +1,3 @@', ' a', '+b', ' c'] },
  { title: 'a line taken out', before: lines('a', 'b', 'c'), after: lines('a', 'c'), diff: ['@@ -1,3 +1,2 @@', ' a', '-b', ' c'] },
  { title: 'repeated lines', before: lines('x', 'x'), after: lines('x', 'x', 'x'), diff: ['@@ -1,2 +1,3 @@', ' x', ' x', '+x'] },
  {
    title: 'changes far apart stand in hunks of their own',
    before: lines(...many(30)),
    after: lines('new', ...many(30).slice(1, 29), 'last'),
    diff: [
      '@@ -1,4 +1,4 @@',
      '-line 1',
      '+new',
      ' line 2',
      ' line 3',
      ' line 4',
      '@@ -27,4 +27,4 @@',
      ' line 27',
      ' line 28',
      ' line 29',
      '-line 30',
      '+last',
    ],
  },
  {
    title: 'changes close together stand in one',
    before: lines(...many(8)),
    after: lines('A', ...many(8).slice(1, 7), 'B'),
    diff: ['@@ -1,8 +1,8 @@', '-line 1', '+A', ' line 2', ' line 3', ' line 4', ' line 5', ' line 6', ' line 7', '-line 8', '+B'],
  },
])('$title', ({ before, after, diff }) => {
  expect(lineDiff(before, after)).toBe(diff.join('\n'))
})

test('is bounded in lines and in their length, and counts the rest', () => {
  const shown = lineDiff(lines(...many(100)), lines(`${'x'.repeat(199)}🙂`, ...many(200, 'new'))).split('\n')
  expect(shown).toEqual(['@@ -1,100 +1,201 @@', ...many(79).map((line) => `-${line}`), '[222 more changed lines are not shown.]'])
  expect(lineDiff('', `${'x'.repeat(199)}🙂\n`)).toBe(`@@ -0,0 +1,1 @@\n+${'x'.repeat(199)}…`)
})

test('texts of 20,000 unlike lines need no table', () => {
  const shown = lineDiff(lines(...many(20_000)), lines(...many(20_000, 'other'))).split('\n')
  expect([shown[0], shown.at(-1)]).toEqual(['@@ -1,20000 +1,20000 @@', '[39921 more changed lines are not shown.]'])
})
