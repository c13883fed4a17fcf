import { readFile as readText } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Agent } from 'lena-agent'
import { scriptedModel } from 'lena-agent/testing'
import { editFile, fileLog, readFile, toolkit } from 'lena-agent/toolkit'
import { session } from '../support/session.ts'
import { workspaceWith } from '../support/workspace.ts'

test('edits of one file in one message are made one after the other, those of others beside them', async () => {
  const numbers = Array.from({ length: 8 }, (_, index) => index)
  const workspace = await workspaceWith({ 'a.txt': numbers.map((number) => `<${number}>\n`).join(''), 'b.txt': 'b\n' })
  const editCalls = numbers.map((number) => ({ name: 'edit_file', input: { path: 'a.txt', old: `<${number}>`, new: `(${number})` } }))
  const model = scriptedModel(
    {
      calls: [
        { name: 'read_file', input: { path: 'a.txt' } },
        { name: 'read_file', input: { path: 'b.txt' } },
      ],
    },
    { calls: [...editCalls, { name: 'edit_file', input: { path: 'b.txt', old: 'b', new: 'c' } }] },
    { text: 'done' },
  )
  const agent = new Agent({ model, tools: [toolkit({ workspace })] })
  await agent.invoke('Edit.')
  expect(await readText(join(workspace, 'a.txt'), 'utf8')).toBe(numbers.map((number) => `(${number})\n`).join(''))
  expect(await readText(join(workspace, 'b.txt'), 'utf8')).toBe('c\n')
})

test('called side by side without an agent, by the tools of two sessions, none is lost', async () => {
  const numbers = Array.from({ length: 8 }, (_, index) => index)
  const { workspace, edit, text } = await session(numbers.map((number) => `<${number}>\n`).join(''))
  const ends = await Promise.allSettled(numbers.map((number) => edit({ old: `<${number}>`, new: `(${number})` })))
  expect(ends.map(({ status }) => status)).toEqual(numbers.map(() => 'fulfilled'))
  expect(await text()).toBe(numbers.map((number) => `(${number})\n`).join(''))

  const others = [fileLog(), fileLog()].map((files) => ({ read: readFile({ workspace, files }), edit: editFile({ workspace, files }) }))
  for (const other of others) await other.read({ path: 'a.txt' })
  const [first, second] = await Promise.allSettled(others.map((other, index) => other.edit({ path: 'a.txt', old: `(${index})`, new: 'x' })))
  expect([first!.status, second!.status]).toEqual(['fulfilled', 'rejected'])
  expect((second as PromiseRejectedResult).reason.message).toMatch(/^"a\.txt" has changed since it was last read or written/)
})
