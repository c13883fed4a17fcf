import { expect, test } from 'vitest'
import { fileLog, fileUndo, memoryUndo, undoLast, writeFile } from '../../../src/toolkit/index.ts'
import type { UndoLog } from '../../../src/toolkit/index.ts'
import { session } from '../support/session.ts'
import { workspaceWith } from '../support/workspace.ts'

test('a change whose old content is gone is not undone', async () => {
  const undo = memoryUndo()
  const { path, edit, text } = await session('one\n', { undo })
  await edit({ old: 'one', new: 'two' })
  const [change] = await undo.changes()
  await expect(undoLast({ ...undo, contentOf: async () => undefined })).rejects.toMatchObject({
    code: 'undo_refused',
    message: `The last change, of ${JSON.stringify(path)}, was not undone: its old content is not kept any more. To pass over it, forget the change: undo.forget("${change!.id}").`,
  })
  expect([await text(), (await undo.changes()).length]).toEqual(['two\n', 1])
})

test.each<[unknown]>([[undefined], [null], [{}]])('%j is no undo log', async (log) => {
  await expect(undoLast(log as UndoLog)).rejects.toThrow(/^undoLast\(\) needs an undo log, such as the `undo` of a toolkit, got /)
})

test('a log that cannot keep the old content lets nothing be written, whatever it throws', async () => {
  const workspace = await workspaceWith()
  const write = (thrown: unknown): Promise<unknown> =>
    Promise.resolve(
      writeFile({ workspace, files: fileLog(), undo: { ...memoryUndo(), keep: () => Promise.reject(thrown) } })({
        path: 'a',
        content: 'x',
      }),
    )
  const says = 'The old content of the file could not be kept for undo, so nothing was written: full'
  await expect(write(new Error('full'))).rejects.toThrow(says)
  await expect(write('full')).rejects.toThrow(says)
})

test('files of a log are counted, those that were there before, too', async () => {
  const dir = `${await workspaceWith()}/undo`
  const keep = (undo: UndoLog, bytes: number): Promise<string | undefined> =>
    undo.keep({ path: '/a', before: { mode: 0o644, content: new Uint8Array(bytes) }, writtenHash: 'h' })
  const held = async (undo: UndoLog): Promise<readonly unknown[]> => (await undo.changes()).map(({ before }) => before?.bytes)
  const bounds = { maxBytes: 10, maxFileBytes: 5 }
  const first = fileUndo({ dir, ...bounds })
  for (const bytes of [1, 4]) await keep(first, bytes)
  const second = fileUndo({ dir, ...bounds })
  expect([await keep(second, 6), (await keep(second, 5)) !== undefined, await held(second)]).toEqual([undefined, true, [1, 4, 5]])
  await keep(second, 1)
  expect(await held(second)).toEqual([4, 5, 1])
  await keep(second, 4)
  expect(await held(second)).toEqual([5, 1, 4])
})

test('the bounds of a log in memory', async () => {
  const undo = memoryUndo({ maxChanges: 2, maxBytes: 3, maxFileBytes: 2 })
  const keep = (bytes: number): Promise<string | undefined> =>
    undo.keep({ path: '/a', before: { mode: 0o644, content: new Uint8Array(bytes) }, writtenHash: 'h' })
  const held = async (): Promise<readonly unknown[]> => (await undo.changes()).map(({ before }) => before?.bytes)
  expect([await keep(3), await held()]).toEqual([undefined, []])
  await keep(1)
  await keep(2)
  expect(await held()).toEqual([1, 2])
  await keep(2)
  expect(await held()).toEqual([2])
  await keep(0)
  await keep(0)
  expect(await held()).toEqual([0, 0])
})
