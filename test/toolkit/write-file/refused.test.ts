import { expect, test } from 'vitest'
import { localFiles } from '../../../src/host/local-files.ts'
import { fileLog, shell, writeFile } from '../../../src/toolkit/index.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

test('half a character at the very beginning', async () => {
  const workspace = await workspaceWith()
  expect(await failureOf(writeFile({ workspace })({ path: 'a.txt', content: '\udc00a' }))).toBe(
    'content holds half of a character (a lone surrogate) at index 0. Nothing was written; send the content again without it.',
  )
})

test('a file whose lines were not counted to the end', async () => {
  const workspace = await workspaceWith({ 'a.txt': 'x\n' })
  const files = fileLog()
  const { size, mtimeNs } = await localFiles.stat(`${workspace}/a.txt`)
  files.sawLines(`${workspace}/a.txt`, { size, mtimeNs }, { from: 1, to: 1, lines: undefined })
  expect(await failureOf(writeFile({ workspace, files })({ path: 'a.txt', content: 'new' }))).toBe(
    'Only the first 1 line of "a.txt" was read, so it was not overwritten: the rest would be lost unseen. Read on with read_file and offset=2, then write.',
  )
})

test('what is no regular file is refused without being opened: a pipe would wait for its writer', async () => {
  const workspace = await workspaceWith()
  await shell({ workspace })({ command: 'mkfifo pipe' })
  expect(await failureOf(writeFile({ workspace })({ path: 'pipe', content: 'x' }))).toBe(
    '"pipe" is a named pipe (FIFO), not a regular file, and was not opened.',
  )
})
