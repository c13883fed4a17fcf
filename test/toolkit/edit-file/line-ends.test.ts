import { expect, test } from 'vitest'
import { session } from '../support/session.ts'

/** What a file holds when one edit was made in it. */
async function edited(content: string, old: string, replacement: string): Promise<string> {
  const { edit, text } = await session(content)
  await edit({ old, new: replacement })
  return await text()
}

test('more line ends than were there: those that are left over are like the last one', async () => {
  expect(await edited('a\nb\nc\r\nd\n', 'a\nb\nc\nd', 'A\nB\nC\nD\nE')).toBe('A\nB\nC\r\nD\r\nE\n')
  expect(await edited('a\r\nb\r\nc\nd\r\n', 'a\nb\nc\nd', 'A\nB\nC\nD\nE')).toBe('A\r\nB\r\nC\nD\nE\r\n')
})

test('a line end where none was is like that of its line, and in the last line like that before', async () => {
  expect(await edited('a\nb\r\nc\n', 'b', 'B\nB')).toBe('a\nB\r\nB\r\nc\n')
  expect(await edited('a\nb\r\nc', 'c', 'C\nC')).toBe('a\nb\r\nC\r\nC')
  expect(await edited('a', 'a', 'A\nA')).toBe('A\nA')
})

test('all of many places that fit by likeness alone', async () => {
  const { edit, text } = await session('\u2018a\u2019 '.repeat(8))
  await edit({ old: "'a'", new: "'b'", all: true })
  expect(await text()).toBe('\u2018b\u2019 '.repeat(8))
})
