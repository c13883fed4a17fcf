import { access, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { shell } from '../../../../src/toolkit/index.ts'
import type { SandboxOptions } from '../../../../src/toolkit/index.ts'
import { bubblewrapArgs } from '../../../../src/toolkit/sandbox/bubblewrap.ts'
import { placeFor } from '../../../../src/toolkit/sandbox/place.ts'
import { sandboxFor } from '../../../../src/toolkit/sandbox/sandbox.ts'
import { failureOf, workspaceWith } from '../../support/workspace.ts'
import { canSandbox } from './support/can-sandbox.ts'

async function sandboxed(options: boolean | SandboxOptions = true, files: Readonly<Record<string, string>> = {}) {
  const base = await workspaceWith({
    'app/a.txt': 'A',
    'home/.ssh/id': 'SECRET',
    'home/.netrc': 'SECRET',
    'home/notes': 'N',
    'other/b': 'B',
    ...files,
  })
  const workspace = join(base, 'app')
  const run = shell({ workspace, env: { ...process.env, HOME: join(base, 'home') }, sandbox: options })
  return { base, workspace, say: async (command: string) => (await run({ command })).content }
}

describe.runIf(process.platform === 'linux' && canSandbox())('in the sandbox', { timeout: 60_000 }, () => {
  test('a command writes in the workspace, and nowhere else', async () => {
    const { base, workspace, say } = await sandboxed()
    await symlink(join(base, 'other'), join(workspace, 'link'))
    expect(await say('echo new > b.txt; cat a.txt b.txt')).toBe('exit_code: 0\nAnew')
    for (const path of ['/etc/x', '/usr/x', join(homedir(), 'lena-x'), '/proc/sys/kernel/hostname', '/sys/x'])
      expect(await say(`echo x > ${path}`)).toMatch(
        /^exit_code: 1\nbash: line 1: .*: (Read-only file system|Permission denied|No such file or directory)/,
      )
    // What lies in temporary folders is not there, as these tests' own folders show.
    expect(await say(`echo x > ${base}/other/b; echo x > link/b; cat ../home/notes`)).toMatch(
      /^exit_code: 1\n(.*No such file or directory\n?){3}/,
    )
    expect([await readFile(join(base, 'other/b'), 'utf8'), await readFile(join(workspace, 'b.txt'), 'utf8')]).toEqual(['B', 'new\n'])
  })

  test('temporary files are private and gone with the command', async () => {
    const { say } = await sandboxed()
    expect(await say('echo x > /tmp/lena-sandbox-x; cat "$TMPDIR/lena-sandbox-x"')).toBe('exit_code: 0\nx')
    expect(await say('ls /tmp/lena-sandbox-x')).toMatch(/^exit_code: 2/)
    await expect(access('/tmp/lena-sandbox-x')).rejects.toThrow()
  })

  test('keys are not seen, nor what is hidden besides', async () => {
    const { base, say } = await sandboxed({ writable: [], hidden: [] })
    const outside = join(base, 'home')
    // Shown on purpose, so that what is hidden in it is hidden by its name.
    const shown = shell({
      workspace: join(base, 'app'),
      env: { ...process.env, HOME: outside },
      sandbox: { writable: [base], hidden: [join(base, 'other')] },
    })
    expect((await shown({ command: 'cat ../home/notes; ls -A ../home/.ssh ../other; cat ../home/.netrc' })).content).toBe(
      'exit_code: 1\nN../home/.ssh:\n\n../other:\ncat: ../home/.netrc: Permission denied',
    )
    expect(await say('echo ok')).toBe('exit_code: 0\nok')
  })

  test('there is no network, unless it is allowed', async () => {
    const server = createServer((_, answer) => void answer.end('reached'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())))
    const { port } = server.address() as AddressInfo
    const ask = `exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && tail -1 <&3`
    expect(await (await sandboxed()).say(ask)).toMatch(/^exit_code: 1\n.*(refused|unreachable)/s)
    expect(await (await sandboxed({ network: true })).say(ask)).toBe('exit_code: 0\nreached')
  })

  test('other processes are not seen, and nothing goes on when the command has ended', async () => {
    const { workspace, say } = await sandboxed()
    expect(await say(`kill -0 ${process.pid}`)).toMatch(/No such process/)
    expect(
      await say('(while :; do date +%N > beat; sleep 0.01; done) > /dev/null 2>&1 & while [ ! -s beat ]; do sleep 0.01; done; echo on'),
    ).toBe('exit_code: 0\non')
    const wait = () => shell({ workspace })({ command: 'sleep 0.1' })
    await wait()
    const beat = await readFile(join(workspace, 'beat'), 'utf8')
    await wait()
    expect(await readFile(join(workspace, 'beat'), 'utf8')).toBe(beat)
  })

  test('what others run later cannot be changed', async () => {
    const { say } = await sandboxed(true, { 'app/.git/hooks/pre-commit': '#!/bin/sh', 'app/.lena/settings.json': '{}' })
    expect(
      await say('echo x > .git/hooks/pre-commit; echo x > .git/hooks/new; echo {} > .lena/settings.json; echo ok > .git/index'),
    ).toMatch(/^exit_code: 0\n(.*Read-only file system\n?){3}$/)
  })

  test('nor by moving its folder away and putting another there', async () => {
    const { workspace, say } = await sandboxed(true, { 'app/.git/hooks/post-commit': 'true', 'app/.git/HEAD': 'ref: refs/heads/main\n' })
    expect(await say('mv .git .moved && mkdir -p .git/hooks && echo evil > .git/hooks/post-commit; cat .git/hooks/post-commit')).toMatch(
      /^exit_code: 0\nmv: cannot move '\.git' to '\.moved': Device or resource busy\ntrue/,
    )
    expect(await readFile(join(workspace, '.git/hooks/post-commit'), 'utf8')).toBe('true')
    expect(await say('echo y > .git/x; cat .git/x')).toBe('exit_code: 0\ny')
  })

  test('the working folder, exit codes, output and cancel are as ever', async () => {
    const { base, workspace, say } = await sandboxed()
    await mkdir(join(workspace, 'sub'))
    expect(await say('cd sub; echo out; echo err >&2; exit 7')).toBe(
      `exit_code: 7\nout\nerr\n[The working folder is ${join(workspace, 'sub')} now.]`,
    )
    expect(await say('pwd')).toBe(`exit_code: 0\n${join(workspace, 'sub')}`)
    expect(await say('kill -9 $$')).toMatch(/^exit_code: 137\n/)
    const controller = new AbortController()
    const run = shell({ workspace, sandbox: true, env: { ...process.env, HOME: base } })
    const result = await run(
      { command: 'echo ready; sleep 1000' },
      { signal: controller.signal, progress: async () => controller.abort(new Error('x')) },
    )
    expect(result).toMatchObject({ status: 'error', code: 'cancelled', content: expect.stringContaining('ready') })
  })

  test('nobody becomes more than they are', async () => {
    const { say } = await sandboxed()
    expect(await say('mount -o remount,rw / 2>&1; grep CapEff /proc/self/status')).toMatch(/CapEff:\t0{16}$/)
    expect(await say(': >> /proc/sys/kernel/core_pattern')).toMatch(/^exit_code: 1\n/)
    expect(await say('mount -o remount,rw / && echo x > /etc/lena-x')).toMatch(/^exit_code: (1|32|127)\n/)
  })
})

describe('a sandbox that cannot be made', () => {
  const workspace = '/srv/app'
  const wrap = (surroundings: object, where = {}) =>
    failureOf(
      Promise.resolve().then(() =>
        sandboxFor({}, { workspace, home: '/home/me', path: '/nowhere', ...surroundings }).wrap(
          { program: '/bin/bash', args: [], env: {} },
          { cwd: workspace, recordFolder: undefined, signal: new AbortController().signal, ...where },
        ),
      ),
    )

  test('runs nothing', async () => {
    const folder = await workspaceWith({ 'bin/bash': '' })
    const run = shell({ workspace: folder, sandbox: true, env: { PATH: '/nowhere' } })
    if (process.platform === 'linux')
      expect(await failureOf(run({ command: 'echo > ran' }))).toBe(
        'Commands run in a sandbox only, and bubblewrap (bwrap) is not installed. Install it, for example by `apt-get install bubblewrap`. Nothing was run. Tell the user; do not try another way.',
      )
    await expect(access(join(folder, 'ran'))).rejects.toThrow()
  })

  test('because it fails, is not there for the system, or would be open all over', async () => {
    const folder = await workspaceWith()
    await writeFile(join(folder, 'bwrap'), '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n', { mode: 0o755 })
    expect(await wrap({ path: folder, platform: 'linux' })).toBe(
      'Commands run in a sandbox only, and bubblewrap cannot make one here: bwrap: No permissions to create new namespace. The system may not let users have namespaces of their own. Nothing was run. Tell the user; do not try another way.',
    )
    expect(await wrap({ path: folder, platform: 'linux', workspace: folder })).toMatch(/is not installed/)
    expect(await wrap({ platform: 'win32' })).toMatch(/there is none for win32\. Nothing was run/)
    expect(await wrap({ platform: 'linux', workspace: '/' })).toMatch(/the workspace is \/, and all would be open/)
  })
})

describe('what is asked of the system', () => {
  const place = {
    workspace: '/srv/app "x"',
    cwd: '/srv/app "x"/sub',
    recordFolder: '/tmp/r',
    writable: ['/cache'],
    fixed: ['/srv/app "x"/.git/hooks'],
    hidden: [
      { path: '/home/me/.ssh', isFolder: true },
      { path: '/home/me/.netrc', isFolder: false },
    ],
    network: false,
  }

  test('of bubblewrap', () => {
    expect(bubblewrapArgs(place).join(' ')).toBe(
      '--die-with-parent --unshare-all --cap-drop ALL --ro-bind / / --dev /dev --proc /proc --ro-bind-try /proc/sys /proc/sys --ro-bind-try /proc/sysrq-trigger /proc/sysrq-trigger --tmpfs /tmp --tmpfs /var/tmp --tmpfs /run --bind /srv/app "x" /srv/app "x" --bind /cache /cache --bind /tmp/r /tmp/r --bind /srv/app "x"/.git /srv/app "x"/.git --ro-bind /srv/app "x"/.git/hooks /srv/app "x"/.git/hooks --tmpfs /home/me/.ssh --ro-bind /dev/null /home/me/.netrc --setenv TMPDIR /tmp --chdir /srv/app "x"/sub --',
    )
    expect(bubblewrapArgs({ ...place, cwd: '/home/me/.ssh/x' }).slice(-3)).toEqual(['--chdir', place.workspace, '--'])
    expect(bubblewrapArgs({ ...place, network: true })).toContain('--share-net')
  })

  test('keys are hidden where they are, through links, but never the workspace with them', async () => {
    const home = await workspaceWith({ 'real/id': '', '.aws/work/x': '' })
    await symlink(join(home, 'real'), join(home, '.ssh'))
    const found = placeFor({}, { workspace: join(home, '.aws/work'), cwd: home, home, recordFolder: undefined })
    expect(found.hidden).toEqual([{ path: join(home, 'real'), isFolder: true }])
  })
})
