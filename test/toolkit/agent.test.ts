import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Agent } from 'lena-agent'
import { scriptedModel } from 'lena-agent/testing'
import { toolkit } from 'lena-agent/toolkit'
import type { Message } from '../../src/messages/message.ts'
import { workspaceWith } from './support/workspace.ts'

const call = (name: string, input: Record<string, string | number>) => ({ calls: [{ name, input }] })

/** Status and text of each result, in order. */
const resultsIn = (messages: readonly Message[]): readonly (readonly [string, string])[] =>
  messages.flatMap(({ content }) =>
    content.flatMap((block) =>
      block.type === 'tool_result'
        ? [[block.code ?? block.status, block.content.map((part) => (part.type === 'text' ? part.text : part.type)).join()] as const]
        : [],
    ),
  )

test('an agent looks, is refused, reads, writes and runs', async () => {
  const workspace = await workspaceWith({ 'src/a.txt': 'one\n' })
  const model = scriptedModel(
    call('list_dir', {}),
    call('write_file', { path: 'src/a.txt', content: 'two\n' }),
    call('read_file', { path: 'src/a.txt' }),
    call('write_file', { path: 'src/a.txt', content: 'two\n' }),
    call('shell', { command: 'cd src && cat a.txt; exit 3' }),
    call('shell', { command: 'pwd', timeout: 1000 }),
    { text: 'done' },
  )
  const agent = new Agent({ model, tools: [toolkit({ workspace })] })
  await agent.invoke('Write two into src/a.txt.')
  const results = resultsIn(agent.messages)
  expect(results.slice(0, 5)).toEqual([
    ['success', 'src/'],
    [
      'error',
      'Error: "src/a.txt" exists and was not read in this session, so it was not overwritten. Read it with read_file first, then write. A file that read_file cannot show has to be moved away first.',
    ],
    ['success', '1\tone'],
    ['success', 'Overwrote src/a.txt (1 line, 4 bytes; before: 4 bytes).\n@@ -1,1 +1,1 @@\n-one\n+two'],
    ['error', `exit_code: 3\ntwo\n[The working folder is ${join(workspace, 'src')} now.]`],
  ])
  expect(results[5]![0]).toBe('invalid_input')
  expect(await readFile(join(workspace, 'src/a.txt'), 'utf8')).toBe('two\n')
})

test('a cancelled command keeps what it had printed', async () => {
  const workspace = await workspaceWith()
  const model = scriptedModel(call('shell', { command: 'sh -c "echo ready; exec sleep 1000"' }))
  const agent = new Agent({ model, tools: [toolkit({ workspace })] })
  const result = await agent.invoke('Wait.', {
    onEvent: (event) => {
      if (event.type === 'tool_progress') agent.cancel()
    },
  })
  expect(result.stopReason).toBe('cancelled')
  expect(resultsIn(agent.messages)).toEqual([
    [
      'cancelled',
      'exit_code: 143\nready\n[The call was cancelled: the command was ended, with all that it had started. What it had done until then remains.]',
    ],
  ])
})
