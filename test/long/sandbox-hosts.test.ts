import { execFileSync, spawn } from 'node:child_process'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { shell } from '../../src/toolkit/index.ts'
import type { SandboxOptions } from '../../src/toolkit/index.ts'
import { workspaceWith } from '../toolkit/support/workspace.ts'
import { canSandbox } from '../toolkit/shell/sandbox/support/can-sandbox.ts'

function canCarry(): boolean {
  try {
    for (const program of ['socat', 'curl']) execFileSync(program, ['-V'], { stdio: 'ignore', timeout: 10_000 })
    return true
  } catch {
    console.warn('socat or curl is not there: a sandbox that lets single hosts through is not tested.')
    return false
  }
}

/** Stands for the network: all that is let out comes to this proxy. */
async function network() {
  const seen: string[] = []
  const proxy = createServer((request, answer) => {
    seen.push(request.url ?? '')
    answer.end('answered')
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => void proxy.close(() => resolve())))
  return { seen, address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }
}

async function sandboxed(options: SandboxOptions, proxy: string, files: Readonly<Record<string, string>> = {}) {
  const base = await workspaceWith({ 'app/a.txt': 'A', 'home/.ssh/id': 'SECRET', 'home/notes': 'N', ...files })
  const workspace = join(base, 'app')
  const env = { ...process.env, HOME: join(base, 'home'), HTTP_PROXY: proxy, http_proxy: proxy, HTTPS_PROXY: proxy, https_proxy: proxy }
  const run = shell({ workspace, env, sandbox: options })
  return { base, workspace, say: async (command: string) => (await run({ command })).content }
}

const statOf = (pid: string): Promise<string> => readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')

const carriers = async (): Promise<readonly string[]> => {
  const names = await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(statOf))
  return names.filter((stat) => /\(socat\) [^ZX]/.test(stat) && stat.split(' ')[3] === String(process.pid))
}

const fetching = (host: string): string => `curl -s -m 20 http://${host}/x`

describe.runIf(process.platform === 'linux' && canSandbox() && canCarry())('single hosts', () => {
  test('those that are named are reached, by the proxies of the environment; any other is not', async () => {
    const { seen, address } = await network()
    const { say } = await sandboxed({ network: ['one.example', '*.two.example'] }, address)
    expect(await say(`${fetching('one.example')}; echo; ${fetching('a.two.example')}; echo; ${fetching('two.example.evil.example')}`)).toBe(
      'exit_code: 0\nanswered\nanswered\nConnection blocked by network allowlist',
    )
    expect(seen).toEqual(['http://one.example/x', 'http://a.two.example/x'])
  })

  test('nothing goes around the proxy', async () => {
    const { seen, address } = await network()
    const { say } = await sandboxed({ network: ['one.example'] }, address)
    const { port } = new URL(address)
    expect(await say(`exec 3<>/dev/tcp/127.0.0.1/${port}`)).toMatch(/^exit_code: 1\n.*refused/s)
    expect(await say(`curl -s -m 20 --noproxy '*' ${address}/x; curl -s -m 20 http://127.0.0.1:${port}/x`)).toMatch(/^exit_code: 7\b/)
    expect(seen).toEqual([])
  })

  test('files are as in any sandbox: written in the workspace alone, keys not seen, hooks kept', async () => {
    const { address } = await network()
    const { base, workspace, say } = await sandboxed({ network: ['one.example'] }, address, {
      'app/.git/hooks/pre-commit': '#!/bin/sh',
      'app/.git/HEAD': 'ref: refs/heads/main\n',
    })
    expect(await say('echo new > b.txt; cat a.txt b.txt; echo x > "$TMPDIR/t" && cat "$TMPDIR/t"')).toBe('exit_code: 0\nAnew\nx')
    expect(await say('cat ../home/notes; ls -A ../home/.ssh')).toBe('exit_code: 0\nN')
    expect(await say('echo x > ../home/notes; echo x > .git/hooks/pre-commit; mv .git .moved; echo x > /etc/lena-x')).toMatch(
      /^exit_code: 1\n.*home\/notes: Read-only file system\n.*pre-commit: Read-only file system\nmv: .*Device or resource busy\n.*Read-only file system/,
    )
    expect(await readFile(join(workspace, '.git/hooks/pre-commit'), 'utf8')).toBe('#!/bin/sh')
    expect(await readFile(join(base, 'home/notes'), 'utf8')).toBe('N')
  })

  test('the command is what it was: quotes, folder, exit code, no trace of how it came in', async () => {
    const { address } = await network()
    const { workspace, say } = await sandboxed({ network: ['one.example'] }, address)
    await mkdir(join(workspace, 'sub'))
    const odd = `it's "a" $HOME \`b\` \\ ü`
    await writeFile(join(workspace, 'odd'), odd)
    expect(await say(`cat <<'END'\n${odd}\nEND\ncd sub; env | grep -c LENA_AGENT_ARG; exit 7`)).toBe(
      `exit_code: 7\n${odd}\n0\n[The working folder is ${join(workspace, 'sub')} now.]`,
    )
    expect(await say(`echo ${"'x'".repeat(20_000)} | wc -c`)).toBe('exit_code: 0\n20001')
  })

  test('when the last command has ended nothing is left: no carrier, no listener on signals', async () => {
    const { address } = await network()
    const before = (['SIGINT', 'SIGTERM'] as const).map((name) => process.listenerCount(name))
    const [one, two] = await Promise.all([
      sandboxed({ network: ['one.example'] }, address),
      sandboxed({ network: ['two.example'] }, address),
    ])
    expect(
      await Promise.all([one.say(fetching('one.example')), two.say(fetching('one.example')), one.say(fetching('one.example'))]),
    ).toEqual(['exit_code: 0\nanswered', 'exit_code: 0\nConnection blocked by network allowlist', 'exit_code: 0\nanswered'])
    expect(await carriers()).toEqual([])
    expect((['SIGINT', 'SIGTERM'] as const).map((name) => process.listenerCount(name))).toEqual(before)
  })

  test('a cancelled command ends, and the next one runs', async () => {
    const { address } = await network()
    const { workspace, say } = await sandboxed({ network: ['one.example'] }, address)
    const controller = new AbortController()
    const run = shell({
      workspace,
      sandbox: { network: ['one.example'] },
      env: { ...process.env, HTTP_PROXY: address, http_proxy: address },
    })
    const result = await run(
      { command: 'echo ready; sleep 1000' },
      { signal: controller.signal, progress: async () => controller.abort(new Error('x')) },
    )
    expect(result).toMatchObject({ status: 'error', code: 'cancelled', content: expect.stringContaining('ready') })
    expect(await say('echo on')).toBe('exit_code: 0\non')
    expect(await carriers()).toEqual([])
  })

  test.each(['SIGTERM', 'SIGKILL'])('a program that is ended by %s takes the carriers with it', async (signal) => {
    const { address } = await network()
    const workspace = await workspaceWith({ 'a.txt': 'A' })
    const program = fileURLToPath(new URL('../toolkit/shell/sandbox/support/runs-with-hosts.ts', import.meta.url))
    const child = spawn(process.execPath, ['--import', 'tsx', program, workspace, signal], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, HTTP_PROXY: address },
    })
    await new Promise((resolve) => child.once('exit', resolve))
    const own = async () => (await readFile(join(workspace, 'carriers'), 'utf8')).split(' ').filter(Boolean)
    const running = async () => (await Promise.all((await own()).map(statOf))).filter((stat) => /\(socat\) [^ZX]/.test(stat))
    expect(await own()).not.toEqual([])
    await vi.waitFor(async () => expect(await running()).toEqual([]), { timeout: 30_000, interval: 10 })
    expect(child.signalCode).toBe(signal)
  })

  test('an empty list lets nobody through', async () => {
    const { seen, address } = await network()
    const { say } = await sandboxed({ network: [] }, address)
    expect(await say(fetching('one.example'))).toMatch(/^exit_code: [57]\b/)
    expect(seen).toEqual([])
  })
})
