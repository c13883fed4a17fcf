import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { glob, shell } from '../../../src/toolkit/index.ts'
import { engines } from '../support/engines.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

const tree = {
  '.env': '',
  '.github/ci.yml': '',
  '.git/config': '',
  'a.ts': '',
  'a/b.ts': '',
  'src/a.ts': '',
  'src/deep/er/c.tsx': '',
  'src/deep/d.test.ts': '',
  'src/[id].ts': '',
  'readme.md': '',
}

describe.each(engines)('%s', (_, ripgrep) => {
  test.each<[string, readonly string[]]>([
    ['*.ts', ['a/b.ts', 'a.ts', 'src/[id].ts', 'src/a.ts', 'src/deep/d.test.ts']],
    ['./*.ts', ['a.ts']],
    ['**/*.ts', ['a/b.ts', 'a.ts', 'src/[id].ts', 'src/a.ts', 'src/deep/d.test.ts']],
    ['src/*', ['src/[id].ts', 'src/a.ts']],
    ['src/**', ['src/[id].ts', 'src/a.ts', 'src/deep/d.test.ts', 'src/deep/er/c.tsx']],
    ['src/**/er/*.{ts,tsx}', ['src/deep/er/c.tsx']],
    ['**/[!a-c]*.{m,t}[sd]', ['readme.md', 'src/[id].ts', 'src/deep/d.test.ts'].filter((path) => path !== 'x')],
    ['src/\\[id\\].ts', ['src/[id].ts']],
    ['?.ts', ['a/b.ts', 'a.ts', 'src/a.ts']],
    ['.*', ['.env']],
    ['**/*.yml', ['.github/ci.yml']],
    ['**/config', []],
  ])('%s', async (pattern, paths) => {
    const workspace = await workspaceWith(tree)
    const said = await glob({ workspace, ripgrep })({ pattern })
    expect(said).toBe(paths.join('\n') || `[No file fits ${JSON.stringify(pattern)}. Files that ignore files name are not looked at.]`)
  })

  test('a folder to look in, given in any way, comes before what is found', async () => {
    const workspace = await workspaceWith(tree)
    const find = glob({ workspace, ripgrep })
    expect(await find({ pattern: '*.tsx', path: 'src/deep' })).toBe('src/deep/er/c.tsx')
    expect(await find({ pattern: 'er/*', path: './src/../src/deep/' })).toBe('src/deep/er/c.tsx')
    expect(await find({ pattern: '*.tsx', path: join(workspace, 'src') })).toBe(join(workspace, 'src/deep/er/c.tsx'))
  })

  test('links are not followed, neither in nor out; a link that is given is', async () => {
    const outside = await workspaceWith({ 'secret.ts': '' })
    const workspace = await workspaceWith({ 'src/a.ts': '' })
    await symlink(outside, join(workspace, 'out'))
    await symlink('src', join(workspace, 'in'))
    await symlink('../a.ts', join(workspace, 'src/link.ts'))
    await symlink('..', join(workspace, 'src/circle'))
    const find = glob({ workspace, ripgrep })
    expect(await find({ pattern: '*.ts' })).toBe('src/a.ts')
    expect(await find({ pattern: '*.ts', path: 'out' })).toBe('out/secret.ts')
  })

  test('only regular files, and a name with a line break in one line', async () => {
    const workspace = await workspaceWith({ 'a\nb.txt': '', 'c.txt': '' })
    await shell({ workspace })({ command: 'mkfifo pipe.txt' })
    await mkdir(join(workspace, 'folder.txt'))
    expect(await glob({ workspace, ripgrep })({ pattern: '*.txt' })).toBe('"a\\nb.txt"\nc.txt')
  })

  test('more than 1,000 files are cut, and it says so', async () => {
    const names = Array.from({ length: 1001 }, (_unused, index) => String(index).padStart(4, '0'))
    const workspace = await workspaceWith(Object.fromEntries(names.map((name) => [name, ''])))
    const find = glob({ workspace, ripgrep })
    expect(await find({ pattern: '*' })).toBe(
      `${names.slice(0, 1000).join('\n')}\n[There are more: these are the first 1000. Give a narrower pattern or a folder as path.]`,
    )
    expect((await find({ pattern: '0*' })).split('\n')).toHaveLength(1000)
  })

  test('a cancelled search ends', async () => {
    const workspace = await workspaceWith(tree)
    const call = glob({ workspace, ripgrep })({ pattern: '*' }, { signal: AbortSignal.abort(new Error('stopped')) })
    expect(await failureOf(call)).toBe('stopped')
  })

  test('a search that takes too long says what it has', async () => {
    const workspace = await workspaceWith(tree)
    // The time is up at once.
    const clock = { now: () => 0, sleep: async () => {} }
    const lines = (await glob({ workspace, ripgrep, clock })({ pattern: '*' })).split('\n')
    expect(lines.pop()).toBe('[The search was ended after 30 s and is not complete. Give a folder as path.]')
    // What was found by then, if anything was.
    const all = (await glob({ workspace, ripgrep })({ pattern: '*' })).split('\n')
    expect(lines.filter((line) => !all.includes(line))).toEqual([])
  })
})

test.each([
  ['/etc/*', 'The pattern "/etc/*" leads out of the folder. Patterns start from "path": give the folder there, and here what is below it.'],
  ['../*', 'The pattern "../*" leads out of the folder. Patterns start from "path": give the folder there, and here what is below it.'],
  ['a[b', 'The "[" of the pattern "a[b" has no "]". Write \\[ for the character.'],
  ['{a,b', 'The "{" of the pattern "**/{a,b" has no "}". Write \\{ for the character.'],
  ['{a,b}'.repeat(9), 'The braces of the pattern stand for more than 256 alternatives. Give fewer of them in one call.'],
])('%s is no pattern', async (pattern, says) => {
  const workspace = await workspaceWith()
  expect(await failureOf(glob({ workspace })({ pattern }))).toBe(says)
})

test('a file and a missing folder are no place to look in', async () => {
  const workspace = await workspaceWith({ 'src/a.ts': '' })
  const find = glob({ workspace })
  expect(await failureOf(find({ pattern: '*', path: 'src/a.ts' }))).toBe('"src/a.ts" is a file. Give the folder to look in.')
  expect(await failureOf(find({ pattern: '*', path: 'scr' }))).toBe(
    '"scr" does not exist. Did you mean "src"? See what is there with list_dir.',
  )
})
