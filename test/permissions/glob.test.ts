import { describe, expect, test } from 'vitest'
import { Glob, escaped } from '../../src/permissions/glob.ts'
import { fc } from '../support/fast-check.ts'

describe('a pattern', () => {
  test.each([
    ['git push*', 'git push origin', true],
    ['git push*', 'git pull', false],
    ['*', '', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a\\*c', 'a*c', true],
    ['a\\*c', 'abc', false],
    ['*a*a*a*b', 'aaaaaaaa', false],
  ])('%j and %j: %s', (pattern, text, fits) => {
    expect(new Glob(pattern).matches(text)).toBe(fits)
  })

  test.each([
    ['src/*', 'src/a', true],
    ['src/*', 'src/a/b', false],
    ['src/**', 'src/a/b', true],
    ['src/**/b', 'src/b', true],
    ['src/**/b', 'src/x/y/b', true],
    ['src/**/b', 'src/xb', false],
    ['**/b', 'b', true],
    ['**/b', 'ab', false],
    ['a?b', 'a/b', false],
  ])('of a path: %j and %j: %s', (pattern, path, fits) => {
    expect(new Glob(pattern, { isPath: true }).matches(path)).toBe(fits)
  })

  test.each([
    ['git push*', 'git push ', 'always'],
    ['git push*', 'git ', 'maybe'],
    ['git push*', 'npm ', 'never'],
    ['git push', 'git ', 'maybe'],
    ['*', '', 'always'],
  ])('%j and a text that begins %j: %s', (pattern, text, fit) => {
    expect(new Glob(pattern).fitsBeginning(text)).toBe(fit)
  })

  test('written for one text matches that text alone', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        (text, other) => new Glob(escaped(text)).matches(text) && new Glob(escaped(text)).matches(other) === (text === other),
      ),
    )
  })
})
