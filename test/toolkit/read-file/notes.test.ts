import { expect, test } from 'vitest'
import { readFile } from '../../../src/toolkit/index.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

const damaged = (...lines: readonly string[]): Buffer =>
  Buffer.concat([Buffer.from(`${'a'.repeat(99)}\n`.repeat(90)), Buffer.from(lines.join('\n'), 'latin1')])

test.each([
  [
    'two damaged lines',
    damaged('a\xff', 'b\xff', ''),
    91,
    [
      '91\ta\ufffd',
      '92\tb\ufffd',
      '[Lines 91-92 of 92: the end of the file.]',
      '[2 lines hold bytes that are not UTF-8 text, shown as \ufffd.]',
    ],
  ],
  ['a character that the file shows itself is no damage', Buffer.from('a\ufffd\n'), 1, ['1\ta\ufffd']],
  ['the second line is the last', Buffer.from('a\nb\n'), 2, ['2\tb', '[Lines 2-2 of 2: the end of the file.]']],
  [
    'CRLF alone, seen from the second page',
    Buffer.from('a\r\nb\r\n'),
    2,
    ['2\tb', '[Lines 2-2 of 2: the end of the file.]', '[The lines end in CRLF.]'],
  ],
])('%s', async (_title, file, offset, lines) => {
  const workspace = await workspaceWith({ 'a.txt': file })
  expect(await readFile({ workspace })({ path: 'a.txt', offset })).toBe(lines.join('\n'))
})

test('a name with a quote is one word of the command that is proposed', async () => {
  const workspace = await workspaceWith({ "it's": 'a\0' })
  expect(await failureOf(readFile({ workspace })({ path: "it's" }))).toBe(
    `"it's" is a binary file of 2 bytes (a NUL byte at offset 1), which read_file does not show. Look at it with shell, for example: file 'it'\\''s'`,
  )
})

test('an offset past the end of one line', async () => {
  const workspace = await workspaceWith({ 'a.txt': 'a\n' })
  expect(await failureOf(readFile({ workspace })({ path: 'a.txt', offset: 2 }))).toBe('offset=2 is past the end: "a.txt" has 1 line.')
})

test.each([{ offset: 0 }, { limit: 0 }, { offset: 1.5 }])('%j is no number of a line', async (input) => {
  const workspace = await workspaceWith({ 'a.txt': 'a\n' })
  const [[name, value] = ['', 0]] = Object.entries(input)
  expect(await failureOf(readFile({ workspace })({ path: 'a.txt', ...input }))).toBe(
    `${name} must be a whole number of at least 1, got ${value}. The first line is line 1.`,
  )
})
