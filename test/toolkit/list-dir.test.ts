import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listDir, shell } from '../../src/toolkit/index.ts'
import { failureOf, workspaceWith } from './support/workspace.ts'

test('folders first, then by name; hidden entries too; links and special files marked', async () => {
  const workspace = await workspaceWith({
    'b.txt': '12345',
    'a.txt': '',
    '.hidden': 'x',
    'big.bin': Buffer.alloc(1536),
    'src/index.ts': '',
    '.git/config': '',
    'two\nlines': '',
  })
  await symlink('src', join(workspace, 'to-src'))
  await symlink('nowhere', join(workspace, 'broken'))
  await shell({ workspace })({ command: 'mkfifo pipe' })
  expect(await listDir({ workspace })({})).toBe(
    [
      '.git/',
      'src/',
      'to-src/ -> src',
      '.hidden (1 B)',
      'a.txt (0 B)',
      'b.txt (5 B)',
      'big.bin (1.5 KB)',
      'broken -> nowhere',
      'pipe (named pipe)',
      '"two\\nlines" (0 B)',
    ].join('\n'),
  )
})

test('a folder by its path, and an empty one', async () => {
  const workspace = await workspaceWith({ 'src/index.ts': '' })
  await mkdir(join(workspace, 'empty'))
  const list = listDir({ workspace })
  expect(await list({ path: 'src' })).toBe('index.ts (0 B)')
  expect(await list({ path: join(workspace, 'empty') })).toBe('[The folder is empty.]')
})

test('at most 1,000 entries, the others counted', async () => {
  const names = Array.from({ length: 1003 }, (_, index) => `file-${String(index).padStart(4, '0')}`)
  const workspace = await workspaceWith(Object.fromEntries(names.map((name) => [name, ''])))
  const shown = (await listDir({ workspace })({})).split('\n')
  expect(shown).toEqual([
    ...names.slice(0, 1000).map((name) => `${name} (0 B)`),
    '[3 more of 1003 entries are not shown. Narrow it down with shell, for example: ls | grep PATTERN]',
  ])
})

test('long names: fewer entries, within the budget of a result', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `${String(index).padStart(3, '0')}${'x'.repeat(200)}`)
  const workspace = await workspaceWith(Object.fromEntries(names.map((name) => [name, ''])))
  const shown = (await listDir({ workspace })({})).split('\n')
  expect(shown.at(-1)).toBe(
    `[${300 - (shown.length - 1)} more of 300 entries are not shown. Narrow it down with shell, for example: ls | grep PATTERN]`,
  )
  expect(shown.join('\n').length).toBeLessThan(30_000)
})

test('what is no folder', async () => {
  const workspace = await workspaceWith({ 'src/a.txt': '' })
  const list = listDir({ workspace })
  expect(await failureOf(list({ path: 'src/a.txt' }))).toBe('"src/a.txt" is not a folder. Use read_file to see what is in a file.')
  expect(await failureOf(list({ path: 'scr' }))).toBe('"scr" does not exist. Did you mean "src"? See what is there with list_dir.')
})

test('what ignore files name is told in one line, or shown on request', async () => {
  const workspace = await workspaceWith({
    '.gitignore': 'node_modules/\n*.log\n!keep.log\n',
    'a.ts': '',
    'b.log': '',
    'keep.log': '',
    'node_modules/x/index.js': '',
    'src/.ignore': 'secret\n',
    'src/c.log': '',
    'src/secret': '',
  })
  const list = listDir({ workspace })
  expect(await list({})).toBe(
    [
      'src/',
      '.gitignore (30 B)',
      'a.ts (0 B)',
      'keep.log (0 B)',
      '[Ignored, not shown: b.log, node_modules/. all=true shows what ignore files name.]',
    ].join('\n'),
  )
  expect(await list({ path: 'src' })).toBe('.ignore (7 B)\n[Ignored, not shown: c.log, secret. all=true shows what ignore files name.]')
  expect(await list({ path: 'src', all: true })).toBe('.ignore (7 B)\nc.log (0 B)\nsecret (0 B)')
  // A folder that is asked for is shown, ignored or not.
  expect(await list({ path: 'node_modules' })).toBe('x/')
})

test('many ignored entries are counted', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `${String(index).padStart(2, '0')}.log`)
  const workspace = await workspaceWith({ '.gitignore': '*.log\n', ...Object.fromEntries(names.map((name) => [name, ''])) })
  expect((await listDir({ workspace })({})).split('\n').at(-1)).toMatch(/^\[Ignored, not shown: (\d\d\.log, ){9}\d\d\.log and 2 more\./)
})
