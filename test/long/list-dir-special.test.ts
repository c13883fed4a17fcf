import { expect, test } from 'vitest'
import { listDir } from '../../src/toolkit/index.ts'
import { holdingHost } from '../toolkit/support/holding-host.ts'
import { failureOf, workspaceWith } from '../toolkit/support/workspace.ts'

test('what is no file says what it is, and what is gone meanwhile that it cannot be read', async () => {
  const workspace = await workspaceWith({ 'here.txt': 'x' })
  const host = holdingHost([
    { name: 'a', kind: 'socket' },
    { name: 'b', kind: 'device' },
    { name: 'c', kind: 'fifo' },
    { name: 'd', kind: 'other' },
    { name: 'gone.txt', kind: 'file' },
    { name: 'gone-link', kind: 'link' },
    { name: 'here.txt', kind: 'file' },
    { name: 'folder', kind: 'folder' },
  ])
  expect(await listDir({ workspace, host })({})).toBe(
    [
      'folder/',
      'a (socket)',
      'b (device)',
      'c (named pipe)',
      'd (device)',
      'gone-link (not readable)',
      'gone.txt (not readable)',
      'here.txt (1 B)',
    ].join('\n'),
  )
})

test('a cancelled call ends, however many entries there are', async () => {
  const workspace = await workspaceWith()
  const controller = new AbortController()
  let entries = 0
  const host = holdingHost(
    Array.from({ length: 100 }, (_, index) => ({ name: `${index}`, kind: 'file' as const })),
    () => {
      if (++entries === 10) controller.abort(new Error('stopped'))
    },
  )
  expect(await failureOf(listDir({ workspace, host })({ all: true }, { signal: controller.signal }))).toBe('stopped')
  expect(entries).toBe(10)
})

test('all that is ignored, and nothing else', async () => {
  const workspace = await workspaceWith({ 'src/.gitignore': '*\n' })
  expect(await listDir({ workspace })({ path: 'src' })).toBe('[Ignored, not shown: .gitignore. all=true shows what ignore files name.]')
})

test('ten ignored names are told without a count', async () => {
  const names = Array.from({ length: 9 }, (_, index) => `${index}.log`)
  const workspace = await workspaceWith({ '.ignore': '*.log\n.ignore\n', ...Object.fromEntries(names.map((name) => [name, ''])) })
  expect(await listDir({ workspace })({})).toBe(
    `[Ignored, not shown: .ignore, ${names.join(', ')}. all=true shows what ignore files name.]`,
  )
})

test('of more than 100,000 entries those that come later are counted, and not sorted', async () => {
  const workspace = await workspaceWith()
  const entries = Array.from({ length: 100_002 }, (_, index) => ({ name: String(200_000 - index), kind: 'socket' as const }))
  const shown = (await listDir({ workspace, host: holdingHost(entries) })({ all: true })).split('\n')
  expect([shown[0], shown[999], shown[1000]]).toEqual([
    '100001 (socket)',
    '101000 (socket)',
    '[99002 more of 100002 entries are not shown. Narrow it down with shell, for example: ls | grep PATTERN]',
  ])
})
