import { expect, test } from 'vitest'
import { ignoreRules } from '../../../src/toolkit/search/ignore-rules.ts'

const said = (text: string, paths: readonly string[]): readonly (string | undefined)[] => {
  const rules = ignoreRules(text)
  return paths.map((path) => rules(path.replace(/\/$/, ''), path.endsWith('/')))
}

// A path with a slash at its end is a folder.
test.each<[string, Readonly<Record<string, 'ignored' | 'kept' | undefined>>]>([
  ['a', { a: 'ignored', 'x/a': 'ignored', 'a/': 'ignored', ab: undefined }],
  ['/a', { a: 'ignored', 'x/a': undefined }],
  ['x/a', { 'x/a': 'ignored', 'y/x/a': undefined }],
  ['a/', { 'a/': 'ignored', a: undefined, 'x/a/': 'ignored' }],
  ['/a/', { 'a/': 'ignored', 'x/a/': undefined }],
  ['*.log\n!keep.log', { 'a.log': 'ignored', 'keep.log': 'kept' }],
  ['!a\na', { a: 'ignored' }],
  ['!/a', { a: 'kept', 'x/a': undefined }],
  ['# a\n\\#b', { '# a': undefined, '#b': 'ignored' }],
  ['\\!a', { '!a': 'ignored', a: undefined }],
  ['a  \nb\\ ', { a: 'ignored', 'b ': 'ignored', b: undefined }],
  ['\ufeffa\r\nb\r\n', { a: 'ignored', b: 'ignored' }],
  ['\n/\n!\n  \n', { a: undefined, 'a/': undefined }],
  ['[a\nb', { '[a': undefined, b: 'ignored' }],
  ['??', { ä: 'ignored', ab: 'ignored', a: undefined }],
  ['ä', { ä: 'ignored' }],
])('%j', (text, paths) => {
  expect(said(text, Object.keys(paths))).toEqual(Object.values(paths))
})

test('10,000 lines are read, and no more', () => {
  const text = `${'#\n'.repeat(9999)}a\nb`
  expect(said(text, ['a', 'b'])).toEqual(['ignored', undefined])
})
