import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { expect, test } from 'vitest'
import { grep } from '../../../src/toolkit/index.ts'
import { rgOnPath, ripgrepOf } from '../../../src/toolkit/search/find-ripgrep.ts'
import { workspaceWith } from '../support/workspace.ts'

test('the packaged one, whatever is on the path; the one that is given; none', async () => {
  const workspace = await workspaceWith({ 'bin/rg': '#!/bin/sh\ntouch planted\n' })
  await chmod(join(workspace, 'bin/rg'), 0o755)
  expect(await ripgrepOf({ workspace, env: { PATH: join(workspace, 'bin') } })()).toBe(rgPath)
  expect(await ripgrepOf({ workspace, ripgrep: '/opt/rg' })()).toBe('/opt/rg')
  expect(await ripgrepOf({ workspace, ripgrep: false })()).toBeUndefined()
})

test('without the package: one on the path, but none from the workspace and none by a relative path', async () => {
  const tools = await workspaceWith({ rg: '' })
  const workspace = await workspaceWith({ 'bin/rg': '' })
  for (const program of [join(tools, 'rg'), join(workspace, 'bin/rg')]) await chmod(program, 0o755)
  const find = (...folders: readonly string[]) => rgOnPath(folders.join(':'), workspace)
  expect(await find(join(workspace, 'bin'), 'bin', '', tools)).toBe(join(tools, 'rg'))
  expect(await find(join(workspace, 'bin'), 'bin', '')).toBeUndefined()
})

test('ripgrep runs without the settings and the environment of the user', async () => {
  const workspace = await workspaceWith({ 'a.txt': 'hit\n', rgrc: '--files-with-matches\n' })
  process.env['RIPGREP_CONFIG_PATH'] = join(workspace, 'rgrc')
  try {
    expect(await grep({ workspace })({ pattern: 'hit' })).toBe('a.txt\n1:hit')
  } finally {
    delete process.env['RIPGREP_CONFIG_PATH']
  }
})
