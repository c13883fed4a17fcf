import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { Agent } from 'lena-agent'
import { permissions } from 'lena-agent/permissions'
import { checkEvents, collect, scriptedModel } from 'lena-agent/testing'
import { toolkit, undoLast } from 'lena-agent/toolkit'
import { canMakeBoxes } from '../../toolkit/host/support/box.ts'
import { inBox } from '../../toolkit/host/support/in-box.ts'

vi.setConfig({ testTimeout: 60_000 })

describe.runIf(canMakeBoxes())('an agent whose tools work on another machine', () => {
  const box = inBox()

  test('does a whole task there', async () => {
    const { workspace, outside } = await box.workspaceOf({ 'greet.sh': 'echo Helo\n', 'docs/readme.md': 'It says Helo.\n' })
    const host = box.host()
    const model = scriptedModel(
      {
        calls: [
          { name: 'grep', input: { pattern: 'Helo' } },
          { name: 'read_file', input: { path: 'greet.sh' } },
          { name: 'read_file', input: { path: 'docs/readme.md' } },
        ],
      },
      {
        calls: [
          { name: 'edit_file', input: { path: 'greet.sh', old: 'Helo', new: 'Hello' } },
          { name: 'edit_file', input: { path: 'docs/readme.md', old: 'Helo', new: 'Hello' } },
        ],
      },
      { calls: [{ name: 'shell', input: { command: 'bash greet.sh' } }] },
      { calls: [{ name: 'task', input: { task: 'Write down what is there.' } }] },
      { calls: [{ name: 'shell', input: { command: 'ls docs >list; cat list' } }] },
      { text: 'list' },
      { text: 'It greets you now.' },
    )
    const tools = toolkit({ host, workspace })
    const gate = permissions({ host, workspace, mode: 'accept_edits', rules: ['allow shell'] })
    const agent = new Agent({ model, tools: [tools], plugins: [gate] })
    const { events, result } = await collect(agent.stream('The greeting has a slip.'))

    expect(result?.text).toBe('It greets you now.')
    expect(checkEvents(events)).toEqual([])
    const ends = events.flatMap((event) => (event.type === 'tool_end' ? [`${event.name} ${event.result.status}`] : []))
    expect(ends.sort()).toEqual([
      'edit_file success',
      'edit_file success',
      'grep success',
      'read_file success',
      'read_file success',
      'shell success',
      'task success',
    ])
    const said = events.flatMap((event) => (event.type === 'tool_end' && event.name === 'shell' ? event.result.content : []))
    expect(said).toEqual([{ type: 'text', text: 'exit_code: 0\nHello' }])
    expect(await readFile(join(outside, 'list'), 'utf8')).toBe('readme.md\n')

    expect(await readFile(join(outside, 'docs/readme.md'), 'utf8')).toBe('It says Hello.\n')
    await undoLast(tools.undo, { host })
    await undoLast(tools.undo, { host })
    expect(await readFile(join(outside, 'greet.sh'), 'utf8')).toBe('echo Helo\n')
    expect(await readFile(join(outside, 'docs/readme.md'), 'utf8')).toBe('It says Helo.\n')
    await expect(access(workspace)).rejects.toThrow()
  })
})
