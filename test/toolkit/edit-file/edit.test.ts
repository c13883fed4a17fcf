import { chmod, link, mkdir, readdir, readFile as read, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { editFile } from '../../../src/toolkit/index.ts'
import { session } from '../support/session.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

test('replaces a text, keeps the mode and shows the difference', async () => {
  const { path, edit, text } = await session('a\nb\nc\n')
  await chmod(path, 0o750)
  expect(await edit({ old: 'b', new: 'B\nB' })).toBe(
    ['Edited a.txt (1 replacement, line 2; now 4 lines).', '@@ -1,3 +1,4 @@', ' a', '-b', '+B', '+B', ' c'].join('\n'),
  )
  expect({ text: await text(), mode: (await stat(path)).mode & 0o777 }).toEqual({ text: 'a\nB\nB\nc\n', mode: 0o750 })
})

test('several edits are found in the text as it was, and all are made', async () => {
  const { edit, text } = await session('one two three\n')
  const edits = [
    { old: 'three', new: 'one' },
    { old: 'one ', new: 'two ' },
    { old: 'two', new: '' },
  ]
  expect(await edit({ edits })).toMatch(/^Edited a\.txt \(3 replacements, line 1; now 1 line\)\.\n/)
  expect(await text()).toBe('two  one\n')
})

test('what stands in one place only because of another edit is not found, and then nothing is done', async () => {
  const { edit, text } = await session('one\n')
  const edits = [
    { old: 'one', new: 'two' },
    { old: 'two', new: 'three' },
  ]
  expect(await failureOf(edit({ edits }))).toMatch(/^The old text of edits\[1\] is not in the file, so nothing was changed\./)
  expect(await text()).toBe('one\n')
})

test('all of them, one after another', async () => {
  const { edit, text } = await session('aaa x aa\naa\n')
  expect(await edit({ old: 'aa', new: 'b', all: true })).toMatch(/^Edited a\.txt \(3 replacements, lines 1, 2; now 2 lines\)\./)
  expect(await text()).toBe('ba x b\nb\n')
})

test.each([
  ['x y\ny\n', 'y', 2, 'lines 1, 2'],
  // Either of the two places that overlap may be meant.
  ['aaa\n', 'aa', 2, 'line 1'],
])('%j has %j more than once', async (content, old, times, lines) => {
  const { edit } = await session(content)
  expect(await failureOf(edit({ old, new: 'z' }))).toBe(
    `The old text is in the file ${times} times, in ${lines}, so nothing was changed. Give more of the lines around the one that is meant, or all=true for all of them.`,
  )
})

test('the new text is taken as it is, whatever it looks like', async () => {
  const { edit, text } = await session('log("done")\n')
  await edit({ old: 'done', new: "$& $1 $$ $' $` \\n" })
  expect(await text()).toBe('log("$& $1 $$ $\' $` \\n")\n')
})

test('edits that overlap are refused; those that touch are not', async () => {
  const { edit, text } = await session('abcdef\n')
  const overlapping = [
    { old: 'cd', new: 'X' },
    { old: 'abc', new: 'Y' },
  ]
  expect(await failureOf(edit({ edits: overlapping }))).toBe(
    'edits[0] and edits[1] overlap in line 1, so nothing was changed. Make one edit of the two; all edits are found in the text as it was before the call.',
  )
  const touching = [
    { old: 'abc', new: 'X' },
    { old: 'def', new: 'Y' },
  ]
  await edit({ edits: touching })
  expect(await text()).toBe('XY\n')
})

test.each([
  [{ old: '', new: 'x' }, /^"old" is empty\./],
  [{ old: 'a', new: 'a' }, /^"old" and "new" are the same text: line ends are kept/],
  [{ old: 'a\r\n', new: 'a\n' }, /^"old" and "new" are the same text: line ends are kept/],
  [{ old: 'a' }, /^"new" is missing/],
  [{}, /^"old" is missing/],
  [{ old: 'a', new: 'b', edits: [{ old: 'a', new: 'b' }] }, /^Give either "old" and "new", or "edits", not both\./],
  [{ edits: [] }, /^"edits" must hold 1 to 200 edits, got 0\./],
  [
    {
      edits: [
        { old: 'a', new: 'b' },
        { old: 'b', new: '\ud83d' },
      ],
    },
    /^"new" holds half of a character .* in edits\[1\]/,
  ],
])('%j is refused', async (input, says) => {
  const { edit, text } = await session('a\n')
  expect(await failureOf(edit(input))).toMatch(says)
  expect(await text()).toBe('a\n')
})

test('a link stays and its target changes; other names of a file keep the old content, and it says so', async () => {
  const { workspace, path, edit, readTool } = await session('old\n')
  await symlink('a.txt', join(workspace, 'link'))
  await link(path, join(workspace, 'other'))
  await readTool('link')
  expect(await edit({ path: 'link', old: 'old', new: 'new' })).toContain(
    '[The file had 1 other name (hard links); the old content stays there.]',
  )
  expect({
    names: (await readdir(workspace)).sort(),
    text: await read(path, 'utf8'),
    other: await read(join(workspace, 'other'), 'utf8'),
  }).toEqual({
    names: ['a.txt', 'link', 'other'],
    text: 'new\n',
    other: 'old\n',
  })
})

test('a missing file, a folder, a device and a file that may not be written are refused', async () => {
  const { workspace, path, edit } = await session('old\n')
  await mkdir(join(workspace, 'src'))
  const replace = { old: 'old', new: 'new' }
  expect(await failureOf(edit({ path: 'b.txt', ...replace }))).toBe(
    '"b.txt" does not exist. Did you mean "a.txt"? See what is there with list_dir.',
  )
  expect(await failureOf(edit({ path: 'src', ...replace }))).toBe('"src" is a folder, not a file. Use list_dir to see what is in it.')
  expect(await failureOf(edit({ path: '/dev/null', ...replace }))).toBe('"/dev/null" is a device, not a regular file, and was not opened.')
  await chmod(path, 0o444)
  expect(await failureOf(edit(replace))).toMatch(/is read-only \(mode 444\)/)
  expect(await readdir(workspace)).toEqual(['a.txt', 'src'])
})

test('a cancelled call changes nothing', async () => {
  const workspace = await workspaceWith({ 'a.txt': 'old\n' })
  const call = editFile({ workspace })({ path: 'a.txt', old: 'old', new: 'new' }, { signal: AbortSignal.abort(new Error('stopped')) })
  expect(await failureOf(call)).toBe('stopped')
  expect(await read(join(workspace, 'a.txt'), 'utf8')).toBe('old\n')
})
