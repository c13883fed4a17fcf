import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Agent } from 'lena-agent'
import { toolsFrom } from 'lena-agent/loading'
import { scriptedModel } from 'lena-agent/testing'
import { toolkit } from 'lena-agent/toolkit'
import { workspaceWith } from './support/workspace.ts'

const wordCount = `
import { readFile } from 'node:fs/promises'
import { tool } from 'lena-agent'

export const wordCount = tool({
  name: 'word_count',
  description: 'Counts the words of a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  isReadOnly: true,
  isConcurrencySafe: true,
  execute: async ({ path }) => (await readFile(path, 'utf8')).split(/\\s+/).filter(Boolean).length + ' words',
})
`

test('a tool more is one file more: it stands beside the others and is called like them', async () => {
  const workspace = await workspaceWith({ 'a.txt': 'one two three\n', 'tools/word-count.mjs': wordCount })
  const model = scriptedModel({ calls: [{ name: 'word_count', input: { path: join(workspace, 'a.txt') } }] }, { text: 'three' })
  const agent = new Agent({ model, tools: [toolkit({ workspace }), toolsFrom(join(workspace, 'tools'))] })
  const result = await agent.invoke('How many words?')
  expect({ text: result.text, told: model.requests[0]!.tools.map(({ name }) => name).sort() }).toEqual({
    text: 'three',
    told: [...toolkit().map(({ name }) => name), 'word_count'].sort(),
  })
  expect(agent.messages.at(2)!.content).toMatchObject([
    { type: 'tool_result', status: 'success', content: [{ type: 'text', text: '3 words' }] },
  ])
  await agent.close()
})
