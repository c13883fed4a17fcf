import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { toolkit } from '../../../src/toolkit/index.ts'
import { endAfterMs } from '../../../src/toolkit/process/jobs.ts'
import { signalOne } from '../../../src/toolkit/process/marked.ts'
import { programOf } from '../../support/program.ts'
import { manualClock } from '../support/manual-clock.ts'
import { workspaceWith } from '../support/workspace.ts'

/** Of the processes whose numbers stand in the file `pids`, those that run. A zombie does not. */
async function running(workspace: string): Promise<readonly number[]> {
  const pids = (await readFile(join(workspace, 'pids'), 'utf8')).trim().split('\n').map(Number)
  const states = await Promise.all(pids.map(async (pid) => ({ pid, stat: await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z') })))
  return states.filter(({ stat }) => !/^.*\) [ZX]/s.test(stat)).map(({ pid }) => pid)
}

/** Waits until no more than so many of them run. The end of a process that is not our child is told to nobody, so it is asked for. */
const dwindled = (workspace: string, to = 0): Promise<void> =>
  vi.waitFor(async () => expect((await running(workspace)).length).toBeLessThanOrEqual(to), { timeout: 30_000, interval: 10 })

async function session(options: Parameters<typeof toolkit>[0] = {}) {
  const workspace = await workspaceWith({ pids: '' })
  const kit = toolkit({ workspace, ...options })
  onTestFinished(async () => {
    for (const pid of kit.jobs.list().flatMap(({ pids }) => pids)) signalOne(pid, 'SIGKILL')
  })
  const shell = kit.find(({ name }) => name === 'shell')!
  const context = (signal: AbortSignal, progress = async (_value: unknown): Promise<void> => {}) => ({ signal, progress }) as never
  const call = async (command: string, signal = new AbortController().signal, progress?: (value: unknown) => Promise<void>) =>
    (await shell.run({ command }, context(signal, progress))) as { readonly content: string }
  return { workspace, kit, call }
}

const plain = 'sleep 1000 >/dev/null 2>&1 & echo $! >> pids'
const escaping = 'setsid sh -c "echo \\$\\$ >> pids; exec sleep 1000" >/dev/null 2>&1 &'
const twice = 'setsid sh -c "setsid sleep 1000 & echo \\$! >> pids" >/dev/null 2>&1 &'
const lines = (count: number): string => `while [ $(wc -l < pids) -lt ${count} ]; do sleep 0.01; done`

describe.runIf(process.platform === 'linux')('what commands leave running', { timeout: 60_000 }, () => {
  test('is listed, wherever it moved, and gone from the list when it ends', async () => {
    const { workspace, kit, call } = await session()
    expect(kit.jobs.list()).toEqual([])
    await call(plain)
    await call(`${escaping} ${lines(2)}`)
    const [first, second] = await running(workspace)
    expect(kit.jobs.list()).toEqual([
      { command: plain, pids: [first] },
      { command: `${escaping} ${lines(2)}`, pids: [second] },
    ])
    await call(`kill ${second}; while kill -0 ${second} 2>/dev/null; do sleep 0.01; done`).catch(() => {})
    expect(kit.jobs.list()).toEqual([{ command: plain, pids: [first] }])
  })

  test('ends with the session', async () => {
    const clock = manualClock()
    const { workspace, kit, call } = await session({ clock })
    await call(`${plain}; ${escaping} ${twice} ${lines(3)}`)
    expect(await running(workspace)).toHaveLength(3)
    const ending = kit.jobs.end()
    await clock.end(endAfterMs)
    await ending
    expect(await running(workspace)).toEqual([])
    await kit.jobs.end()
  })

  test('what does not listen to SIGTERM is killed', async () => {
    const clock = manualClock()
    const { workspace, kit, call } = await session({ clock })
    await call(`sh -c "trap '' TERM; echo \\$\\$ >> pids; while :; do sleep 0.1; done" >/dev/null 2>&1 & ${lines(1)}`)
    const ending = kit.jobs.end()
    await clock.end(endAfterMs)
    await ending
    // The kill is on its way.
    await dwindled(workspace)
    expect(kit.jobs.list()).toEqual([])
  })

  test('each is asked to end before it is made to', async () => {
    const clock = manualClock()
    const { workspace, kit, call } = await session({ clock })
    const tidy = `trap 'echo tidied > note; exit' TERM; echo \\$\\$ >> pids; while :; do sleep 0.05; done`
    await call(`bash -c "${tidy}" >/dev/null 2>&1 & ${lines(1)}`)
    const ending = kit.jobs.end()
    await dwindled(workspace)
    expect(await readFile(join(workspace, 'note'), 'utf8')).toBe('tidied\n')
    await clock.end(endAfterMs)
    await ending
  })

  test('of a call that is cancelled what moved away and does not listen is killed', async () => {
    const { workspace, call } = await session()
    const controller = new AbortController()
    const deaf = `setsid sh -c "trap '' TERM; echo \\$\\$ >> pids; while :; do sleep 0.1; done" >/dev/null 2>&1 &`
    await call(`${deaf} ${lines(1)}; echo ready; sleep 1000`, controller.signal, async () => controller.abort(new Error('stopped')))
    await dwindled(workspace)
    expect(await running(workspace)).toEqual([])
  })

  test('of a call that is cancelled nothing is left, neither what moved to a session of its own', async () => {
    const { workspace, kit, call } = await session()
    await call(plain)
    const controller = new AbortController()
    await call(`${escaping} ${twice} ${lines(3)}; echo ready; sleep 1000`, controller.signal, async () =>
      controller.abort(new Error('stopped')),
    )
    await dwindled(workspace, 1)
    // That of the call before is none of its business.
    expect(kit.jobs.list()).toMatchObject([{ command: plain }])
  })

  test('of a call that is cancelled while the rest of its output is awaited, what holds that is ended', async () => {
    // Its silence never comes.
    const { workspace, call } = await session({ clock: manualClock() })
    const controller = new AbortController()
    const ended = call(`sleep 1000 & echo $! >> pids; echo $$ > shell`, controller.signal)
    await vi.waitFor(
      async () => {
        const shell = Number(await readFile(join(workspace, 'shell'), 'utf8'))
        expect(shell > 0 && (await readFile(`/proc/${shell}/stat`, 'utf8').catch(() => 'gone'))).toBe('gone')
      },
      { timeout: 30_000, interval: 10 },
    )
    expect(await running(workspace)).toHaveLength(1)
    controller.abort(new Error('stopped'))
    await dwindled(workspace)
    expect((await ended).content).toMatch(/^exit_code: 0\n/)
  })

  test('one that moved away and holds the output is told, and does not hold the call', async () => {
    const { workspace, call } = await session()
    const { content } = await call(`setsid sh -c 'echo $$ >> pids; while echo tick; do sleep 0.05; done' & ${lines(1)}; echo done`)
    expect(content).toMatch(/^exit_code: 0\n(tick\n)*done\n(tick\n)*\[Something in the background still runs and holds the output\./)
    expect(await running(workspace)).toHaveLength(1)
  })

  test('of many calls those are remembered that left something', async () => {
    const { kit, call } = await session()
    await call(plain)
    for (let i = 0; i < 205; i++) await call('true')
    expect(kit.jobs.list()).toMatchObject([{ command: plain }])
  })

  test.each(['exit', 'end', 'throw', 'SIGTERM', 'SIGHUP', 'SIGKILL'])(
    'ends with the program: %s',
    async (way) => {
      const workspace = await workspaceWith({ pids: '' })
      const program = await programOf(new URL('support/leaves-jobs.ts', import.meta.url))
      const child = spawn(process.execPath, [program, workspace, way], { stdio: ['ignore', 'pipe', 'ignore'] })
      await new Promise((resolve) => child.once('exit', resolve))
      await dwindled(workspace)
      expect((await readFile(join(workspace, 'pids'), 'utf8')).trim().split('\n')).toHaveLength(way.startsWith('SIG') ? 3 : 2)
    },
    60_000,
  )
})
