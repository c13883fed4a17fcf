import { execFile } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished, vi } from 'vitest'
import { defaultResults } from '../../src/results/default-results.ts'
import { programOf } from '../support/program.ts'
import { named, newFolder, signal } from './support/folder.ts'

it('on Node results go into the private folder of the user', async () => {
  const home = await newFolder()
  vi.stubEnv('XDG_STATE_HOME', home)
  vi.stubEnv('HOME', home)
  onTestFinished(() => void vi.unstubAllEnvs())
  const store = defaultResults()
  const { path } = await store.put(named('kept'), { signal })
  if (process.platform === 'linux') expect(dirname(dirname(path))).toBe(join(home, 'lena-agent', 'results'))
  expect(await store.owns(path)).toBe(true)
  expect(await store.read(path, { offset: 0, limit: 9, signal })).toEqual({ text: 'kept', offset: 0, chars: 4 })
  await store.remove('conv_1')
  expect(await store.owns(path)).toBe(false)
  expect(store.readers).toEqual([{ name: 'read_file', offset: 'line' }])
})

it('without a home that can be written to they go into a folder of the user in the temporary one', async () => {
  const folder = await newFolder()
  vi.stubEnv('XDG_STATE_HOME', '/dev/null/state')
  vi.stubEnv('HOME', '/dev/null/home')
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { path } = await defaultResults().put(named('kept'), { signal })
  expect(dirname(dirname(path))).toBe(join(folder, `lena-agent-results-${process.getuid?.()}`))
})

it.runIf(process.getuid?.() === 0)('so they do where the system knows of no home', { timeout: 60_000 }, async () => {
  const folder = await newFolder()
  await chmod(folder, 0o777)
  const program = await programOf(new URL('./support/homeless.ts', import.meta.url))
  const env = { PATH: process.env['PATH'], TMPDIR: folder }
  const { stdout } = await promisify(execFile)(process.execPath, [program, '54321'], { env, timeout: 50_000 })
  expect(dirname(dirname(stdout))).toBe(join(folder, 'lena-agent-results-54321'))
})

it('elsewhere they stay in memory', async () => {
  vi.stubGlobal('process', undefined)
  const store = defaultResults()
  vi.unstubAllGlobals()
  expect((await store.put(named('kept'), { signal })).path).toMatch(/^memory:/)
  expect(store.readers).toBeUndefined()
})
