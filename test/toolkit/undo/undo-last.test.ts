import { chmod, readdir, readFile as read, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fileUndo, memoryUndo, undoLast } from '../../../src/toolkit/index.ts'
import type { UndoBounds, UndoLog } from '../../../src/toolkit/index.ts'
import { session } from '../support/session.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

const logs: readonly [string, (bounds?: UndoBounds) => Promise<UndoLog>][] = [
  ['in memory', async (bounds) => memoryUndo(bounds)],
  ['in files', async (bounds) => fileUndo({ dir: join(await workspaceWith(), 'undo'), ...bounds })],
]

describe.each(logs)('%s', (_, makeLog) => {
  test('takes back one change after the other, to the first', async () => {
    const undo = await makeLog()
    const { workspace, path, edit, write, text } = await session('one\r\n', { undo })
    await chmod(path, 0o640)
    await edit({ old: 'one', new: 'two' })
    await write('three\n')
    await write('other\n', 'new/b.txt')
    expect(await undoLast(undo)).toEqual({ path: join(workspace, 'new/b.txt'), did: 'removed' })
    expect(await readdir(join(workspace, 'new'))).toEqual([])
    await chmod(path, 0o755)
    expect(await undoLast(undo)).toEqual({ path, did: 'restored' })
    expect({ text: await text(), mode: (await stat(path)).mode & 0o777 }).toEqual({ text: 'two\r\n', mode: 0o640 })
    expect(await undoLast(undo)).toEqual({ path, did: 'restored' })
    expect(await text()).toBe('one\r\n')
    expect(await undoLast(undo)).toBeUndefined()
  })

  test('what is undone must be read again', async () => {
    const undo = await makeLog()
    const { edit } = await session('one\n', { undo })
    await edit({ old: 'one', new: 'two' })
    await undoLast(undo)
    expect(await failureOf(edit({ old: 'one', new: 'two' }))).toMatch(/^"a\.txt" has changed since/)
  })

  test('a file that is no longer as it was left is not touched', async () => {
    const undo = await makeLog()
    const { path, edit, text } = await session('one\n', { undo })
    await edit({ old: 'one', new: 'two' })
    const [change] = await undo.changes()
    await writeFile(path, 'by hand\n')
    await expect(undoLast(undo)).rejects.toMatchObject({
      code: 'undo_refused',
      message: `The last change, of ${JSON.stringify(path)}, was not undone: it was changed since. To pass over it, forget the change: undo.forget("${change!.id}").`,
    })
    expect(await text()).toBe('by hand\n')
    await rm(path)
    await expect(undoLast(undo)).rejects.toThrow('was not undone: it is not there any more.')
    await undo.forget(change!.id)
    expect(await undoLast(undo)).toBeUndefined()
  })

  test('a write that fails leaves nothing to undo', async () => {
    const undo = await makeLog()
    const { path, edit } = await session('one\n', { undo })
    await chmod(path, 0o444)
    await failureOf(edit({ old: 'one', new: 'two' }))
    expect(await undo.changes()).toEqual([])
  })

  test('the oldest go when there are too many, or too much; what is too large is not kept, and it says so', async () => {
    const undo = await makeLog({ maxChanges: 2, maxBytes: 30, maxFileBytes: 20 })
    const { path, write } = await session('0\n', { undo })
    for (const text of ['1\n', '2\n', '3\n']) await write(text)
    expect((await undo.changes()).map(({ before }) => before?.bytes)).toEqual([2, 2])
    await write('x'.repeat(20))
    await write('y'.repeat(21))
    expect((await undo.changes()).map(({ before }) => before?.bytes)).toEqual([2, 20])
    expect(await write('z')).toContain('[The old content is too large to be kept: this cannot be undone.]')
    expect(await read(path, 'utf8')).toBe('z')
    await expect(undoLast(undo)).rejects.toThrow('it was changed since')
  })
})

test('without a log of their own the tools keep theirs in memory', async () => {
  const { edit, undo, text } = await session('one\n')
  await edit({ old: 'one', new: 'two' })
  await undoLast(undo)
  expect(await text()).toBe('one\n')
})
