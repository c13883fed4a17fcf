import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Agent } from 'lena-agent'
import type { ToolResultBlock } from 'lena-agent'
import { McpClient } from 'lena-agent/mcp'
import { scriptedModel } from 'lena-agent/testing'
import { tempFolder } from './support/odd.ts'
import { filesystem } from './support/reference.ts'

/** A picture of one pixel. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

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

it('all its tools are called by an agent', async () => {
  const folder = await tempFolder()
  const at = (...names: string[]): string => join(folder, ...names)
  const calls = [
    { name: 'create_directory', input: { path: at('sub') } },
    { name: 'write_file', input: { path: at('a.txt'), content: 'one\n' } },
    { name: 'edit_file', input: { path: at('a.txt'), edits: [{ oldText: 'one', newText: 'two' }] } },
    { name: 'move_file', input: { source: at('a.txt'), destination: at('sub', 'b.txt') } },
    { name: 'read_file', input: { path: at('sub', 'b.txt') } },
    { name: 'read_text_file', input: { path: at('sub', 'b.txt'), head: 1 } },
    { name: 'read_media_file', input: { path: at('dot.png') } },
    { name: 'read_multiple_files', input: { paths: [at('sub', 'b.txt')] } },
    { name: 'list_directory', input: { path: folder } },
    { name: 'list_directory_with_sizes', input: { path: folder } },
    { name: 'directory_tree', input: { path: folder } },
    { name: 'search_files', input: { path: folder, pattern: '**/*.txt' } },
    { name: 'get_file_info', input: { path: at('sub', 'b.txt') } },
    { name: 'list_allowed_directories', input: {} },
  ]
  await writeFile(at('dot.png'), Buffer.from(dot, 'base64'))
  const client = new McpClient({ command: process.execPath, args: [filesystem, folder], name: 'files' })
  // One after the other: what the later ones read, the earlier ones write.
  const model = scriptedModel(...calls.map((call) => ({ calls: [call] })), { text: 'ok' })
  const agent = new Agent({ model, tools: [client] })
  onTestFinished(() => agent.close())
  expect((await agent.invoke('go')).text).toBe('ok')
  expect(agent.tools.names.toSorted()).toEqual(calls.map(({ name }) => name).toSorted())
  const results = agent.messages.flatMap(({ content }) => content.filter((block): block is ToolResultBlock => block.type === 'tool_result'))
  expect(results.map(({ status }, index) => `${calls[index]!.name}: ${status}`)).toEqual(calls.map(({ name }) => `${name}: success`))
  expect(results.every(({ structuredContent }) => structuredContent !== undefined)).toBe(true)
  const said = (name: string): string => JSON.stringify(results[calls.findIndex((call) => call.name === name)]!.content)
  expect(said('read_media_file')).toContain('"type":"image"')
  expect([said('list_directory'), said('directory_tree'), said('search_files')].map((text) => /sub|b\.txt/.test(text))).toEqual([
    true,
    true,
    true,
  ])
}, 60_000)
