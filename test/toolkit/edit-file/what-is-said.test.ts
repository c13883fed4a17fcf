import { stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { session } from '../support/session.ts'
import { failureOf } from '../support/workspace.ts'

test('an edit that changes the end of the last line alone', async () => {
  const { edit, text } = await session('a\nb\n')
  expect(await edit({ old: 'b\n', new: 'b' })).toBe(
    'Edited a.txt (1 replacement, line 2; now 2 lines).\n[Only the end of the last line changed.]',
  )
  expect(await text()).toBe('a\nb')
})

test('which of several edits fit by likeness alone', async () => {
  const { edit, text } = await session('\u201cone\u201d\ntwo\n\u2013three\n')
  const said = await edit({
    edits: [
      { old: '"one"', new: '"1"' },
      { old: 'two', new: '2' },
      { old: '-three', new: '-3' },
    ],
  })
  expect(said.split('\n')[1]).toBe(
    '[edits[0], edits[2] fit only with quotes, dashes or spaces of another kind; the file keeps its own where they do not change.]',
  )
  expect(await text()).toBe('\u201c1\u201d\n2\n\u20133\n')
})

test.each([
  [{ old: 'a', edits: [{ old: 'a', new: 'b' }] }, 'Give either "old" and "new", or "edits", not both. Nothing was changed.'],
  [{ new: 'b', edits: [{ old: 'a', new: 'b' }] }, 'Give either "old" and "new", or "edits", not both. Nothing was changed.'],
  [{ new: 'b' }, '"old" is missing: give "old" and "new", or a list of them as "edits". Nothing was changed.'],
  [{ old: 'a' }, '"new" is missing: give "old" and "new", or a list of them as "edits". Nothing was changed.'],
  [{ old: 'a', new: '\udc00' }, '"new" holds half of a character (a lone surrogate) at index 0. Nothing was changed.'],
])('%j', async (input, says) => {
  const { edit, text } = await session('a\n')
  expect(await failureOf(edit(input))).toBe(says)
  expect(await text()).toBe('a\n')
})

test('a text that was found by likeness, and is there as it should be already, is not written again', async () => {
  const { edit, path } = await session('\u201ca\u201d\n')
  const before = await stat(path)
  expect(await edit({ old: '"a"', new: '\u201ca\u201d' })).toBe('The edits leave a.txt as it is. Nothing was written.')
  expect((await stat(path)).ino).toBe(before.ino)
})

test('one edit of several that fits by likeness', async () => {
  const { edit } = await session('\u201cone\u201d\ntwo\n')
  const edits = [
    { old: 'two', new: '2' },
    { old: '"one"', new: '"1"' },
  ]
  expect((await edit({ edits })).split('\n')[1]).toMatch(/^\[edits\[1\] fits only with quotes/)
})

test('a file that was read in part may be edited, but not be overwritten then: its other lines are still unseen', async () => {
  const { edit, write, readTool } = await session('1\n2\n3\n', { unread: true })
  await readTool('a.txt', { limit: 2 })
  await edit({ old: '2', new: 'two' })
  expect(await failureOf(write('new\n'))).toBe(
    'Only the first 0 lines of 3 of "a.txt" were read, so it was not overwritten: the rest would be lost unseen. Read on with read_file and offset=1, then write.',
  )
})

test.each([
  ['\nabc\n', 'abc', 2],
  ['a\n\n\nb\n', 'b', 4],
  ['ab\n', 'b', 1],
  ['a\nb', '\nb', 1],
])('in %j %j stands in line %d', async (content, old, line) => {
  const { edit } = await session(content)
  expect(await edit({ old, new: '+' })).toMatch(new RegExp(`^Edited a\\.txt \\(1 replacement, line ${line};`))
})
