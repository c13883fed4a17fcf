import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { localLookups as look } from '../../../src/host/local-files.ts'
import { shellAccess } from '../../../src/toolkit/command/access.ts'
import { workspaceWith } from '../support/workspace.ts'

const pathsIn = (command: string, cwd: string, workspace: string): readonly string[] =>
  (shellAccess(command, { look, cwd, workspace, home: '/home/me' }).paths ?? []).map(({ path }) => path)

test('where the working folder lies outside, what runs there touches it', async () => {
  const workspace = await workspaceWith({ 'src/a.txt': '' })
  const outside = dirname(workspace)
  const commands = ['ls', 'grep -r x', 'find', 'make', 'ls; echo x']
  expect(commands.map((command) => pathsIn(command, outside, workspace).includes(outside))).toEqual(commands.map(() => true))
  expect(['echo x', 'pwd', `cd ${workspace}`, 'true'].map((command) => pathsIn(command, outside, workspace))).toEqual([
    [],
    [],
    [workspace],
    [],
  ])
  expect([pathsIn('ls', workspace, workspace), pathsIn('make', join(workspace, 'src'), workspace)]).toEqual([[], []])
})

test('cd without a folder goes home, and with options it is still a folder', async () => {
  const workspace = await workspaceWith()
  await mkdir(join(workspace, 'a'))
  expect([pathsIn('cd', workspace, workspace), pathsIn('cd -P a', workspace, workspace), pathsIn('cd -', workspace, workspace)]).toEqual([
    ['/home/me'],
    [join(workspace, 'a')],
    ['/'],
  ])
})

test('what is below a folder is told by which files', async () => {
  const workspace = await workspaceWith()
  const belowOf = (command: string): readonly (readonly [string, boolean, boolean])[] =>
    (shellAccess(command, { look, cwd: workspace, workspace, home: '/home/me' }).paths ?? []).flatMap(({ path, below }) =>
      below ? [[path, below('x/a.ts'), below('x/A.TS.md')] as const] : [],
    )
  expect([
    belowOf('grep -r x'),
    belowOf('grep -r --include="*.ts" x lib'),
    belowOf('grep x lib'),
    belowOf('rg -g "*.ts" -g "*.md" x'),
    belowOf('rg -g "!*.ts" x'),
    belowOf('find lib -iname "*.TS" -exec cat {} +'),
  ]).toEqual([
    [[workspace, true, true]],
    [[join(workspace, 'lib'), true, false]],
    [],
    [[workspace, true, true]],
    [[workspace, true, true]],
    [[join(workspace, 'lib'), true, false]],
  ])
})
