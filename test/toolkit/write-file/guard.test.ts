import { chmod, readdir, readFile as read, utimes, writeFile as write } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileLog, readFile, writeFile } from '../../../src/toolkit/index.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

async function session(text: string) {
  const workspace = await workspaceWith({ 'a.txt': text })
  const files = fileLog()
  const readTool = readFile({ workspace, files })
  const writeTool = writeFile({ workspace, files })
  return {
    workspace,
    path: join(workspace, 'a.txt'),
    read: (offset?: number, limit?: number) => readTool({ path: 'a.txt', offset, limit }),
    overwrite: (path = 'a.txt') => writeTool({ path, content: 'new\n' }),
  }
}

const changed =
  '"a.txt" has changed since it was last read or written, so it was not overwritten. Read it again with read_file, then write.'

test('a file that was not read is not overwritten', async () => {
  const { path, overwrite } = await session('old\n')
  expect(await failureOf(overwrite())).toBe(
    '"a.txt" exists and was not read in this session, so it was not overwritten. Read it with read_file first, then write. A file that read_file cannot show has to be moved away first.',
  )
  expect(await read(path, 'utf8')).toBe('old\n')
})

test('a file that has changed since is not, until it was read again', async () => {
  const { path, read: readTool, overwrite } = await session('old\n')
  await readTool()
  await write(path, 'other\n')
  expect(await failureOf(overwrite())).toBe(changed)
  await readTool()
  expect(await overwrite()).toMatch(/^Overwrote/)
})

test('a change that keeps size and time is seen', async () => {
  const { path, read: readTool, overwrite } = await session('old\n')
  await utimes(path, 1000, 1000)
  await readTool()
  await write(path, 'odd\n')
  await utimes(path, 1000, 1000)
  expect(await failureOf(overwrite())).toBe(changed)
})

test('a new time alone is no change', async () => {
  const { path, read: readTool, overwrite } = await session('old\n')
  await readTool()
  await utimes(path, 1000, 1000)
  expect(await overwrite()).toMatch(/^Overwrote/)
})

test('a file that was written and then changed by others is not overwritten', async () => {
  const { path, read: readTool, overwrite } = await session('old\n')
  await readTool()
  await overwrite()
  await write(path, 'other\n')
  expect(await failureOf(overwrite())).toBe(changed)
})

test('a file that was read in part is not, until its last line was read', async () => {
  const { read: readTool, overwrite } = await session('1\n2\n3\n4\n')
  await readTool(1, 2)
  expect(await failureOf(overwrite())).toBe(
    'Only the first 2 lines of 4 of "a.txt" were read, so it was not overwritten: the rest would be lost unseen. Read on with read_file and offset=3, then write.',
  )
  await readTool(4)
  expect(await failureOf(overwrite())).toMatch(/^Only the first 2 lines/)
  await readTool(3)
  expect(await overwrite()).toMatch(/^Overwrote/)
})

test('pages of two states of a file do not add up', async () => {
  const { path, read: readTool, overwrite } = await session('1\n2\n')
  await readTool(1, 1)
  await write(path, 'x\n2\n')
  await readTool(2, 1)
  expect(await failureOf(overwrite())).toMatch(/^Only the first 0 lines of 2/)
})

test('an empty file that was read may be overwritten', async () => {
  const { read: readTool, overwrite } = await session('')
  await readTool()
  expect(await overwrite()).toBe('Overwrote a.txt (1 line, 4 bytes; before: 0 bytes).\n@@ -0,0 +1,1 @@\n+new')
})

test('a read-only file is not, whoever runs this', async () => {
  const { workspace, path, read: readTool, overwrite } = await session('old\n')
  await chmod(path, 0o444)
  await readTool()
  expect(await failureOf(overwrite())).toBe(
    `${JSON.stringify(path)} is read-only (mode 444). If it should be changed all the same, make it writable first: chmod u+w`,
  )
  expect({ text: await read(path, 'utf8'), names: await readdir(workspace) }).toEqual({ text: 'old\n', names: ['a.txt'] })
})

test('nor is one that may be run but not written', async () => {
  const { path, read: readTool, overwrite } = await session('old\n')
  await chmod(path, 0o555)
  await readTool()
  expect(await failureOf(overwrite())).toMatch(/ is read-only \(mode 555\)\./)
})

test('a cancelled call writes nothing', async () => {
  const { workspace } = await session('old\n')
  const tool = writeFile({ workspace })
  expect(await failureOf(tool({ path: 'b.txt', content: 'x' }, { signal: AbortSignal.abort(new Error('stopped')) }))).toBe('stopped')
  expect(await readdir(workspace)).toEqual(['a.txt'])
})
