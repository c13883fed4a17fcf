import { execFileSync, spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { SandboxOptions } from '../../../../src/toolkit/index.ts'
import { sandboxFor } from '../../../../src/toolkit/sandbox/sandbox.ts'
import { workspaceWith } from '../../support/workspace.ts'

/** Writes down the profile that it was given, and runs the command without it. */
const standIn = `#!/bin/bash
[ "$1" = -p ] || exit 99
printf %s "$2" > "$(dirname "$0")/profile"
exec "\${@:3}"
`

/** The library asks the platform of the process. */
function asOnMacOS(): void {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform')!
  Object.defineProperty(process, 'platform', { ...platform, value: 'darwin' })
  onTestFinished(() => void Object.defineProperty(process, 'platform', platform))
}

async function onMacOS(options: SandboxOptions, script: string) {
  const base = await workspaceWith({
    'app/.git/hooks/pre-commit': '',
    'app/.git/HEAD': '',
    'home/.ssh/id': '',
    'record/x': '',
    'bin/x': '',
  })
  const [workspace, cwd, stub] = [join(base, 'app'), join(base, 'app/sub'), join(base, 'bin/sandbox-exec')]
  await mkdir(cwd)
  await writeFile(stub, standIn, { mode: 0o755 })
  asOnMacOS()
  const sandbox = sandboxFor(options, { workspace, home: join(base, 'home'), path: process.env['PATH'], platform: 'darwin' })
  const { program, args, env, ended } = await sandbox.wrap(
    { program: '/bin/bash', args: ['-c', script, 'bash', `it's "odd" $HOME`], env: { PATH: process.env['PATH'] ?? '', OWN: 'kept' } },
    { cwd, recordFolder: join(base, 'record'), signal: new AbortController().signal },
  )
  try {
    const line = args.join('\0')
    expect(line.split('/usr/bin/sandbox-exec')).toHaveLength(2)
    const child = spawn(program, line.replace('/usr/bin/sandbox-exec', stub).split('\0'), { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    const code = await new Promise((resolve) => child.once('close', resolve))
    return { base, workspace, code, output, profile: await readFile(join(base, 'bin/profile'), 'utf8') }
  } finally {
    await ended?.()
  }
}

function hasCurl(): boolean {
  try {
    execFileSync('curl', ['-V'], { stdio: 'ignore', timeout: 10_000 })
    return true
  } catch {
    return false
  }
}

/** The rules of a profile of one kind, and the paths in them. */
const rules = (profile: string, head: string): string =>
  [...profile.matchAll(/\((?:allow|deny)[^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*\)/g)]
    .map(([rule]) => rule)
    .filter((rule) => rule.startsWith(head))
    .join('\n')

const network = (profile: string) => profile.split('\n').filter((line) => /network/.test(line) && !line.startsWith(';'))

/** Seatbelt itself is only on macOS. What is handed to it, and that the command comes through, can be seen anywhere. */
describe('on macOS', { timeout: 60_000 }, () => {
  test('the command comes through as it is, in its folder, with its variables and a temporary folder of its own', async () => {
    const { base, code, output } = await onMacOS({}, 'pwd; echo "$0|$1|$OWN|$TMPDIR"; env | grep -c LENA_AGENT_ARG; exit 7')
    expect({ code, output }).toEqual({
      code: 7,
      output: `${join(base, 'app/sub')}\nbash|it's "odd" $HOME|kept|${join(base, 'record')}\n0\n`,
    })
  })

  test('all is closed but what is named: the workspace is written, keys are not read, hooks are not changed', async () => {
    const { base, workspace, profile } = await onMacOS({ writable: [], hidden: [] }, 'true')
    expect(profile).toMatch(/^\(version 1\)\n\(deny default /)
    expect(rules(profile, '(allow file-write*')).toContain(`(subpath "${workspace}")`)
    expect(rules(profile, '(allow file-write*')).not.toContain(`"${base}"`)
    expect(rules(profile, '(deny file-read*')).toContain(`(subpath "${base}/home/.ssh")`)
    expect(rules(profile, '(deny file-write*')).toContain(`(subpath "${workspace}/.git/hooks")`)
    // Nor by moving its folder away.
    expect(rules(profile, '(deny file-write-unlink')).toContain(`(literal "${workspace}/.git")`)
  })

  test.each([
    ['no network', {}, 'one.example', 'Connection blocked by network allowlist'],
    ['single hosts', { network: ['one.example'] }, 'two.example', 'Connection blocked by network allowlist'],
    ['an empty list', { network: [] }, 'one.example', 'Connection blocked by network allowlist'],
  ])('%s: the proxy of the library alone, which lets nobody else through', async (_, options, host, answer) => {
    const { output, profile } = await onMacOS(options, `echo "$HTTP_PROXY"; curl -s -m 20 http://${host}/`)
    const [proxy = '', said] = output.split('\n')
    const own = `(local ip "localhost:${new URL(proxy).port}")`
    expect(network(profile)).toEqual([
      `(allow network-bind ${own})`,
      `(allow network-inbound ${own})`,
      `(allow network-outbound ${own.replace('local', 'remote')})`,
    ])
    if (hasCurl()) expect(said).toBe(answer)
  })

  test('all of the network', async () => {
    const { output, profile } = await onMacOS({ network: true }, 'echo "${HTTP_PROXY-none}"')
    expect({ output, rules: network(profile) }).toEqual({ output: 'none\n', rules: ['(allow network*)'] })
  })
})
