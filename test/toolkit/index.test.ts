import { expect, test } from 'vitest'
import { flagsAtOnce } from '../support/flags.ts'
import { toolkit } from '../../src/toolkit/index.ts'
import { workspaceWith } from './support/workspace.ts'

test('the tools, their flags and their budgets', async () => {
  const workspace = await workspaceWith()
  const inputs: Readonly<Record<string, unknown>> = {
    read_file: { path: 'a' },
    list_dir: {},
    write_file: { path: 'a', content: '' },
    shell: { command: 'ls' },
    edit_file: { path: 'a', old: 'b', new: 'c' },
    glob: { pattern: '*' },
    grep: { pattern: 'a' },
    todo: { todo: [] },
    web_search: { query: 'a' },
    web_fetch: { url: 'https://example.com/' },
    task: { task: 'a' },
  }
  expect(
    toolkit({ workspace }).map((tool) => ({
      name: tool.name,
      ...flagsAtOnce(tool, inputs[tool.name]),
      maxResultChars: tool.maxResultChars,
    })),
  ).toEqual([
    { name: 'read_file', readOnly: true, destructive: false, safe: true, approval: false, maxResultChars: Infinity },
    { name: 'list_dir', readOnly: true, destructive: false, safe: true, approval: false, maxResultChars: undefined },
    { name: 'write_file', readOnly: false, destructive: false, safe: `${workspace}/a`, approval: false, maxResultChars: undefined },
    { name: 'shell', readOnly: true, destructive: false, safe: true, approval: false, maxResultChars: 30_000 },
    { name: 'edit_file', readOnly: false, destructive: false, safe: `${workspace}/a`, approval: false, maxResultChars: undefined },
    { name: 'glob', readOnly: true, destructive: false, safe: true, approval: false, maxResultChars: undefined },
    { name: 'grep', readOnly: true, destructive: false, safe: true, approval: false, maxResultChars: undefined },
    { name: 'todo', readOnly: true, destructive: false, safe: false, approval: false, maxResultChars: undefined },
    { name: 'web_search', readOnly: true, destructive: false, safe: true, approval: false, maxResultChars: undefined },
    { name: 'web_fetch', readOnly: true, destructive: false, safe: true, approval: false, maxResultChars: undefined },
    { name: 'task', readOnly: false, destructive: false, safe: true, approval: false, maxResultChars: undefined },
  ])
})

test('its tools share what was read', async () => {
  const workspace = await workspaceWith({ 'a.txt': 'old\n' })
  const [readFile, , writeFile] = toolkit({ workspace })
  const context = { signal: new AbortController().signal } as never
  await readFile!.run({ path: 'a.txt' }, context)
  expect(await writeFile!.run({ path: 'a.txt', content: 'new\n' }, context)).toMatch(/^Overwrote a\.txt/)
})

test.each([
  [{ path: 'a.txt', offset: 0 }, 'read_file'],
  [{ path: 3 }, 'read_file'],
  [{ path: 'a.txt' }, 'write_file'],
  [{ path: 'a.txt', edits: [{ old: 'a' }] }, 'edit_file'],
  [{ pattern: 'a', show: 'all' }, 'grep'],
  [{ pattern: '' }, 'glob'],
  [{ command: 'ls', timeout: 601 }, 'shell'],
  [{ command: 'ls', timeout: 0 }, 'shell'],
  [{ query: '' }, 'web_search'],
  [{}, 'web_fetch'],
  [{ task: '' }, 'task'],
])('%j is no input for %s', async (input, name) => {
  const tool = toolkit().find((candidate) => candidate.name === name)!
  expect(await tool.validate!(input)).toHaveProperty('issues')
})
