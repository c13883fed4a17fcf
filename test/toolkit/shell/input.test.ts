import { expect, test } from 'vitest'
import { flagsAtOnce } from '../../support/flags.ts'
import { shell } from '../../../src/toolkit/index.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'
import { scriptedHost } from './support/scripted-host.ts'

async function made() {
  const workspace = await workspaceWith()
  const host = scriptedHost('')
  return { host, run: shell({ workspace, host }) }
}

test.each([[0.5], [1], [600]])('%d seconds are a time limit', async (timeout) => {
  const { host, run } = await made()
  await run({ command: 'make', timeout })
  expect(host.requests.map(({ timeoutMs }) => timeoutMs)).toEqual([timeout * 1000])
})

test('without one it is two minutes', async () => {
  const { host, run } = await made()
  await run({ command: 'make' })
  expect(host.requests[0]!.timeoutMs).toBe(120_000)
})

test.each([0, -1, 600.5, Number.NaN])('%d seconds are none', async (timeout) => {
  const { host, run } = await made()
  expect(await failureOf(run({ command: 'make', timeout }))).toBe(`timeout is in seconds, more than 0 and at most 600; got ${timeout}.`)
  expect(host.requests).toEqual([])
})

test.each([
  ['', 'The command is empty.'],
  [' \n', 'The command is empty.'],
  ['a\0b', 'The command holds a NUL character, which no command line can have.'],
  [
    `# ${'ä'.repeat(60_000)}`,
    'The command has 120002 bytes; a command line can have 120000. Write the text to a file with write_file and use that.',
  ],
])('%j is no command', async (command, says) => {
  const { host, run } = await made()
  expect(await failureOf(run({ command }))).toBe(says)
  expect(host.requests).toEqual([])
})

test('120,000 bytes are one', async () => {
  const { host, run } = await made()
  await run({ command: `#${'x'.repeat(119_999)}` })
  expect(host.requests).toHaveLength(1)
})

test('`~` is the home folder of the environment, else that of the host', async () => {
  const host = { ...scriptedHost(''), home: '/home/host', env: {} }
  const removes = (env: Record<string, string>, command: string): boolean =>
    flagsAtOnce(shell({ workspace: '/home/me/app', host, env }), { command }).destructive
  expect([
    removes({ HOME: '/home/me' }, 'rm -rf ~/app/build'),
    removes({ HOME: '/home/other' }, 'rm -rf ~/app/build'),
    removes({}, 'rm -rf ~/app/build'),
    flagsAtOnce(shell({ workspace: '/home/host/app', host }), { command: 'rm -rf ~/app/build' }).destructive,
  ]).toEqual([false, true, true, false])
})

test('what is left running is what the host knows of', async () => {
  const { host, run } = await made()
  expect(run.jobs).toBe(host.jobs)
  expect(Object.keys(run)).not.toContain('jobs')
})

test('a sandbox is told to the model, and the lack of one is not', async () => {
  const workspace = await workspaceWith()
  const text =
    '\nCommands run in a sandbox: they write in the workspace and in temporary folders alone, and nothing goes on in the background when they have ended.'
  const plain = shell({ workspace }).description
  expect(shell({ workspace, sandbox: true }).description).toBe(plain + text)
  expect(plain).not.toContain('sandbox')
})
