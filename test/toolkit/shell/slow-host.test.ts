import { join } from 'node:path'
import { expect, test } from 'vitest'
import { localHost, shell } from '../../../src/toolkit/index.ts'
import type { FileSystem, Host } from '../../../src/toolkit/index.ts'
import { tick } from '../../../src/util/clock.ts'
import { workspaceWith } from '../support/workspace.ts'

/** This machine as if it were far away: nothing is known at once, and what is asked first comes last. */
function slowHost(workspace: string): Host {
  const host = localHost({ workspace })
  let waiting: (() => void)[] = []
  const late = async <T>(answer: Promise<T>): Promise<T> => {
    await new Promise<void>((resolve) => {
      if (waiting.push(resolve) > 1) return
      setImmediate(() => {
        const all = waiting.reverse()
        waiting = []
        for (const answered of all) answered()
      })
    })
    return await answer
  }
  const files: FileSystem = {
    ...host.files,
    realpath: (path) => late(host.files.realpath(path)),
    stat: (path) => late(host.files.stat(path)),
    atOnce: undefined,
  }
  return { ...host, files }
}

test('calls keep their places, however late it is known what may run beside what', { timeout: 60_000 }, async () => {
  const workspace = await workspaceWith({ 'sub/x': '' })
  const run = shell({ workspace, host: slowHost(workspace) })
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

test('a machine that does not answer holds a call no longer than its signal, and not those behind it', { timeout: 60_000 }, async () => {
  const workspace = await workspaceWith({})
  const host = localHost({ workspace })
  let isDown = true
  const realpath = (path: string): Promise<string> => (isDown ? new Promise(() => {}) : host.files.realpath(path))
  const run = shell({ workspace, host: { ...host, files: { ...host.files, realpath, atOnce: undefined } } })
  const controller = new AbortController()
  const first = run({ command: 'ls' }, { signal: controller.signal })
  isDown = false
  await tick()
  const second = run({ command: 'pwd' })
  controller.abort(new Error('no more'))
  await expect(first).rejects.toThrow('no more')
  expect((await second).content).toBe(`exit_code: 0\n${workspace}`)
})
