import { chmod, readFile, watch } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { glob, grep } from '../../../src/toolkit/index.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

/** A program in the place of ripgrep: it says who it is, prints this, and then does not end. */
async function stuckProgram(prints: string): Promise<{ readonly program: string; readonly started: () => Promise<number> }> {
  const folder = await workspaceWith({
    rg: `#!/bin/sh\nprintf '${prints}'\necho $$ > "$(dirname "$0")/pid.tmp"\nmv "$(dirname "$0")/pid.tmp" "$(dirname "$0")/pid"\nexec sleep 1000\n`,
  })
  await chmod(join(folder, 'rg'), 0o755)
  const pid = () => readFile(join(folder, 'pid'), 'utf8').catch(() => '')
  return {
    program: join(folder, 'rg'),
    async started() {
      const changes = watch(folder)
      if ((await pid()) !== '') return Number(await pid())
      for await (const { filename } of changes) if (filename === 'pid') return Number(await pid())
      return 0
    },
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

// Without PATH `dirname` is not found by every shell.
const env = { PATH: process.env['PATH'] }

test('a cancel ends the program', { timeout: 30_000 }, async () => {
  const { program, started } = await stuckProgram('')
  const workspace = await workspaceWith({ 'a.txt': '' })
  const controller = new AbortController()
  const call = failureOf(glob({ workspace, env, ripgrep: program })({ pattern: '*' }, { signal: controller.signal }))
  const pid = await started()
  expect(isAlive(pid)).toBe(true)
  controller.abort(new Error('stopped'))
  expect(await call).toBe('stopped')
  expect(isAlive(pid)).toBe(false)
})

test('so does the end of the time, and what was found until then counts', { timeout: 30_000 }, async () => {
  const { program, started } = await stuckProgram('./a.txt\\0')
  const workspace = await workspaceWith({ 'a.txt': '' })
  const pid = started()
  // The time is up when the program has printed what it found.
  const clock = { now: () => 0, sleep: async () => void (await pid) }
  expect(await glob({ workspace, env, clock, ripgrep: program })({ pattern: '*' })).toMatch(
    /^(a\.txt\n)?\[The search was ended after 30 s and is not complete\. Give a folder as path\.\]$/,
  )
  expect(isAlive(await pid)).toBe(false)
})

test('so does enough', { timeout: 30_000 }, async () => {
  const { program } = await stuckProgram(Array.from({ length: 1001 }, (_, index) => `./${index}\\0`).join(''))
  const workspace = await workspaceWith({ 'a.txt': '' })
  expect(await glob({ workspace, env, ripgrep: program })({ pattern: '*' })).toMatch(/\[There are more: these are the first 1000\./)
})

test('a program that is not there, and one that fails, are errors', async () => {
  const workspace = await workspaceWith({ 'a.txt': '' })
  const folder = await workspaceWith({ rg: '#!/bin/sh\necho "rg: out of order" >&2\nexit 2\n' })
  await chmod(join(folder, 'rg'), 0o755)
  expect(await failureOf(glob({ workspace, ripgrep: join(folder, 'not-there') })({ pattern: '*' }))).toMatch(/^spawn .*ENOENT/)
  expect(await failureOf(grep({ workspace, ripgrep: join(folder, 'rg') })({ pattern: 'a' }))).toBe('rg: out of order')
})
