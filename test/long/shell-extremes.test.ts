import { readFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { toolkit } from 'lena-agent/toolkit'
import type { ShellResult } from 'lena-agent/toolkit'
import { workspaceWith } from '../toolkit/support/workspace.ts'

async function session() {
  const workspace = await workspaceWith({ pids: '' })
  const kit = toolkit({ workspace })
  onTestFinished(() => kit.jobs.end())
  const tool = kit.find(({ name }) => name === 'shell')!
  const call = async (
    command: string,
    options: { readonly signal?: AbortSignal; readonly timeout?: number; readonly onProgress?: () => void } = {},
  ) => {
    const { signal = new AbortController().signal, timeout, onProgress = () => {} } = options
    return (await tool.run({ command, timeout }, { signal, progress: async () => onProgress() } as never)) as ShellResult
  }
  /** Cancels once the command has printed something. */
  const cancelled = async (command: string) => {
    const controller = new AbortController()
    return await call(command, { signal: controller.signal, onProgress: () => controller.abort(new Error('enough')) })
  }
  return { workspace, kit, call, cancelled }
}

/** Those of the file `pids` that run. */
async function running(workspace: string): Promise<number> {
  const pids = (await readFile(join(workspace, 'pids'), 'utf8')).trim().split('\n')
  const states = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z')))
  return states.filter((stat) => !/^.*\) [ZX]/s.test(stat)).length
}

const gone = async (workspace: string): Promise<void> => {
  await vi.waitUntil(async () => (await running(workspace)) === 0, { timeout: 60_000, interval: 10 })
}

describe.runIf(process.platform === 'linux')('what a command may do to the one who runs it', () => {
  test('a hundred that move away: none is left by a cancel', async () => {
    const { workspace, kit, cancelled } = await session()
    const { content } = await cancelled(
      'for i in $(seq 100); do setsid sh -c "echo \\$\\$ >> pids; exec sleep 1000" & done; while [ $(wc -l < pids) -lt 100 ]; do sleep 0.05; done; echo ready; sleep 1000',
    )
    expect(content).toMatch(/ready\n\[The call was cancelled/)
    await gone(workspace)
    expect(kit.jobs.list()).toEqual([])
  })

  test('one that starts others for ever and does not listen: none is left by the time limit', async () => {
    const { workspace, kit, call } = await session()
    const result = await call(`trap '' TERM; while :; do setsid sh -c "trap '' TERM; echo \\$\\$ >> pids; sleep 1000" & sleep 0.05; done`, {
      timeout: 1,
    })
    expect(result).toMatchObject({ status: 'error', code: 'timeout' })
    await gone(workspace)
    expect(kit.jobs.list()).toEqual([])
  })

  test('100 MB without a line break: the beginning and the end are kept', async () => {
    const { call } = await session()
    const { content } = await call(`echo START; head -c 100000000 /dev/zero | tr '\\0' x; echo END; exit 3`)
    expect(content).toMatch(/^exit_code: 3\nSTART\nx+\n\[… \d+ characters left out …\]\nx+END$/)
    expect(content.length).toBeLessThanOrEqual(30_000)
  })

  test('one that prints for ever is ended by the time limit, in bounded memory', async () => {
    const { call } = await session()
    const before = process.memoryUsage.rss()
    expect(await call('yes', { timeout: 3 })).toMatchObject({ code: 'timeout', content: expect.stringMatching(/^exit_code: \d+\ny\ny\n/) })
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 * 1024)
  })

  test('characters that come byte by byte', async () => {
    const { workspace, call } = await session()
    const text = 'é🙂你'.repeat(300)
    await call(
      `cat > write.mjs <<'E'\nfor (const byte of Buffer.from(${JSON.stringify(text)})) await new Promise((done) => process.stdout.write(Buffer.from([byte]), done))\nE`,
    )
    expect((await call(`${process.execPath} ${join(workspace, 'write.mjs')}`)).content).toBe(`exit_code: 0\n${text}`)
  })

  test.each(['HUP', 'INT', 'ABRT', 'KILL', 'SEGV', 'PIPE', 'ALRM', 'TERM', 'USR1', 'BUS', 'FPE'] as const)(
    'a shell that SIG%s ends',
    async (name) => {
      const { call } = await session()
      // What a shell started from here would not hear of is set back first.
      expect(await call(`trap - ${name}; echo before; kill -${name} $$; sleep 1000`, { timeout: 20 })).toEqual({
        status: 'error',
        content: `exit_code: ${128 + constants.signals[`SIG${name}`]}\nbefore\n[The shell was ended by SIG${name}.]`,
      })
    },
  )

  test('one that removes the folder that it runs in', async () => {
    const { workspace, call } = await session()
    await call('mkdir -p a/b; cd a/b')
    expect((await call('rm -rf ../../a; echo still here; ls')).content).toMatch(/^exit_code: \d\nstill here/)
    expect((await call('pwd')).content).toBe(
      `exit_code: 0\n${workspace}\n[The working folder ${join(workspace, 'a/b')} is gone; the command ran in the workspace.]`,
    )
  })

  test('one that closes all its streams, and one that fills the process table of its group', async () => {
    const { call } = await session()
    expect((await call('exec >&- 2>&- <&-; sleep 0.1; exit 4')).content).toBe('exit_code: 4\n(no output)')
    expect((await call('for i in $(seq 300); do sleep 0.2 & done; wait; echo all')).content).toBe('exit_code: 0\nall')
  })
})
