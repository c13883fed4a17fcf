import { expect, test } from 'vitest'
import { localHost, shell } from '../../../src/toolkit/index.ts'
import { tick } from '../../../src/util/clock.ts'
import { workspaceWith } from '../support/workspace.ts'

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
