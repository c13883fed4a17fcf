// Each judgement asks the other machine some dozens of questions, a process each.
import { access, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { workspaceWith } from '../../toolkit/support/workspace.ts'
import { canMakeBoxes } from '../../toolkit/host/support/box.ts'
import { inBox } from '../../toolkit/host/support/in-box.ts'

describe.runIf(canMakeBoxes())('permissions for another machine', () => {
  const box = inBox()
  const rules = ['deny read_file(secret/**)', 'allow shell']

  test('a denied file is refused by whatever way leads to it there', async () => {
    const { workspace } = await box.workspaceOf({ 'secret/key': 'K', way: { link: 'secret/key' }, 'sub/up': { link: '..' }, 'a.txt': 'A' })
    const { results, asked } = await box.gated(
      workspace,
      [
        ['read_file', { path: 'a.txt' }],
        ['read_file', { path: 'secret/key' }],
        ['read_file', { path: 'way' }],
        ['read_file', { path: 'sub/up/secret/key' }],
        ['read_file', { path: `${workspace}/secret/../secret/key` }],
        ['shell', { command: 'cat way' }],
        ['shell', { command: 'cat sub/up/s*/key' }],
      ],
      { rules },
    )
    expect(results.map((result) => result.slice(0, 7))).toEqual(['success', ...Array<string>(6).fill('error: ')])
    expect(results.filter((result) => result.includes('K\n') || result.endsWith('K'))).toEqual([])
    expect(asked).toEqual([])
  })

  test('searches leave denied files out', async () => {
    const { workspace } = await box.workspaceOf({ 'secret/key': 'needle', 'a.txt': 'needle', 'src/b.txt': 'needle' })
    const { results } = await box.gated(
      workspace,
      [
        ['grep', { pattern: 'needle' }],
        ['glob', { pattern: '**' }],
        ['grep', { pattern: 'needle', path: 'secret' }],
      ],
      { rules },
    )
    expect(results[0]).toContain('a.txt')
    expect(results[1]).toContain('src/b.txt')
    expect(results.slice(0, 2).join('\n')).not.toContain('secret/key')
    expect(results[2]).toMatch(/^error: /)
  })

  test('a link that leads out of the workspace is asked for, and so is a path outside', async () => {
    const { workspace } = await box.workspaceOf({ etc: { link: '/etc' }, out: { link: '/root/new' }, in: { link: 'a.txt' }, 'a.txt': 'A' })
    const { results, asked } = await box.gated(workspace, [
      ['read_file', { path: 'in' }],
      ['read_file', { path: 'etc/passwd' }],
      ['list_dir', { path: '/root' }],
      ['write_file', { path: 'out', content: 'x' }],
      ['shell', { command: 'cat etc/passwd' }],
    ])
    expect(results.map((result) => result.slice(0, 7))).toEqual(['success', ...Array<string>(4).fill('error: ')])
    expect(asked.map((each) => each.split(':')[0])).toEqual(['read_file', 'list_dir', 'write_file', 'shell'])
    expect(await box.say('/', 'ls -A /root')).toBe('')
  })

  test('what may destroy there is asked for, whatever is allowed', async () => {
    const { workspace, outside } = await box.workspaceOf({ 'a.txt': 'A', out: { link: '/root' }, 'sub/x': '' })
    const { results, asked } = await box.gated(
      workspace,
      [
        ['shell', { command: 'rm -rf /' }],
        ['shell', { command: 'rm -rf ~' }],
        ['shell', { command: 'rm -r out/' }],
        ['write_file', { path: 'out/x', content: 'x' }],
        ['shell', { command: 'cd /box && rm -rf *' }],
        ['shell', { command: 'rm -r sub' }],
      ],
      { rules, mode: 'accept_edits' },
    )
    expect(results.map((result) => result.slice(0, 7))).toEqual([...Array<string>(5).fill('error: '), 'success'])
    expect(asked).toHaveLength(5)
    expect(await readFile(join(outside, 'a.txt'), 'utf8')).toBe('A')
    await expect(access(join(outside, 'sub'))).rejects.toThrow()
  })

  test('it is the links of that machine that count, not those of this one', async () => {
    const workspace = await workspaceWith({ 'secret/key': 'here', 'public/key': 'here' })
    await symlink('secret', join(workspace, 'open'))
    await box.say(
      '/',
      `mkdir -p ${workspace}/secret ${workspace}/open; cd ${workspace}; ln -s secret public; echo there | tee open/key >secret/key`,
    )
    const { results } = await box.gated(
      workspace,
      [
        ['read_file', { path: 'public/key' }],
        ['read_file', { path: 'open/key' }],
        ['shell', { command: 'cat public/key' }],
        ['shell', { command: 'cat open/key' }],
      ],
      { rules },
    )
    expect(results.map((result) => result.replace(/(?<=error: ).*/s, '…'))).toEqual([
      'error: …',
      'success: 1\tthere',
      'error: …',
      'success: exit_code: 0\nthere',
    ])
  })
})
