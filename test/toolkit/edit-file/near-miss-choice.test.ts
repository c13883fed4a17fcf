import { expect, test } from 'vitest'
import { nearMiss } from '../../../src/toolkit/edit/near-miss.ts'

test('one line that differs in white space', () => {
  expect(nearMiss('  abc\n', '\tabc')).toBe(
    'Line 1 comes nearest. Line 1 differs in white space: the file has "  abc", the old text "\\tabc".',
  )
})

test('of two places the one where more lines are the same, and of equals the first', () => {
  const text = 'first\none\ntwo\nthree\nfirst\none\n'
  expect(nearMiss(text, 'first\none\ntwo!\nthree')).toBe('Lines 1-4 come nearest. Line 3 differs: the file has "two", the old text "two!".')
  expect(nearMiss('one\n1\nfirst\none\ntwo\n', 'first!\none\ntwo')).toBe(
    'Lines 3-5 come nearest. Line 3 differs: the file has "first", the old text "first!".',
  )
  expect(nearMiss('one\nx\none\ny\n', 'one\nz')).toBe('Lines 1-2 come nearest. Line 2 differs: the file has "x", the old text "z".')
})

test('a block that goes on behind the end of the file', () => {
  expect(nearMiss('one\ntwo', 'one\ntwo\nthree')).toBe(
    'Lines 1-3 come nearest. Line 3 differs: the file has no more lines, the old text "three".',
  )
})

test('the same lines, with the break in another place', () => {
  expect(nearMiss('one\ntwo\r\nthree', 'one\n')).toBe(
    'Line 1 comes nearest: they are the same lines, but the old text begins or ends within a line, or with other line breaks.',
  )
})

test('a bracket says nothing; three letters do', () => {
  expect(nearMiss(' }\n', '}')).not.toMatch(/comes nearest/)
  expect(nearMiss(' end\n', 'end;')).not.toMatch(/differs in white space/)
  expect(nearMiss('\tend\n', ' end')).toMatch(/^Line 1 comes nearest\. Line 1 differs in white space/)
})

test('of lines that are alike the three that are most, the earlier of equals first', () => {
  const text = ['abcdeX', 'abcdef', 'abcdeY', 'abcdZZ', 'abcde'].join('\n')
  expect(nearMiss(text, 'abcdefg')).toBe('Nearest to "abcdefg": line 2 "abcdef"; line 5 "abcde"; line 1 "abcdeX".')
})

test('the line that says most is compared', () => {
  expect(nearMiss('a long line of words\nshort\n', 'xy\na long line of wordz\nz')).toBe(
    'Nearest to "a long line of wordz": line 1 "a long line of words".',
  )
})

test('half of the pairs of letters make two lines alike, fewer do not', () => {
  expect(nearMiss('abc', 'abX')).toBe('Nearest to "abX": line 1 "abc".')
  expect(nearMiss('abcd', 'abXY')).toBe('Nothing in it comes near. Read the file again with read_file.')
  // What is there twice in one and once in the other is shared once.
  expect(nearMiss('ababab', 'abXXX')).toBe('Nothing in it comes near. Read the file again with read_file.')
})

test('long lines are compared by their first 200 characters, and shown so', () => {
  const start = 'word '.repeat(40)
  expect(nearMiss(`${start}${'x'.repeat(300)}`, `${start}${'y'.repeat(300)}`)).toBe(
    `Nearest to ${JSON.stringify(start)}: line 1 ${JSON.stringify(`${start}…`)}.`,
  )
  const exact = 'a'.repeat(199)
  expect(nearMiss(`${exact}b`, `${exact}c`)).toBe(`Nearest to ${JSON.stringify(`${exact}c`)}: line 1 ${JSON.stringify(`${exact}b`)}.`)
})

test('numbers and a tab in front of every line are no part of the text', () => {
  const hint = ' Leave out the line numbers and the tab after them: they are not part of the file.'
  expect(nearMiss('nothing', '  12\tabc\n  13\tdef')).toBe(`Nothing in it comes near. Read the file again with read_file.${hint}`)
  expect(nearMiss('nothing', '  12\tabc\ndef')).toBe('Nothing in it comes near. Read the file again with read_file.')
  expect(nearMiss('nothing', 'x12\tabc')).toBe('Nothing in it comes near. Read the file again with read_file.')
})

test('a later place where more lines are the same goes before an earlier one', () => {
  expect(nearMiss('aaa\nq\naaa\nbbb\n', 'aaa\nbbb\nccc')).toBe(
    'Lines 3-5 come nearest. Line 5 differs: the file has "", the old text "ccc".',
  )
})

test('a line that the old text has twice speaks for both of its places', () => {
  expect(nearMiss('dup\nq\n', 'dup\nz\ndup')).toBe('Lines 1-3 come nearest. Line 2 differs: the file has "q", the old text "z".')
})

test('a block does not begin before the file does', () => {
  expect(nearMiss('dupl\n', 'other\ndupl')).toBe('Nothing in it comes near. Read the file again with read_file.')
})

test('two letters say nothing', () => {
  expect(nearMiss(' ab\n', 'ab')).toBe('Nearest to "ab": line 1 " ab".')
})
