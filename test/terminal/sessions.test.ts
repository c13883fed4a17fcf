import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { lena, newFolder, start } from './support/lena.ts'

vi.setConfig({ testTimeout: 60_000 })

it('a conversation goes on after a kill -9 in the middle of a call, and the call is not run again', async (test) => {
  const [cwd, state] = [newFolder(), newFolder()]
  const env = { LENA_STATE_DIR: state }
  const first = start(test, ['--mode', 'bypass', 'wait for me'], { script: 'sleeps', cwd, env })
  await first.shows('shell')
  await vi.waitUntil(() => existsSync(join(cwd, 'pids')) && readFileSync(join(cwd, 'pids'), 'utf8').trim().includes('\n'), {
    timeout: 30_000,
  })
  const shell = Number(readFileSync(join(cwd, 'pids'), 'utf8').split('\n')[1])
  test.onTestFinished(() => {
    try {
      process.kill(shell, 'SIGKILL')
    } catch {
      // It has ended already.
    }
  })
  first.child.kill('SIGKILL')
  await first.ended
  expect(await lena(test, ['-p', '--continue', 'what now?'], { script: 'echoes', cwd, env })).toEqual({
    code: 0,
    signal: null,
    stdout: 'user: wait for me | assistant: tool_use | user: unknown_outcome+what now?\n',
    stderr: '',
  })
  expect((await lena(test, ['sessions'], { cwd, env })).stdout).toMatch(
    /^ID {6}LAST USED {2}BEGINS WITH\n[2-9][a-z2-9]{5} {2}just now {3}wait for me\n$/,
  )
})
