import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileUndo } from '../../../src/toolkit/index.ts'
import { workspaceWith } from '../support/workspace.ts'

const id = '000000000001000-000000-0123456789abcdef'
const good = { path: '/a', at: 1, before: { mode: 0o644, bytes: 2 }, writtenHash: 'h' }

/** The changes of a log in whose folder there is one entry with that in it. */
async function changesOf(entry: string): Promise<readonly unknown[]> {
  const dir = join(await workspaceWith(), 'undo')
  await mkdir(dir, { mode: 0o700 })
  await writeFile(join(dir, `${id}.undo`), entry, { mode: 0o600 })
  return await fileUndo({ dir }).changes()
}

test('a whole entry', async () => {
  expect(await changesOf(`${JSON.stringify(good)}\n\0\n`)).toEqual([{ id, ...good }])
  expect(await changesOf(`${JSON.stringify({ ...good, before: undefined })}\n`)).toEqual([{ id, ...good, before: undefined }])
})

test.each([
  ['no line end', JSON.stringify(good)],
  ['no JSON', '{\n\0\n'],
  ['no object', 'null\n\0\n'],
  ['a path that is none', `${JSON.stringify({ ...good, path: 1 })}\n\0\n`],
  ['a time that is none', `${JSON.stringify({ ...good, at: '1' })}\n\0\n`],
  ['a hash that is none', `${JSON.stringify({ ...good, writtenHash: null })}\n\0\n`],
  ['no old state', `${JSON.stringify({ ...good, before: [] })}\n\0\n`],
  ['a mode that is none', `${JSON.stringify({ ...good, before: { mode: '644', bytes: 2 } })}\n\0\n`],
  ['a size that is none', `${JSON.stringify({ ...good, before: { mode: 0o644, bytes: 1.5 } })}\n\0\n`],
  ['less content than it says', `${JSON.stringify(good)}\n\0`],
  ['more content than it says', `${JSON.stringify(good)}\n\0\n\n`],
  ['content where there was no file', `${JSON.stringify({ ...good, before: undefined })}\nx`],
])('%s: passed over', async (_title, entry) => {
  expect(await changesOf(entry)).toEqual([])
})

test('a first line of more than 64 KiB is none', async () => {
  const long = (path: string): string => `${JSON.stringify({ ...good, path })}\n\0\n`
  expect(await changesOf(long('/'.repeat(60_000)))).toHaveLength(1)
  expect(await changesOf(long('/'.repeat(70_000)))).toEqual([])
})

test('a content of more than 64 KiB comes back whole', async () => {
  const undo = fileUndo({ dir: join(await workspaceWith(), 'undo') })
  const content = Buffer.alloc(200_000, 'some text ')
  const kept = await undo.keep({ path: '/a', before: { mode: 0o600, content }, writtenHash: 'h' })
  expect(Buffer.compare(Buffer.from((await undo.contentOf(kept!))!), content)).toBe(0)
})

test('a log that was never written to is empty, and a folder that cannot be read is an error', async () => {
  const place = await workspaceWith({ file: '' })
  expect(await fileUndo({ dir: join(place, 'none') }).changes()).toEqual([])
  await expect(fileUndo({ dir: join(place, 'file') }).changes()).rejects.toThrow('ENOTDIR')
})

test('ids rise, whatever the clock does', async () => {
  const dir = join(await workspaceWith(), 'undo')
  const times = [1000, 1000, 999, 2000, 1500]
  const undo = fileUndo({ dir, clock: { now: () => times[0]! } })
  for (; times.length > 0; times.shift()) await undo.keep({ path: '/a', before: undefined, writtenHash: 'h' })
  expect((await readdir(dir)).sort().map((name) => name.slice(0, 22))).toEqual([
    '000000000001000-000000',
    '000000000001000-000001',
    '000000000001000-000002',
    '000000000002000-000000',
    '000000000002000-000001',
  ])
})
