import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { shell } from '../../../src/toolkit/index.ts'
import { workspaceWith } from '../support/workspace.ts'
import { scriptedHost } from './support/scripted-host.ts'

test('when a command has ended no progress is told any more', async () => {
  const wakes: (() => void)[] = []
  const clock = { now: () => 0, sleep: () => new Promise<void>((resolve) => void wakes.push(resolve)) }
  const host = scriptedHost('')
  const values: unknown[] = []
  const run = shell({
    workspace: await workspaceWith(),
    clock,
    host: {
      ...host,
      async run(request) {
        request.onOutput('one\n')
        await setImmediate()
        request.onOutput('two\n')
        return await host.run(request)
      },
    },
  })
  await run({ command: 'make' }, { progress: async (value: unknown) => void values.push(value) })
  for (const wake of wakes) wake()
  await setImmediate()
  expect(values).toEqual(['one\n'])
})

test('what waits for a call that moves the folder runs, if it is as destructive there as where it was judged', async () => {
  const workspace = await workspaceWith({ 'sub/a': '' })
  const host = scriptedHost('')
  const run = shell({
    workspace,
    host: {
      ...host,
      run: async (request) => ({ ...(await host.run(request)), ...(request.command === 'cd sub' && { folder: `${workspace}/sub` }) }),
    },
  })
  const [moved, removed] = await Promise.all([run({ command: 'cd sub' }), run({ command: 'rm -rf /elsewhere' })])
  expect([moved.content, removed.content]).toEqual([
    `exit_code: 0\n(no output)\n[The working folder is ${workspace}/sub now.]`,
    'exit_code: 0\n(no output)',
  ])
  expect(host.requests.map(({ command, cwd }) => [command, cwd])).toEqual([
    ['cd sub', workspace],
    ['rm -rf /elsewhere', `${workspace}/sub`],
  ])
})
