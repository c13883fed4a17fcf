import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { flagsAtOnce } from '../../support/flags.ts'
import { writeFile } from '../../../src/toolkit/index.ts'
import { workspaceWith } from '../support/workspace.ts'

test('destructive is what lies outside the workspace once links are followed', async () => {
  const base = await workspaceWith({ 'app/a.txt': '', 'app-secret/b.txt': '', 'elsewhere/c.txt': '' })
  const workspace = join(base, 'app')
  await symlink(join(base, 'elsewhere'), join(workspace, 'out'))
  await symlink(join(base, 'elsewhere/new.txt'), join(workspace, 'dangling'))
  await symlink('a.txt', join(workspace, 'in'))
  await symlink('circle', join(workspace, 'circle'))
  const tool = writeFile({ workspace })
  const isDestructive = (path: string): boolean => flagsAtOnce(tool, { path, content: '' }).destructive
  const paths = [
    'a.txt',
    'new/deep/file.txt',
    'in',
    workspace + '/x',
    '../app/x',
    '../app-secret/b.txt',
    '..',
    '/etc/passwd',
    '~/x',
    'out/c.txt',
    'out/new/deep.txt',
    'dangling',
    'circle',
    'a.txt/b',
    '',
  ]
  expect(paths.filter(isDestructive)).toEqual([
    '../app-secret/b.txt',
    '..',
    '/etc/passwd',
    '~/x',
    'out/c.txt',
    'out/new/deep.txt',
    'dangling',
    'circle',
    'a.txt/b',
    '',
  ])
})

test('a workspace that is reached through a link is the same workspace', async () => {
  const base = await workspaceWith()
  await mkdir(join(base, 'real'))
  await symlink('real', join(base, 'link'))
  const tool = writeFile({ workspace: join(base, 'link') })
  expect(
    [flagsAtOnce(tool, { path: 'a.txt' }), flagsAtOnce(tool, { path: join(base, 'real/a.txt') })].map(({ destructive, safe }) => ({
      destructive,
      safe,
    })),
  ).toEqual([
    { destructive: false, safe: join(base, 'real/a.txt') },
    { destructive: false, safe: join(base, 'real/a.txt') },
  ])
})
