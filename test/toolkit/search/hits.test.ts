import { expect, test } from 'vitest'
import { excerptOf } from '../../../src/toolkit/search/hits.ts'

test('a line of 500 characters is whole, with a NUL made visible', () => {
  expect(excerptOf(`\0${'a'.repeat(499)}`, 0)).toBe(`\ufffd${'a'.repeat(499)}`)
})

test.each([
  [
    'at the beginning',
    `${'a'.repeat(100)}X${'b'.repeat(400)}`,
    100,
    `${'a'.repeat(100)}X${'b'.repeat(399)}… [cut: the line has 501 characters]`,
  ],
  [
    'a little behind it',
    `${'a'.repeat(101)}X${'b'.repeat(500)}`,
    101,
    `…${'a'.repeat(100)}X${'b'.repeat(399)}… [cut: the line has 602 characters]`,
  ],
  ['at the end', `${'a'.repeat(600)}X`, 600, `…${'a'.repeat(499)}X [cut: the line has 601 characters]`],
])('of a longer one, with its match %s', (_where, line, at, shown) => {
  expect(excerptOf(line, at)).toBe(shown)
})

test('it does not begin within a character', () => {
  const line = `a${'🙂'.repeat(400)}`
  // The hundredth character before the match is the second half of one.
  expect(excerptOf(line, 302)).toBe(`…${'🙂'.repeat(250)}… [cut: the line has 801 characters]`)
  expect(excerptOf(line, 301)).toBe(`…${'🙂'.repeat(250)}… [cut: the line has 801 characters]`)
})

test('of more than four million characters nobody knows how many they are', () => {
  const size = 4 * 1024 * 1024
  expect(excerptOf('a'.repeat(size - 1), 0).slice(-40)).toBe(`… [cut: the line has ${size - 1} characters]`.slice(-40))
  expect(excerptOf('a'.repeat(size), 0)).toMatch(/\[cut: the line has 4194304 or more characters\]$/)
})
