import { truncate, utimes, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { session } from '../support/session.ts'
import { failureOf } from '../support/workspace.ts'

const replace = { old: 'b', new: 'B' }
const changed =
  '"a.txt" has changed since it was last read or written, so it was not changed here. Read it again with read_file, then edit.'

test('a file that was not read is not changed', async () => {
  const { edit, text } = await session('a\nb\n', { unread: true })
  expect(await failureOf(edit(replace))).toBe(
    '"a.txt" was not read in this session, so it was not changed. Read it with read_file first, then edit.',
  )
  expect(await text()).toBe('a\nb\n')
})

test('a file that has changed since is not, until it was read again, also when size and time stayed', async () => {
  const { path, edit, readTool } = await session('a\nb\n', { unread: true })
  await utimes(path, 1000, 1000)
  await readTool()
  await writeFile(path, 'x\nb\n')
  await utimes(path, 1000, 1000)
  expect(await failureOf(edit(replace))).toBe(changed)
  await readTool()
  expect(await edit(replace)).toMatch(/^Edited/)
})

test('one edit after the other needs no reading between them, nor does a write after a file that was read whole', async () => {
  const { edit, write, text } = await session('a\nb\n')
  await edit(replace)
  await edit({ old: 'B', new: 'c' })
  await write('new\n')
  await edit({ old: 'new', new: 'newer' })
  expect(await text()).toBe('newer\n')
})

test('a file that was read in part may be edited, and still not be overwritten', async () => {
  const { edit, write, readTool } = await session('a\nb\nc\n', { unread: true })
  await readTool('a.txt', { offset: 2, limit: 1 })
  await edit(replace)
  await edit({ old: 'B', new: 'b' })
  expect(await failureOf(write('new\n'))).toMatch(/^Only the first 0 lines of 3 of "a\.txt" were read/)
})

test('a file that is too large is refused before it is read', async () => {
  const { path, edit } = await session('b\n')
  await truncate(path, 200 * 1024 * 1024)
  expect(await failureOf(edit(replace))).toMatch(
    /^"a\.txt" has 209715200 bytes; edit_file changes files of up to 20971520 bytes\. Use shell/,
  )
})
