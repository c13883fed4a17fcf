import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { describe, expect, test } from 'vitest'
import { glob, grep } from '../../src/toolkit/index.ts'
import { engines } from '../toolkit/support/engines.ts'
import { workspaceWith } from '../toolkit/support/workspace.ts'

test('a line of 20 MB is found, and not shown', { timeout: 60_000 }, async () => {
  const half = 'x'.repeat(10 * 1024 * 1024)
  const workspace = await workspaceWith({ 'a.txt': `one\nhit${half}${half}\nhit\n`, 'b.txt': 'hit\n' })
  expect(await grep({ workspace, ripgrep: rgPath })({ pattern: 'hit' })).toBe(
    'a.txt\n?:[a line of several megabytes matches; it is not shown]\n3:hit\n\nb.txt\n1:hit',
  )
  expect(await grep({ workspace, ripgrep: false })({ pattern: 'hit' })).toMatch(
    /^a\.txt\n2:hitx{497}… \[cut: the line has 4194304 or more characters\]\n3:hit\n\nb\.txt\n1:hit$/,
  )
})

describe.each(engines)('%s', (_, ripgrep) => {
  test('a file of 200 MB is listed, and as it is binary, not searched', { timeout: 60_000 }, async () => {
    const workspace = await workspaceWith({ 'a.txt': 'hit\n', 'large.dat': 'hit\n' })
    await truncate(join(workspace, 'large.dat'), 200 * 1024 * 1024)
    expect(await grep({ workspace, ripgrep })({ pattern: 'hit', show: 'files' })).toBe('a.txt')
    expect(await glob({ workspace, ripgrep })({ pattern: '*.dat' })).toBe('large.dat')
  })

  test('many matching lines of one file are not kept', { timeout: 60_000 }, async () => {
    const workspace = await workspaceWith({ 'a.txt': 'hit\n'.repeat(100_000) })
    expect(await grep({ workspace, ripgrep })({ pattern: 'hit', show: 'counts' })).toBe('a.txt: 100000')
    expect((await grep({ workspace, ripgrep })({ pattern: 'hit', limit: 3 })).split('\n').slice(0, 4)).toEqual([
      'a.txt',
      '1:hit',
      '2:hit',
      '3:hit',
    ])
  })
})
