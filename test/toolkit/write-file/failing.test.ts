import { readdir, readFile as read, writeFile as write } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { localFiles as files } from '../../../src/host/local-files.ts'
import { writeAtomically } from '../../../src/toolkit/files/atomic-write.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

const signal = new AbortController().signal
const data = Buffer.from('new')

test('a file that changed while it was written is left alone, and no temporary file stays', async () => {
  const workspace = await workspaceWith({ 'a.txt': 'old' })
  const path = join(workspace, 'a.txt')
  const replaces = await files.stat(path)
  await write(path, 'other')
  expect(await failureOf(writeAtomically({ files, path, data, replaces, signal }))).toBe(
    `${JSON.stringify(path)} was changed by somebody else just now. It was not written; read it again first.`,
  )
  expect({ text: await read(path, 'utf8'), names: await readdir(workspace) }).toEqual({ text: 'other', names: ['a.txt'] })
})

test('a file that came into being meanwhile is not overwritten', async () => {
  const workspace = await workspaceWith({ 'a.txt': 'old' })
  const path = join(workspace, 'a.txt')
  expect(await failureOf(writeAtomically({ files, path, data, replaces: undefined, signal }))).toMatch(
    /was changed by somebody else just now/,
  )
  expect({ text: await read(path, 'utf8'), names: await readdir(workspace) }).toEqual({ text: 'old', names: ['a.txt'] })
})

test('a cancel in the middle leaves the old file and no temporary one', async () => {
  const workspace = await workspaceWith({ 'a.txt': 'old' })
  const path = join(workspace, 'a.txt')
  const replaces = await files.stat(path)
  // Fires at its second look: the temporary file is there by then.
  let looks = 0
  const throwIfAborted = (): void => {
    if (++looks === 2) throw new Error('stopped')
  }
  const late = { throwIfAborted } as AbortSignal
  expect(await failureOf(writeAtomically({ files, path, data, replaces, signal: late }))).toBe('stopped')
  expect({ text: await read(path, 'utf8'), names: await readdir(workspace) }).toEqual({ text: 'old', names: ['a.txt'] })
})
