import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Agent } from 'lena-agent'
import type { ToolResultBlock } from 'lena-agent'
import { McpClient } from 'lena-agent/mcp'
import { scriptedModel } from 'lena-agent/testing'
import { tempFolder } from './support/odd.ts'
import { filesystem } from './support/reference.ts'

it('the reference server of files works for an agent', async () => {
  const folder = await tempFolder()
  const file = join(folder, 'a.txt')
  const client = new McpClient({ command: process.execPath, args: [filesystem, folder], name: 'files', prefix: 'fs_' })
  const model = scriptedModel(
    { calls: [{ name: 'fs_write_file', input: { path: file, content: 'one\ntwo\n' } }] },
    { calls: [{ name: 'fs_edit_file', input: { path: file, edits: [{ oldText: 'two', newText: 'three' }] } }] },
    {
      calls: [
        { name: 'fs_read_text_file', input: { path: file } },
        { name: 'fs_read_text_file', input: { path: '/etc/passwd' } },
      ],
    },
    { text: 'ok' },
  )
  const agent = new Agent({ model, tools: [client] })
  onTestFinished(() => agent.close())
  expect((await agent.invoke('go')).text).toBe('ok')
  expect(await readFile(file, 'utf8')).toBe('one\nthree\n')
  const results = agent.messages.flatMap(({ content }) => content.filter((block): block is ToolResultBlock => block.type === 'tool_result'))
  expect(results.map(({ status }) => status)).toEqual(['success', 'success', 'success', 'error'])
  expect(results[2]!.structuredContent).toEqual({ content: 'one\nthree\n' })
  expect(agent.tools.get('fs_read_text_file')).toMatchObject({ isReadOnly: true, isDestructive: false })
  expect(agent.tools.get('fs_write_file')).toMatchObject({ isReadOnly: false, isDestructive: true })
  // It has neither.
  expect([await client.resources.list(), await client.prompts.list()]).toEqual([[], []])
}, 60_000)
