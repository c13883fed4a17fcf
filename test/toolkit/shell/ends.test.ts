import { expect, test } from 'vitest'
import { shell } from '../../../src/toolkit/index.ts'
import type { CommandEnd, ShellResult } from '../../../src/toolkit/index.ts'
import { workspaceWith } from '../support/workspace.ts'
import { scriptedHost } from './support/scripted-host.ts'

const ended = 'was ended, with all that it had started. What it had done until then remains.'
const held =
  '[Something in the background still runs and holds the output. What it prints from now on is not shown; send its output to a file to see it.]'

// How a host says that a command ended, and what the model is told.
test.each<[string, Partial<CommandEnd>, ShellResult]>([
  ['hi\n', {}, { status: 'success', content: 'exit_code: 0\nhi' }],
  ['', {}, { status: 'success', content: 'exit_code: 0\n(no output)' }],
  ['hi\n\n', { exitCode: 2 }, { status: 'error', content: 'exit_code: 2\nhi\n' }],
  ['hi', { exitCode: 137, killedBy: 'SIGKILL' }, { status: 'error', content: 'exit_code: 137\nhi\n[The shell was ended by SIGKILL.]' }],
  ['hi', { exitCode: undefined }, { status: 'error', content: 'exit_code: unknown\nhi' }],
  [
    'hi',
    { why: 'timeout', exitCode: 0 },
    {
      status: 'error',
      code: 'timeout',
      content: `exit_code: 0\nhi\n[The command took longer than 120 s and ${ended} Give a larger timeout (at most 600), or start it in the background with its output in a file.]`,
    },
  ],
  [
    '',
    { why: 'cancelled', exitCode: undefined },
    {
      status: 'error',
      code: 'cancelled',
      content: `exit_code: unknown\n(no output)\n[The call was cancelled: the command ${ended}]`,
    },
  ],
  ['hi', { isHeld: true }, { status: 'success', content: `exit_code: 0\nhi\n${held}` }],
  [
    'hi',
    { exitCode: 137, killedBy: 'SIGKILL', isHeld: true },
    { status: 'error', content: `exit_code: 137\nhi\n[The shell was ended by SIGKILL.]\n${held}` },
  ],
  // One note is enough.
  ['hi', { isHeld: true, left: [12] }, { status: 'success', content: `exit_code: 0\nhi\n${held}` }],
  [
    'hi',
    { left: [12, 34] },
    {
      status: 'success',
      content: 'exit_code: 0\nhi\n[In the background goes on: 12 34. It ends with the session; to end it before: kill 12 34]',
    },
  ],
  [
    'hi',
    { left: [-12, -34] },
    {
      status: 'success',
      content: 'exit_code: 0\nhi\n[In the background goes on: group 12 34. It ends with the session; to end it before: kill -- -12 -34]',
    },
  ],
])('%j, %j', async (output, end, result) => {
  const workspace = await workspaceWith()
  expect(await shell({ workspace, host: scriptedHost(output, end) })({ command: 'make' })).toEqual(result)
})

test('what was left running by a command that was ended is none of its notes', async () => {
  const workspace = await workspaceWith()
  const host = scriptedHost('', { why: 'cancelled', exitCode: 143, left: [12] })
  expect((await shell({ workspace, host })({ command: 'make' })).content).not.toContain('In the background')
})

test('an exit code that is an answer is none where the command was ended', async () => {
  const workspace = await workspaceWith()
  const said = async (end: Partial<CommandEnd>): Promise<ShellResult> =>
    await shell({ workspace, host: scriptedHost('', end) })({ command: 'grep a b' })
  expect(await said({ exitCode: 1 })).toEqual({
    status: 'success',
    content: 'exit_code: 1\n(no output)\n[nothing matched: exit code 1 of "grep" is no error.]',
  })
  const late = await said({ exitCode: 1, why: 'timeout' })
  expect([late.status, late.code, late.content.includes('is no error')]).toEqual(['error', 'timeout', false])
  expect(await said({ exitCode: undefined })).toEqual({ status: 'error', content: 'exit_code: unknown\n(no output)' })
})
