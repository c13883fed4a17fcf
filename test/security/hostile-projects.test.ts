import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shell } from '../../src/toolkit/index.ts'
import { flagsOf } from '../../src/tools/flags.ts'
import { workspaceWith } from '../toolkit/support/workspace.ts'
import { judgeIn } from './judge.ts'

const repository = {
  'app/.git/HEAD': 'ref: refs/heads/main\n',
  'app/.git/objects/x': '',
  'app/.git/refs/heads/x': '',
  'app/.git/config': '[core]\n\tbare = false\n',
}
const entry = (mode: number): Buffer =>
  Buffer.concat([
    Buffer.from('DIRC\0\0\0\u0002\0\0\0\u0001'),
    Buffer.alloc(24),
    Buffer.from([0, 0, mode, mode === 0xe0 ? 0 : 0xa4]),
    Buffer.alloc(40),
  ])

describe('a repository that comes as an archive: git is asked for where it runs what stands in it', () => {
  test.each<readonly [string, string, Readonly<Record<string, string | Uint8Array>>, boolean]>([
    ['nothing that runs', '.', {}, true],
    ['nothing that runs, in a folder of it', 'src', { 'app/src/x': '' }, true],
    ['an ordinary list of files', '.', { 'app/.git/index': entry(0x81) }, true],
    ['settings above that run something', 'src', { 'app/src/x': '', 'app/.git/config': '[core]\n\tfsmonitor = ./x\n' }, false],
    ['a hook that is told when git looks for changes', '.', { 'app/.git/hooks/post-index-change': '' }, false],
    ['other hooks, which reading does not run', '.', { 'app/.git/hooks/pre-commit': '' }, true],
    ['settings elsewhere', '.', { 'app/.git/commondir': '../evil\n' }, false],
    ['a list of files in two parts', '.', { 'app/.git/sharedindex.0123': '' }, false],
    ['a repository in its list of files', '.', { 'app/.git/index': entry(0xe0) }, false],
    ['a program that looks at signatures', '.', { 'app/.git/config': '[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ./x\n' }, false],
    [
      'an empty `.git` below one that runs something',
      'sub',
      { 'app/sub/.git/x': '', 'app/.git/config': '[core]\n\tfsmonitor = ./x\n' },
      false,
    ],
    [
      'a whole `.git` below one that runs something',
      'sub',
      {
        'app/sub/.git/HEAD': 'ref: refs/heads/main\n',
        'app/sub/.git/objects/x': '',
        'app/sub/.git/refs/x': '',
        'app/.git/config': '[core]\n\tfsmonitor = ./x\n',
      },
      true,
    ],
    [
      'a folder laid out as a repository, its parts elsewhere',
      'sub',
      { 'app/sub/HEAD': 'ref: refs/heads/main\n', 'app/sub/commondir': '../evil\n' },
      false,
    ],
  ])('%s, in %s', async (_, folder, files, isRead) => {
    const workspace = join(await workspaceWith({ ...repository, ...files }), 'app')
    const run = shell({ workspace })
    if (folder !== '.') await run({ command: `cd ${folder}` })
    const flags = await Promise.all(['git status', 'git diff', 'git log'].map(async (command) => await flagsOf(run, { command })))
    expect(flags.map(({ readOnly }) => readOnly)).toEqual([isRead, isRead, isRead])
  })

  test('and a rule that allows something else does not allow it', async () => {
    const workspace = join(await workspaceWith({ ...repository, 'app/.git/config': '[core]\n\tfsmonitor = ./x\n', 'app/src/x': '' }), 'app')
    const judge = judgeIn(workspace, { rules: ['allow shell(npm *)'] })
    for (const command of ['git status', 'git log; npm test', 'cd src && git diff']) expect(await judge('shell', { command })).toBe('ask')
  })
})

describe('folders of the workspace in the path, as when npx has started the program', () => {
  const planted = async (name: string) => {
    const workspace = await workspaceWith({ [`bin/${name}`]: `#!/bin/sh\necho planted "$@"\n`, 'a.txt': 'A' })
    await chmod(join(workspace, 'bin', name), 0o755)
    return { workspace, env: { ...process.env, PATH: `${join(workspace, 'bin')}:${process.env['PATH']}` } }
  }

  test('a program that is planted there does not only read', async () => {
    const { workspace, env } = await planted('cat')
    const readOnly = async (PATH: string, command: string): Promise<boolean> =>
      (await flagsOf(shell({ workspace, env: { ...env, PATH } }), { command })).readOnly
    const system = process.env['PATH']!
    expect([await readOnly(env.PATH, 'cat a.txt'), await readOnly(env.PATH, 'wc a.txt'), await readOnly(env.PATH, 'echo x; cd .')]).toEqual(
      [false, true, true],
    )
    expect([await readOnly(`${system}:${join(workspace, 'bin')}`, 'cat a.txt'), await readOnly(`bin:${system}`, 'cat a.txt')]).toEqual([
      true,
      false,
    ])
    expect([await readOnly(`none:${system}`, 'cat a.txt'), await readOnly(`none:${system}`, 'cd x && cat a.txt')]).toEqual([true, false])
  })

  test('a bash that is planted there runs nothing', async () => {
    const { workspace, env } = await planted('bash')
    expect((await shell({ workspace, env })({ command: 'echo real' })).content).toBe('exit_code: 0\nreal')
    await rm(join(workspace, 'bin'), { recursive: true })
    await mkdir(join(workspace, 'bin'))
    await writeFile(join(workspace, 'bin', 'x'), '')
    expect((await shell({ workspace, env })({ command: 'echo real' })).content).toBe('exit_code: 0\nreal')
  })
})
