import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { CommandRequest } from 'lena-agent/toolkit'
import { hostBehind } from '../../../examples/container/host.ts'
import { programOf } from '../../support/program.ts'
import { canMakeBoxes, makeBox } from './support/box.ts'

vi.setConfig({ testTimeout: 60_000 })

const request = (command: string, parts: Partial<CommandRequest> = {}): CommandRequest => ({
  command,
  cwd: '/',
  env: { PATH: '/usr/bin:/bin' },
  timeoutMs: 30_000,
  signal: new AbortController().signal,
  onOutput: () => {},
  tellsFolder: false,
  ...parts,
})
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => `it ended well with ${String(value)}`,
    (error: unknown) => [(error as { readonly code?: string }).code, (error as Error).message],
  )

describe('the host of the examples says', () => {
  test('that its prefix cannot be run: no file is missing', async () => {
    expect(await failureOf(hostBehind({ command: ['no-such-program-anywhere'] }))).toEqual([
      'EIO',
      'EIO: the machine behind no-such-program-anywhere: spawn no-such-program-anywhere ENOENT',
    ])
  })

  test('what is missing over there', async () => {
    const programs = await mkdtemp(join(tmpdir(), 'programs-'))
    onTestFinished(() => rm(programs, { recursive: true }))
    await symlink('/bin/sh', join(programs, 'sh'))
    await symlink('/bin/cat', join(programs, 'cat'))
    expect(await failureOf(hostBehind({ command: ['/usr/bin/env', '-i', 'HOME=/', `PATH=${programs}`] }))).toEqual([
      'EIO',
      expect.stringMatching(/over there is no bash chmod chown .* tail tr$/),
    ])
  })

  test('what its prefix says when it cannot reach the machine', async () => {
    const command = ['sh', '-c', 'echo "ssh: connect to host far port 22: Connection refused" >&2; exit 255']
    expect(await failureOf(hostBehind({ command }))).toEqual([
      'EIO',
      expect.stringMatching(/: ssh: connect to host far port 22: Connection refused$/),
    ])
  })

  test('that no NUL can stand in a command line', async () => {
    const host = await hostBehind({ command: ['env'] })
    expect(await failureOf(host.run(request('echo a\0b')))).toEqual([
      undefined,
      'A command, its folder and its environment hold no NUL character.',
    ])
  })
})

describe.runIf(canMakeBoxes())('behind a container', () => {
  test('that is gone nothing is taken for an answer', async () => {
    const box = await makeBox()
    const host = await hostBehind({ command: box.command })
    await box.close()
    expect(await failureOf(host.files.stat('/box'))).toEqual(['EIO', expect.stringMatching(/^EIO: stat "\/box": nsenter: /)])
    expect(await failureOf(host.files.create('/box/x'))).toEqual(['EIO', expect.stringMatching(/^EIO: create "\/box\/x": nsenter: /)])
    expect(await failureOf(host.run(request('true')))).toEqual([
      'EIO',
      expect.stringMatching(/^EIO: The command could not be started: nsenter: /),
    ])
    await host.jobs!.end()
  })

  test('that goes away while a command runs, the command fails', async () => {
    const box = await makeBox()
    const host = await hostBehind({ command: box.command })
    // What the command says may come before it is told that it has begun.
    let closing: Promise<void> | undefined
    const running = host.run(request('echo ready; sleep 1000', { onOutput: () => void (closing ??= box.close()) }))
    expect(await failureOf(running)).toEqual([
      'EIO',
      expect.stringMatching(/^EIO: The (connection was lost while the command ran|command could not be started)/),
    ])
    await closing
  })

  test('a disk that is full is ENOSPC, one that is fixed EACCES, another one EXDEV', async () => {
    const box = await makeBox({ args: ['--size', '65536', '--tmpfs', '/small', '--ro-bind', '/usr/share', '/fixed'] })
    onTestFinished(() => box.close())
    const { files } = await hostBehind({ command: box.command })
    const file = await files.create('/small/x')
    expect(await failureOf(file.write(new Uint8Array(1_000_000)))).toEqual(['ENOSPC', 'ENOSPC: write "/small/x"'])
    expect(await failureOf(files.create('/fixed/x'))).toEqual(['EACCES', 'EACCES: create "/fixed/x"'])
    expect(await failureOf(files.makeFolder('/fixed/x/y'))).toEqual(['EACCES', 'EACCES: makeFolder "/fixed/x/y"'])
    expect(await failureOf(files.rename('/small/x', '/box/x'))).toEqual(['EXDEV', 'EXDEV: rename "/small/x"'])
  })

  test('what one command has left running is not forgotten when another one ends that began before it', async () => {
    const box = await makeBox()
    onTestFinished(() => box.close())
    const host = await hostBehind({ command: box.command })
    const first = host.run(request('until [ -e /box/go ]; do sleep 0.02; done'))
    await host.run(request('sleep 1000 >/dev/null 2>&1 &'))
    expect(host.jobs!.list().map(({ command }) => command)).toEqual(['sleep 1000 >/dev/null 2>&1 &'])
    await host.run(request('touch /box/go'))
    expect((await first).left).toEqual([])
    expect(host.jobs!.list()).toEqual([{ command: 'sleep 1000 >/dev/null 2>&1 &', pids: [expect.any(Number)] }])
    await host.jobs!.end()
  })

  test('what is left running and holds its output keeps the program not awake that has run it', async () => {
    const box = await makeBox()
    onTestFinished(() => box.close())
    const program = await programOf(`
      import { hostBehind } from './examples/container/host.ts'
      const host = await hostBehind({ command: ${JSON.stringify(box.command)} })
      const { signal } = new AbortController()
      const common = { cwd: '/', env: { PATH: '/usr/bin:/bin' }, timeoutMs: 30_000, signal, onOutput() {}, tellsFolder: false }
      const { isHeld, left } = await host.run({ ...common, command: 'sleep 1000 &' })
      console.log(JSON.stringify({ isHeld, left: left.length }))`)
    // It would be ended by this limit, which is a failure.
    const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 50_000 })
    expect(JSON.parse(stdout)).toEqual({ isHeld: true, left: 1 })
  })

  test('what it has left running and holds the output ends when that is asked for', async () => {
    const box = await makeBox()
    onTestFinished(() => box.close())
    const host = await hostBehind({ command: box.command })
    const end = await host.run(request('sleep 1000 & echo $!'))
    expect(end.isHeld).toBe(true)
    await host.jobs!.end()
    expect(host.jobs!.list()).toEqual([])
  })
})
