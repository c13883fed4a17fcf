import { chmod, readdir, readFile as read, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileUndo, undoLast } from '../../../src/toolkit/index.ts'
import { session } from '../support/session.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

const clock = { now: () => 1000 }

test('another process goes on with what one has kept, in the order of the changes', async () => {
  const dir = join(await workspaceWith(), 'undo')
  const { edit, text } = await session('one\n', { undo: fileUndo({ dir, clock }) })
  await edit({ old: 'one', new: 'two' })
  await edit({ old: 'two', new: 'three' })
  const later = fileUndo({ dir, clock: { now: () => 500 } })
  const all = await later.changes()
  expect(all.map(({ at, before }) => ({ at, before }))).toEqual([
    { at: 1000, before: { mode: 0o644, bytes: 4 } },
    { at: 1000, before: { mode: 0o644, bytes: 4 } },
  ])
  await later.keep({ path: '/x', before: undefined, writtenHash: 'h' })
  const last = (await later.changes()).at(-1)!
  expect(last.path).toBe('/x')
  await later.forget(last.id)
  await undoLast(later)
  await undoLast(later)
  expect(await text()).toBe('one\n')
  expect(await readdir(dir)).toEqual([])
})

test('folder and files are for their owner alone', async () => {
  const dir = join(await workspaceWith(), 'deep/undo')
  const { edit } = await session('one\n', { undo: fileUndo({ dir }) })
  await edit({ old: 'one', new: 'two' })
  const [name] = await readdir(dir)
  expect({ folder: (await stat(dir)).mode & 0o777, file: (await stat(join(dir, name!))).mode & 0o777 }).toEqual({
    folder: 0o700,
    file: 0o600,
  })
})

test.each(['a link', 'open to others'])('a folder that is %s is refused, and nothing is written then', async (kind) => {
  const place = await workspaceWith({ 'real/x': '' })
  const dir = join(place, 'undo')
  if (kind === 'a link') await symlink('real', dir)
  else await chmod(join(place, 'real'), 0o755)
  const { edit, text } = await session('one\n', { undo: fileUndo({ dir: kind === 'a link' ? dir : join(place, 'real') }) })
  expect(await failureOf(edit({ old: 'one', new: 'two' }))).toMatch(
    /^The old content of the file could not be kept for undo, so nothing was written: /,
  )
  expect({ text: await text(), kept: await readdir(join(place, 'real')) }).toEqual({ text: 'one\n', kept: ['x'] })
})

test('what is half written, damaged or no entry is passed over', async () => {
  const dir = join(await workspaceWith(), 'undo')
  const undo = fileUndo({ dir, clock })
  const { path, edit } = await session('one\n', { undo })
  await edit({ old: 'one', new: 'two' })
  const [name] = await readdir(dir)
  const bytes = await read(join(dir, name!))
  const planted = (index: number): string => join(dir, `00000000000200${index}-000000-0123456789abcdef.undo`)
  await writeFile(planted(1), bytes.subarray(0, -1))
  await writeFile(planted(2), 'no entry')
  await writeFile(planted(3), '{"path":1}\n')
  await symlink(path, planted(4))
  await writeFile(join(dir, 'notes.txt'), '')
  expect((await undo.changes()).map((change) => change.path)).toEqual([path])
  expect(await undoLast(undo)).toEqual({ path, did: 'restored' })
})

test('ids from outside are no paths; a log needs a folder and bounds', async () => {
  const undo = fileUndo({ dir: await workspaceWith() })
  await expect(undo.contentOf('../../etc/passwd')).rejects.toThrow('"../../etc/passwd" is no id of a change.')
  expect(() => fileUndo({ dir: '' })).toThrow('fileUndo() needs `dir`, the path of a folder for it alone.')
  expect(() => fileUndo({ dir: 'x', maxBytes: 0 })).toThrow('fileUndo({ maxBytes }): expected a number above 0, got 0.')
})
