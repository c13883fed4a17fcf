import { execFile } from 'node:child_process'
import type { Environment } from '../io.ts'
import type { Check } from './finding.ts'

const timeoutMs = 5000

/** The first line that a program says with `--version`; nothing when it cannot be run. */
function versionOf(program: string, env: Environment): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, ['--version'], { timeout: timeoutMs, killSignal: 'SIGKILL', env: env, windowsHide: true }, (error, stdout) =>
      resolve(error ? undefined : (stdout.split('\n')[0]?.trim().slice(0, 100) ?? '')),
    )
  })
}

export const node: Check = async () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isNew = major > 20 || (major === 20 && minor >= 19)
  return [
    { state: isNew ? 'good' : 'bad', about: 'Node', said: `${process.versions.node}${isNew ? '' : ', and Lena needs 20.19 or newer'}` },
  ]
}

export const shell: Check = async ({ io }) => {
  const version = await versionOf('bash', io.env)
  return [
    version === undefined
      ? { state: 'note', about: 'bash', said: 'is not found: commands run in another shell' }
      : { state: 'good', about: 'bash', said: version },
  ]
}

export const git: Check = async ({ io }) => {
  const version = await versionOf('git', io.env)
  return [version === undefined ? { state: 'note', about: 'git', said: 'is not found' } : { state: 'good', about: 'git', said: version }]
}

export const ripgrep: Check = async ({ io }) => {
  const own = await import('@vscode/ripgrep').then(
    ({ rgPath }) => rgPath,
    () => undefined,
  )
  for (const program of [own, 'rg']) {
    const version = program === undefined ? undefined : await versionOf(program, io.env)
    if (version !== undefined)
      return [{ state: 'good', about: 'search', said: `${version}${program === own ? ', which came with Lena' : ''}` }]
  }
  return [{ state: 'note', about: 'search', said: 'ripgrep is not found: glob and grep go without it, more slowly' }]
}
