import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { flagsAtOnce } from '../../support/flags.ts'
import { editFile, writeFile } from '../../../src/toolkit/index.ts'
import { workspaceWith } from '../support/workspace.ts'

test.each(['a.txt', 'src/new.txt', '../a.txt', '/etc/hosts', '~/.profile', 'out/a.txt', 'in/a.txt'])(
  '%s: the flags are those of write_file',
  async (path) => {
    const outside = await workspaceWith({ 'a.txt': '' })
    const workspace = await workspaceWith({ 'src/a.txt': '' })
    await symlink(outside, join(workspace, 'out'))
    await symlink('src', join(workspace, 'in'))
    expect(flagsAtOnce(editFile({ workspace }), { path, old: 'a', new: 'b' })).toEqual(
      flagsAtOnce(writeFile({ workspace }), { path, content: '' }),
    )
  },
)

test('the same file by two names is one key; what leads out cannot be undone', async () => {
  const outside = await workspaceWith({ 'a.txt': '' })
  const workspace = await workspaceWith({ 'src/a.txt': '' })
  await symlink(outside, join(workspace, 'out'))
  await symlink('src', join(workspace, 'in'))
  const flags = (path: string) => {
    const { destructive, safe } = flagsAtOnce(editFile({ workspace }), { path, old: 'a', new: 'b' })
    return { destructive, safe }
  }
  expect([flags('src/a.txt'), flags('in/a.txt'), flags('out/a.txt')]).toEqual([
    { destructive: false, safe: join(workspace, 'src/a.txt') },
    { destructive: false, safe: join(workspace, 'src/a.txt') },
    { destructive: true, safe: join(outside, 'a.txt') },
  ])
})
