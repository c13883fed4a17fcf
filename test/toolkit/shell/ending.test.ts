import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ShellResult } from '../../../src/toolkit/index.ts'
import { shell } from '../../../src/toolkit/index.ts'
import { drainMs, killAfterMs, silenceMs } from '../../../src/toolkit/process/run-process.ts'
import { manualClock } from '../support/manual-clock.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

/** Starts a command; `until` resolves when it has printed that. */
function started(workspace: string, command: string, timeout?: number) {
  const clock = manualClock()
  const controller = new AbortController()
  let seen = ''
  let onPrint = (): void => {}
  const progress = async (value: unknown): Promise<void> => {
    seen += String(value)
    onPrint()
  }
  const result: Promise<ShellResult> = shell({ workspace, clock })({ command, timeout }, { signal: controller.signal, progress })
  const until = async (text: string): Promise<void> => {
    while (!seen.includes(text)) await new Promise<void>((resolve) => (onPrint = resolve))
  }
  return { clock, cancel: () => controller.abort(new Error('stopped')), until, result }
}

/** Of the processes whose numbers stand in a file, those that run. A zombie does not. */
async function running(workspace: string): Promise<string[]> {
  const pids = (await readFile(join(workspace, 'pids'), 'utf8')).trim().split('\n')
  const states = await Promise.all(pids.map(async (pid) => ({ pid, stat: await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z') })))
  return states.filter(({ stat }) => !/^.*\) [ZX]/s.test(stat)).map(({ pid }) => pid)
}

// "ready" comes from a process that a signal ends for sure: bash may lose one between fork and exec, and a second one follows only later.
// Children, grandchildren, one that holds no pipe, and one in a pipeline.
const tree =
  'sleep 1000 & echo $! >> pids; sh -c "echo \\$\\$ >> pids; sleep 1000 & echo \\$! >> pids; wait" & sleep 1000 >/dev/null 2>&1 & echo $! >> pids; echo $$ >> pids; while [ $(wc -l < pids) -lt 5 ]; do sleep 0.01; done; sh -c "echo ready; exec sleep 1000" | cat'
const onLinux = process.platform === 'linux'

test.runIf(onLinux)('the time limit ends the whole tree and keeps the output', async () => {
  const workspace = await workspaceWith()
  const { clock, until, result } = started(workspace, tree, 7)
  await until('ready')
  await clock.end(7000)
  expect(await result).toEqual({
    status: 'error',
    code: 'timeout',
    content:
      'exit_code: 143\nready\n[The command took longer than 7 s and was ended, with all that it had started. What it had done until then remains. Give a larger timeout (at most 600), or start it in the background with its output in a file.]',
  })
  expect(await running(workspace)).toEqual([])
})

test('the default time limit is 120 seconds', async () => {
  const { clock, until, result } = started(await workspaceWith(), 'sh -c "echo ready; exec sleep 1000"')
  await until('ready')
  await clock.end(120_000)
  expect((await result).code).toBe('timeout')
})

test.runIf(onLinux)('a cancel ends the whole tree and keeps the output', async () => {
  const workspace = await workspaceWith()
  const { cancel, until, result } = started(workspace, tree)
  await until('ready')
  cancel()
  expect(await result).toEqual({
    status: 'error',
    code: 'cancelled',
    content:
      'exit_code: 143\nready\n[The call was cancelled: the command was ended, with all that it had started. What it had done until then remains.]',
  })
  expect(await running(workspace)).toEqual([])
})

test.runIf(onLinux)('what does not listen to SIGTERM is killed', async () => {
  const workspace = await workspaceWith()
  const { clock, cancel, until, result } = started(
    workspace,
    'trap "" TERM; echo $$ >> pids; sh -c "trap \'\' TERM; echo \\$\\$ >> pids; echo ready; while :; do sleep 0.1; done"; echo after',
  )
  await until('ready')
  cancel()
  await clock.end(killAfterMs)
  expect(await result).toMatchObject({ status: 'error', code: 'cancelled', content: expect.stringMatching(/^exit_code: 137\nready\n\[/) })
  expect(await running(workspace)).toEqual([])
})

test('a command that ends well on SIGTERM has its time, and its last words are kept', async () => {
  const { cancel, until, result } = started(
    await workspaceWith(),
    'trap "echo cleaned; exit 5" TERM; sh -c "echo ready; exec sleep 1000" & wait',
  )
  await until('ready')
  cancel()
  expect((await result).content).toMatch(/^exit_code: 5\nready\ncleaned\n\[The call was cancelled/)
})

test('a job in the background does not hold the call, and lives on', async () => {
  const workspace = await workspaceWith()
  const { clock, cancel, result } = started(
    workspace,
    'sh -c "while [ ! -e stop ]; do sleep 0.02; echo tick; done; echo > ended" & echo $! > pids; echo hi',
  )
  // It is never silent, so the limit of the wait for silence is what ends the call.
  await clock.end(drainMs)
  const { status, content } = await result
  expect({ status, content: content.replaceAll('tick\n', '') }).toEqual({
    status: 'success',
    content:
      'exit_code: 0\nhi\n[Something in the background still runs and holds the output. What it prints from now on is not shown; send its output to a file to see it.]',
  })
  // A cancel after the end means nothing to it.
  cancel()
  // It prints on into the pipe and is not ended by that.
  const run = shell({ workspace })
  await run({ command: 'touch stop; while [ ! -e ended ]; do sleep 0.02; done' })
  await access(join(workspace, 'ended'))
})

test('a silent job in the background does not hold the call', async () => {
  const workspace = await workspaceWith()
  const { clock, until, result } = started(workspace, 'sleep 1000 & echo $! > pids; echo hi')
  await until('hi')
  const silence = async (): Promise<never> => {
    for (;;) await clock.end(silenceMs)
  }
  await Promise.race([result, silence()])
  expect((await result).content).toMatch(/^exit_code: 0\nhi\n\[Something in the background/)
  process.kill(Number(await readFile(join(workspace, 'pids'), 'utf8')))
})

test.runIf(onLinux)('a job that holds nothing is named, for nobody would know of it', async () => {
  const workspace = await workspaceWith()
  const { result } = started(workspace, 'sleep 1000 > /dev/null 2>&1 & echo $! > pids; echo hi')
  const { content } = await result
  const pid = Number(await readFile(join(workspace, 'pids'), 'utf8'))
  expect(content).toBe(`exit_code: 0\nhi\n[In the background goes on: ${pid}. It ends with the session; to end it before: kill ${pid}]`)
  process.kill(pid)
})

test('a call that is cancelled before it starts runs nothing', async () => {
  const workspace = await workspaceWith()
  const run = shell({ workspace })
  expect(await failureOf(run({ command: 'echo > ran' }, { signal: AbortSignal.abort(new Error('stopped')) }))).toBe('stopped')
  await expect(access(join(workspace, 'ran'))).rejects.toThrow()
})

test('a call that is cancelled while it waits for another does not wait on, and the next still waits', async () => {
  const workspace = await workspaceWith()
  const run = shell({ workspace })
  const controller = new AbortController()
  const first = run({ command: 'while [ ! -e go ]; do sleep 0.01; done; echo first >> log' })
  const second = run({ command: 'echo second >> log' }, { signal: controller.signal })
  const third = run({ command: 'cat log' })
  controller.abort(new Error('stopped'))
  expect(await failureOf(second)).toBe('stopped')
  await shell({ workspace })({ command: 'touch go' })
  await first
  expect((await third).content).toBe('exit_code: 0\nfirst')
})
