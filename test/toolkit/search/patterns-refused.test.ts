import { expect, test } from 'vitest'
import { globMatcher } from '../../../src/toolkit/search/glob-pattern.ts'
import { pathPattern } from '../../../src/toolkit/search/path-pattern.ts'

test.each(['', 'a\0b'])('%j is no pattern for paths', (pattern) => {
  expect(() => pathPattern(pattern)).toThrow(
    `${JSON.stringify(pattern)} is no pattern for paths. Give one such as "*.ts" or "src/**/*.ts".`,
  )
})

test.each(['/a', '~/a', '../a', 'a/../b', '..'])('%j leads out of the folder', (pattern) => {
  expect(() => pathPattern(pattern)).toThrow(`The pattern ${JSON.stringify(pattern)} leads out of the folder.`)
})

test.each(['~a', '..a', 'a..'])('%j does not', (pattern) => {
  expect(pathPattern(pattern).matches(pattern)).toBe(true)
})

test('4,096 characters are a pattern, 4,097 are none', () => {
  expect(globMatcher('a'.repeat(4096))('a'.repeat(4096))).toBe(true)
  expect(() => globMatcher('a'.repeat(4097))).toThrow('The pattern has 4097 characters; at most 4096 are taken.')
})

test('256 alternatives are taken, 257 are not', () => {
  const braces = (count: number): string => `{${Array.from({ length: count }, (_, index) => index).join(',')}}`
  expect(globMatcher(braces(256))('255')).toBe(true)
  expect(() => globMatcher(braces(257))).toThrow('The braces of the pattern stand for more than 256 alternatives.')
})

test.each<[string, readonly string[], readonly string[]]>([
  // From `a` back to `]` there is nothing.
  ['[a-\\]]', [], ['a', ']', '-', '\\']],
  ['[a-\\c]', ['a', 'b', 'c'], ['\\', '-', 'd', ']']],
  ['[\\a-c]', ['a', 'b', 'c'], ['\\', '-', 'd']],
  ['[\\]-a]', [']', '^', 'a'], ['b', '\\']],
  ['[!\\]]', ['a'], [']']],
  ['[^-a]', ['b'], ['-', 'a']],
  ['{[!]}],b}', ['a', 'b'], [']', '}']],
])('a set with marks of its own: %s', (pattern, fits, fails) => {
  const matches = globMatcher(pattern)
  expect({ fits: fits.filter(matches), fails: fails.filter(matches) }).toEqual({ fits, fails: [] })
})

// What ripgrep may be told: only what means the same there.
test.each<[string, readonly string[]]>([
  ['*.ts', ['--type-add=wanted:*.ts', '--type=wanted']],
  ['./src/*.{ts,tsx}', ['--type-add=wanted:*.{ts,tsx}', '--type=wanted']],
  ['a-b_c.d', ['--type-add=wanted:a-b_c.d', '--type=wanted']],
  ['*', []],
  ['**', []],
  ['src/', []],
  ['?.ts', []],
  ['[ab].ts', []],
  ['{a,{b,c}}', []],
  ['ä.ts', []],
])('options for %s', (pattern, args) => {
  expect(pathPattern(pattern).ripgrepArgs).toEqual(args)
})
