import { expect, test } from 'vitest'
import { permissions } from '../../src/permissions/index.ts'
import { localHost, toolkit } from '../../src/toolkit/index.ts'
import type { Host } from '../../src/toolkit/index.ts'
import { flagsOf } from '../../src/tools/flags.ts'
import { scriptedModel } from '../../src/testing/index.ts'
import { Agent } from '../../src/index.ts'
import { workspaceWith } from './support/workspace.ts'

/** The connection to the machine is gone: its files answer nothing, but whatever is run would run. */
function brokenHost(workspace: string): Host {
  const host = localHost({ workspace })
  const broken = (): Promise<never> => Promise.reject(new Error('the connection is gone'))
  return {
    ...host,
    files: { ...host.files, stat: broken, lstat: broken, realpath: broken, readlink: broken, open: broken, atOnce: undefined },
  }
}

test('what cannot be judged may do anything', async () => {
  const workspace = await workspaceWith({ 'a.txt': '' })
  const kit = toolkit({ workspace, host: brokenHost(workspace) })
  const inputs = { shell: { command: 'ls' }, write_file: { path: 'a.txt', content: 'x' }, edit_file: { path: 'a.txt', old: 'a', new: 'b' } }
  const judged = Object.entries(inputs).map(
    async ([name, input]) =>
      await flagsOf(
        kit.find((tool) => tool.name === name)!,
        input,
      ),
  )
  const flags = await Promise.all(judged)
  expect(flags).toEqual(flags.map(() => ({ readOnly: false, destructive: true, safe: false, approval: false })))
})

test('and is not run by a gate that cannot tell what it touches', { timeout: 60_000 }, async () => {
  const workspace = await workspaceWith({ 'a.txt': '' })
  const host = brokenHost(workspace)
  const model = scriptedModel({ calls: [{ name: 'shell', input: { command: 'touch b.txt' } }] }, { text: 'done' })
  const plugins = [permissions({ host, workspace, mode: 'bypass', ask: () => true })]
  const agent = new Agent({ model, tools: [toolkit({ workspace, host })], plugins })
  await agent.invoke('go')
  expect(agent.messages[2]!.content).toEqual([
    expect.objectContaining({
      status: 'error',
      content: [{ type: 'text', text: 'The call was not run: permissions failed (the connection is gone).' }],
    }),
  ])
})
