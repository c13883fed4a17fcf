import { mkdtemp, readFile, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { InvalidRequestError } from '../../src/index.ts'
import { scriptedModel } from '../../src/testing/index.ts'
import { lena, newHome } from './support/world.ts'

vi.setConfig({ testTimeout: 60_000 })

const looks = (): ReturnType<typeof scriptedModel> => scriptedModel({ calls: [{ name: 'list_dir', input: {} }] }, { text: 'Done.' })

it('--trace FILE writes the run to that file, and `lena trace` shows it', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'lena-traced-'))
  expect(await lena(['-p', '--trace', 'run.jsonl', 'look'], { cwd, model: looks() })).toEqual({ code: 0, stdout: 'Done.\n', stderr: '' })
  const { code, stdout } = await lena(['trace', 'run.jsonl'], { cwd })
  expect({ code, tool: stdout.includes('list_dir') }).toEqual({ code: 0, tool: true })
})

it('--trace alone writes a new one, which `lena trace` finds', async () => {
  const home = newHome()
  await lena(['-p', '--trace', 'look at it'], { home, model: looks() })
  expect(await readdir(join(home, 'state', 'traces'))).toEqual([expect.stringMatching(/\.jsonl$/)])
  expect((await lena(['trace'], { home })).stdout).toContain('list_dir')
})

it('keeps of what was said only why something failed', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'lena-traced-'))
  const model = scriptedModel({ calls: [{ name: 'list_dir', input: {} }] }, { error: new InvalidRequestError('No such setting.') })
  expect((await lena(['-p', '--trace', 'run.jsonl', 'My secret'], { cwd, model })).code).toBe(1)
  expect((await lena(['trace', 'run.jsonl'], { cwd })).stdout).toContain('failed: invalid_request (No such setting.)')
  const written = await readFile(join(cwd, 'run.jsonl'), 'utf8')
  expect([written.includes('secret'), /gen_ai\.(input|output|tool\.call\.)\w*(messages|arguments|result)/.test(written)]).toEqual([
    false,
    false,
  ])
})
