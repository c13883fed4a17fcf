import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Agent } from 'lena-agent'
import { scriptedModel } from 'lena-agent/testing'
import { shell, toolkit } from 'lena-agent/toolkit'
import { failureOf, workspaceWith } from '../support/workspace.ts'
import { slowHost } from './support/slow-host.ts'

/** Starts a command that goes on until it is cancelled; resolves when it has printed something. */
async function going(run: ReturnType<typeof shell>, command: string) {
  const controller = new AbortController()
  let ended: Promise<unknown> = Promise.resolve()
  await new Promise<void>((resolve) => {
    ended = Promise.resolve(run({ command }, { signal: controller.signal, progress: async () => resolve() })).catch(() => {})
  })
  return {
    end: async () => {
      controller.abort(new Error('stopped'))
      await ended
    },
  }
}

test('what only reads runs beside others that only read', { timeout: 60_000 }, async () => {
  const run = shell({ workspace: await workspaceWith({ a: 'A' }) })
  const first = await going(run, 'echo here; sleep 1000')
  expect((await run({ command: 'cat a' })).content).toBe('exit_code: 0\nA')
  await first.end()
})

test('what may change something waits for what reads, and is waited for', { timeout: 60_000 }, async () => {
  const workspace = await workspaceWith({ a: 'A' })
  const run = shell({ workspace })
  const first = await going(run, 'echo here; sleep 1000')
  const second = run({ command: 'echo B > a' })
  const third = run({ command: 'cat a' })
  // As long as this takes there is nothing that could run.
  expect((await shell({ workspace })({ command: 'cat a' })).content).toBe('exit_code: 0\nA')
  await first.end()
  expect([(await second).content, (await third).content]).toEqual(['exit_code: 0\n(no output)', 'exit_code: 0\nB'])
})

test.each([
  ['', () => undefined],
  [', however late it is known what each of them does', slowHost],
] as const)('a move of the folder keeps its place among those that read%s', { timeout: 60_000 }, async (_, hostIn) => {
  const workspace = await workspaceWith({ 'sub/x': '' })
  const run = shell({ workspace, host: hostIn(workspace) })
  const said = await Promise.all(['pwd', 'cd sub', 'pwd', 'ls', 'cd ..', 'pwd'].map((command) => run({ command })))
  const sub = join(workspace, 'sub')
  expect(said.map(({ content }) => content)).toEqual([
    `exit_code: 0\n${workspace}`,
    `exit_code: 0\n(no output)\n[The working folder is ${sub} now.]`,
    `exit_code: 0\n${sub}`,
    'exit_code: 0\nx',
    `exit_code: 0\n(no output)\n[The working folder is ${workspace} now.]`,
    `exit_code: 0\n${workspace}`,
  ])
})

test('what only reads where it was judged is not run where it would do something else', { timeout: 60_000 }, async () => {
  // A repository whose settings name a program that reading it runs.
  const workspace = await workspaceWith({
    'sub/.git/config': '[core]\n\tfsmonitor = touch ran\n',
    'sub/.git/HEAD': 'ref: refs/heads/main\n',
  })
  const run = shell({ workspace })
  const first = run({ command: 'cd sub' })
  const second = run({ command: 'git status' })
  await first
  expect(await failureOf(second)).toMatch(/^While this call waited, another one moved the working folder/)
  await expect(access(join(workspace, 'sub/ran'))).rejects.toThrow()
})

test('in one message they run together', { timeout: 60_000 }, async () => {
  const workspace = await workspaceWith({ 'in/x': '' })
  // Each waits for what the other one looks at: a name that only the test gives, once both have begun.
  const wait = (name: string): object => ({ name: 'shell', input: { command: `echo ${name}; sleep 1000` } })
  const model = scriptedModel({ calls: [wait('one'), wait('two')] as never })
  const agent = new Agent({ model, tools: [toolkit({ workspace })] })
  const begun = new Set<string>()
  const result = await agent.invoke('go', {
    onEvent: (event) => {
      if (event.type === 'tool_progress') begun.add(String(event.value).trim())
      if (begun.size === 2) agent.cancel()
    },
  })
  expect({ stopReason: result.stopReason, begun: [...begun].sort() }).toEqual({ stopReason: 'cancelled', begun: ['one', 'two'] })
})
