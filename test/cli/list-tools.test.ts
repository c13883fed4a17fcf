import { describe, expect, it } from 'vitest'
import type { ToolShown } from '../../src/cli/list-tools.ts'
import { lena } from './support/world.ts'

const traits = [
  { name: 'read_file', isReadOnly: true, isDestructive: false, isConcurrencySafe: true },
  { name: 'list_dir', isReadOnly: true, isDestructive: false, isConcurrencySafe: true },
  { name: 'write_file', isReadOnly: false, isDestructive: 'by_input', isConcurrencySafe: 'by_input' },
  { name: 'shell', isReadOnly: 'by_input', isDestructive: 'by_input', isConcurrencySafe: 'by_input' },
  { name: 'edit_file', isReadOnly: false, isDestructive: 'by_input', isConcurrencySafe: 'by_input' },
  { name: 'glob', isReadOnly: true, isDestructive: false, isConcurrencySafe: true },
  { name: 'grep', isReadOnly: true, isDestructive: false, isConcurrencySafe: true },
  { name: 'todo', isReadOnly: true, isDestructive: false, isConcurrencySafe: false },
  { name: 'web_search', isReadOnly: true, isDestructive: false, isConcurrencySafe: true },
  { name: 'web_fetch', isReadOnly: true, isDestructive: false, isConcurrencySafe: true },
  { name: 'task', isReadOnly: false, isDestructive: false, isConcurrencySafe: true },
]

describe('lena tools', () => {
  it('lists the tools with their flags and budgets', async () => {
    const { code, stdout, stderr } = await lena(['tools'])
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/))
    expect({ code, stderr, head: rows[0], rows: rows.slice(1).map((row) => row.slice(0, 4)) }).toEqual({
      code: 0,
      stderr: '',
      head: ['TOOL', 'READ-ONLY', 'DESTRUCTIVE', 'CONCURRENT', 'RESULT BUDGET', 'WHAT IT DOES'],
      rows: [
        ['read_file', 'yes', 'no', 'yes'],
        ['list_dir', 'yes', 'no', 'yes'],
        ['write_file', 'no', 'by input', 'by input'],
        ['shell', 'by input', 'by input', 'by input'],
        ['edit_file', 'no', 'by input', 'by input'],
        ['glob', 'yes', 'no', 'yes'],
        ['grep', 'yes', 'no', 'yes'],
        ['todo', 'yes', 'no', 'no'],
        ['web_search', 'yes', 'no', 'yes'],
        ['web_fetch', 'yes', 'no', 'yes'],
        ['task', 'no', 'no', 'yes'],
      ],
    })
    // Every tool says what it does, in a sentence, and what the model gets of it.
    for (const row of rows.slice(1))
      expect(row.slice(4)).toEqual([expect.stringMatching(/^(its own|[\d,]+ characters)$/), expect.stringMatching(/^[A-Z].*\.$/)])
  })

  it('gives the same as JSON', async () => {
    const { code, stdout, stderr } = await lena(['tools', '--output', 'json'])
    const { tools } = JSON.parse(stdout) as { readonly tools: readonly ToolShown[] }
    expect({
      code,
      stderr,
      tools: tools.map(({ name, isReadOnly, isDestructive, isConcurrencySafe }) => ({
        name,
        isReadOnly,
        isDestructive,
        isConcurrencySafe,
      })),
    }).toEqual({ code: 0, stderr: '', tools: traits })
    expect(Object.keys(tools[0]!)).toEqual([
      'name',
      'description',
      'isReadOnly',
      'isDestructive',
      'isConcurrencySafe',
      'maxResultChars',
      'timeoutMs',
    ])
  })
})
