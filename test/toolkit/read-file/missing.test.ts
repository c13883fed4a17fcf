import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFile } from '../../../src/toolkit/index.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

test('names what comes near in that folder', async () => {
  const workspace = await workspaceWith({ 'src/index.ts': '', 'src/other.md': '' })
  expect(await failureOf(readFile({ workspace })({ path: 'src/indx.ts' }))).toBe(
    '"src/indx.ts" does not exist. Did you mean "index.ts"? See what is there with list_dir.',
  )
})

test('names the folder that is missing', async () => {
  const workspace = await workspaceWith({ 'source/deep/index.ts': '' })
  expect(await failureOf(readFile({ workspace })({ path: 'sorce/deep/index.ts' }))).toBe(
    `"sorce/deep/index.ts" does not exist: there is no folder ${JSON.stringify(join(workspace, 'sorce'))}. Did you mean "source"? See what is there with list_dir.`,
  )
})

test('a path through a file', async () => {
  const workspace = await workspaceWith({ 'a.txt': '' })
  expect(await failureOf(readFile({ workspace })({ path: 'a.txt/b' }))).toBe('A part of "a.txt/b" is a file, not a folder.')
})

test('what cannot be a path', async () => {
  const read = readFile({ workspace: '/' })
  expect(await failureOf(read({ path: '' }))).toBe('The path is empty. Give a path, relative to the workspace or absolute.')
  expect(await failureOf(read({ path: 'a\0b' }))).toBe('The path holds a NUL character, which no file name can have.')
})

test('a cancelled call reads nothing', async () => {
  const workspace = await workspaceWith({ 'a.txt': 'x\n' })
  const reason = new Error('stopped')
  expect(await failureOf(readFile({ workspace })({ path: 'a.txt' }, { signal: AbortSignal.abort(reason) }))).toBe('stopped')
})
