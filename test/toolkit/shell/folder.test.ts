import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { shell } from '../../../src/toolkit/index.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

test('the folder is kept from call to call, through exit, an error and a loop', async () => {
  const workspace = await workspaceWith({ 'a/b/c/x': '' })
  const run = shell({ workspace })
  const said: string[] = []
  for (const command of ['pwd', 'cd a && pwd', 'cd b; exit 4', 'pwd', 'set -e; cd c; false; cd /', 'pwd', '(cd /; pwd)', 'pwd'])
    said.push((await run({ command })).content)
  const at = (path: string): string => join(workspace, path)
  expect(said).toEqual([
    `exit_code: 0\n${workspace}`,
    `exit_code: 0\n${at('a')}\n[The working folder is ${at('a')} now.]`,
    `exit_code: 4\n(no output)\n[The working folder is ${at('a/b')} now.]`,
    `exit_code: 0\n${at('a/b')}`,
    `exit_code: 1\n(no output)\n[The working folder is ${at('a/b/c')} now.]`,
    `exit_code: 0\n${at('a/b/c')}`,
    'exit_code: 0\n/',
    `exit_code: 0\n${at('a/b/c')}`,
  ])
})

test('a folder that is gone: back in the workspace, and it says so', async () => {
  const workspace = await workspaceWith({ 'a/x': '' })
  const run = shell({ workspace })
  await run({ command: 'cd a' })
  await rm(join(workspace, 'a'), { recursive: true })
  expect(await run({ command: 'pwd' })).toEqual({
    status: 'success',
    content: `exit_code: 0\n${workspace}\n[The working folder ${join(workspace, 'a')} is gone; the command ran in the workspace.]`,
  })
})

test('a workspace that is not there is an error', async () => {
  const workspace = join(await workspaceWith(), 'none')
  expect(await failureOf(shell({ workspace })({ command: 'pwd' }))).toBe(
    `There is no workspace folder ${JSON.stringify(workspace)} to run commands in. Create it with write_file, which makes parent folders.`,
  )
})

test('each tool has a folder of its own', async () => {
  const workspace = await workspaceWith({ 'a/x': '' })
  const [one, other] = [shell({ workspace }), shell({ workspace })]
  await one({ command: 'cd a' })
  expect((await other({ command: 'pwd' })).content).toBe(`exit_code: 0\n${workspace}`)
})

test('a folder with odd characters in its name', async () => {
  const workspace = await workspaceWith({ 'it\'s a $(x) "folder"\nof two lines/x': '' })
  const run = shell({ workspace })
  await run({ command: 'cd it*' })
  expect((await run({ command: 'ls' })).content).toBe('exit_code: 0\nx')
})

test('nothing is left in the folder for temporary files; without one the command runs all the same', async () => {
  const temporary = await workspaceWith()
  const run = shell({ workspace: await workspaceWith() })
  vi.stubEnv('TMPDIR', temporary)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect((await run({ command: 'cd /' })).content).toBe('exit_code: 0\n(no output)\n[The working folder is / now.]')
  expect(await readdir(temporary)).toEqual([])
  vi.stubEnv('TMPDIR', join(temporary, 'none'))
  expect(await run({ command: 'cd /usr; echo hi' })).toEqual({ status: 'success', content: 'exit_code: 0\nhi' })
})

test.each([
  ['a pipe', 'mkfifo "$1"'],
  ['a link', 'ln -s "$2" "$1"'],
])('%s where it is noted: not waited for, not read', { timeout: 60_000 }, async (_, make) => {
  const [temporary, other] = [await workspaceWith(), await workspaceWith({ x: '/usr\n' })]
  const run = shell({ workspace: await workspaceWith() })
  vi.stubEnv('TMPDIR', temporary)
  onTestFinished(() => void vi.unstubAllEnvs())
  const command = `trap - EXIT; d=$(echo ${temporary}/lena-shell-*); set -- "$d/folder" ${other}/x; ${make}; echo made`
  expect(await run({ command })).toEqual({ status: 'success', content: 'exit_code: 0\nmade' })
})

test('calls at the same time run one after another', async () => {
  const workspace = await workspaceWith({ 'a/x': '' })
  const run = shell({ workspace })
  const [, second, third] = await Promise.all([
    run({ command: 'echo 1 >> log; sleep 0.05; echo 1 >> log; cd a' }),
    run({ command: 'pwd; echo 2 >> ../log' }),
    run({ command: 'cat ../log' }),
  ])
  expect(second.content).toBe(`exit_code: 0\n${join(workspace, 'a')}`)
  expect(third.content).toBe('exit_code: 0\n1\n1\n2')
})

test('a call that waits is not run in a folder where it would be destructive', async () => {
  const outside = await workspaceWith({ 'precious/x': '' })
  const workspace = await workspaceWith({ 'precious/x': '' })
  const run = shell({ workspace })
  const first = run({ command: `cd ${outside}` })
  expect(await failureOf(run({ command: 'rm -r precious' }))).toBe(
    `While this call waited, another one moved the working folder from ${workspace} to ${outside}, where the command would do something else. It was not run; call it again.`,
  )
  await first
  expect(await readdir(outside)).toEqual(['precious'])
})
