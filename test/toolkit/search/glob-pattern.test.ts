import { expect, test } from 'vitest'
import { globMatcher } from '../../../src/toolkit/search/glob-pattern.ts'
import { fc } from '../../support/fast-check.ts'

test.each<[string, readonly string[], readonly string[]]>([
  ['*', ['a', '.a', ''], ['a/b']],
  ['a*b*c', ['abc', 'aXbYc', 'abcbc'], ['ab', 'abcd', 'a/bc']],
  ['**', ['a', 'a/b'], []],
  ['**/a', ['a', 'x/a', 'x/y/a'], ['xa', 'a/b']],
  ['a/**', ['a/b', 'a/b/c'], ['a', 'ab/c']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'a/xb']],
  ['**/a/**/b/**', ['a/b/c', 'x/a/y/b/z/w'], ['a/b', 'b/a/c']],
  ['a**b', ['ab', 'axxb'], ['a/b']],
  ['?', ['a', '🙂', '.'], ['', 'ab', '/']],
  ['[a-c]', ['a', 'c'], ['d', '-', 'ab']],
  ['[!a-c]', ['d', '🙂'], ['a', '']],
  ['[^a]', ['b'], ['a']],
  ['[]a]', [']', 'a'], ['b']],
  ['[a-]', ['a', '-'], ['b']],
  ['[\\]]', [']'], ['\\']],
  ['\\*', ['*'], ['a']],
  ['{a,b}{1,2}', ['a1', 'b2'], ['a', 'ab', '{a,b}']],
  ['{a,b/{c,d}}.ts', ['a.ts', 'b/c.ts', 'b/d.ts'], ['b.ts']],
  ['\\{a,b}', ['{a,b}'], ['a']],
  ['[{]', ['{'], ['a']],
  ['a,b', ['a,b'], ['a']],
])('%s', (pattern, fits, fails) => {
  const matches = globMatcher(pattern)
  expect({ fits: fits.filter(matches), fails: fails.filter(matches) }).toEqual({ fits, fails: [] })
})

/** What a pattern means, tried in every way there is. */
function meant(pattern: readonly string[], path: string): boolean {
  const [first, ...rest] = pattern
  if (first === undefined) return path === ''
  if (first === '*') return meant(rest, path) || (path !== '' && path[0] !== '/' && meant(pattern, path.slice(1)))
  if (first === '**/') {
    const slash = path.indexOf('/')
    return meant(rest, path) || (slash >= 0 && meant(pattern, path.slice(slash + 1)))
  }
  return path !== '' && (first === '?' ? path[0] !== '/' : first === path[0]) && meant(rest, path.slice(1))
}

test('matches what trying every way does', () => {
  const parts = fc.array(fc.constantFrom('a', 'b', '*', '?', 'a*', '/'), { maxLength: 7 })
  const folders = fc.constantFrom<readonly string[]>([], ['**/'])
  const path = fc.array(fc.constantFrom('a', 'b', '/', 'ab'), { maxLength: 8 }).map((names) => names.join(''))
  fc.assert(
    fc.property(folders, parts, folders, parts, path, (start, first, middle, second, name) => {
      // Two stars in a row would be read as `**`.
      const single = (some: readonly string[]): string[] => [...some.join('').replace(/\*+/g, '*')]
      const pattern =
        middle.length > 0 ? [...start, ...single(first), '/', ...middle, ...single(second)] : [...start, ...single([...first, ...second])]
      expect(globMatcher(pattern.join(''))(name)).toBe(meant(pattern, name))
    }),
    { numRuns: Math.max(1000, Number(process.env['PROPERTY_RUNS'] ?? 0)) },
  )
})

test('patterns that others need ages for', () => {
  const stars = globMatcher(`${'*a'.repeat(500)}c`)
  expect(stars('a'.repeat(2000))).toBe(false)
  const folders = globMatcher(`${'**/a/'.repeat(300)}c`)
  expect(folders('a/'.repeat(1000))).toBe(false)
})
