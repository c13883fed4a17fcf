import { mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { scriptedModel } from '../../src/testing/index.ts'
import type { ScriptStep } from '../../src/testing/index.ts'
import { lena, newHome } from './support/world.ts'

vi.setConfig({ testTimeout: 60_000 })

let kept: string
beforeAll(async () => {
  kept = await realpath(await mkdtemp(join(tmpdir(), 'lena-kept-')))
  vi.stubEnv('XDG_STATE_HOME', kept)
  vi.stubEnv('LOCALAPPDATA', kept)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(kept, { recursive: true })
})

const newest: (messages: Parameters<Extract<ScriptStep, (...args: never) => unknown>>[0]['messages']) => string = (messages) =>
  messages
    .at(-1)!
    .content.map((block) => (block.type === 'tool_result' && block.content[0]?.type === 'text' ? block.content[0].text : ''))
    .join('')

const newFolder = async (): Promise<string> => await realpath(await mkdtemp(join(tmpdir(), 'lena-bench-')))

describe('a long output of a command', () => {
  it('is kept, and the model reads on without a question; also when the conversation is gone on with', async () => {
    const [cwd, home] = [await newFolder(), newHome()]
    let path = ''
    const reads: ScriptStep = ({ messages }) => {
      path ||= /<persisted-output path="([^"]+)">/.exec(newest(messages))![1]!
      return { calls: [{ name: 'read_file', input: { path, offset: 5000, limit: 1 } }] }
    }
    const tells: ScriptStep = ({ messages }) => ({ text: newest(messages) })
    const floods: ScriptStep = { calls: [{ name: 'shell', input: { command: 'for i in $(seq 10000); do echo "line $i"; done' } }] }
    const world = { cwd, home, ids: 'random' as const }
    const first = await lena(['-p', '--mode', 'bypass', 'count'], { ...world, model: scriptedModel(floods, reads, tells) })
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('line 5000') as string })
    expect(path.startsWith(join(await realpath(home), 'state', 'results'))).toBe(true)
    expect(await readdir(kept)).toEqual([])
    expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(10_001)
    const second = await lena(['-p', '--continue', 'once more'], { ...world, model: scriptedModel(reads, tells) })
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('line 5000') as string })
  })

  it('stays for a fork when its session is removed', async () => {
    const [cwd, home] = [await newFolder(), newHome()]
    const counts: ScriptStep = { calls: [{ name: 'shell', input: { command: 'seq 20000' } }] }
    const world = { cwd, home, sessionIds: ['3fork3'] }
    const stored = async (): Promise<number> =>
      (await readdir(join(home, 'state', 'results'), { recursive: true })).filter((name) => name.endsWith('.txt')).length
    expect((await lena(['-p', '--mode', 'bypass', 'count'], { cwd, home, model: scriptedModel(counts, { text: 'Done.' }) })).code).toBe(0)
    expect((await lena(['sessions', 'fork', '2test2'], world)).stdout).toBe('3fork3\n')
    expect((await lena(['sessions', 'remove', '2test2'], world)).code).toBe(0)
    expect(await stored()).toBe(1)
  })

  it('lies in the folder of the state, or where the SDK keeps results, and goes with its session', async () => {
    const [cwd, home] = [await newFolder(), newHome()]
    const counts: ScriptStep = { calls: [{ name: 'shell', input: { command: 'seq 20000' } }] }
    const run = async (env: Record<string, string>): Promise<readonly string[]> => {
      const root = env['LENA_STATE_DIR'] ? join(home, 'state', 'results') : join(kept, 'lena-agent', 'results')
      const world = { cwd, home, env: { NO_COLOR: '1', LENA_MODEL: 'scripted/model', HOME: home, ...env } }
      expect((await lena(['-p', '--mode', 'bypass', 'count'], { ...world, model: scriptedModel(counts, { text: 'Done.' }) })).code).toBe(0)
      const stored = await readdir(root, { recursive: true })
      expect((await lena(['sessions', 'remove', '2test2'], world)).code).toBe(0)
      expect(await readdir(root)).toEqual([])
      return stored.filter((name) => name.endsWith('.txt'))
    }
    expect(await run({ LENA_STATE_DIR: join(home, 'state') })).toHaveLength(1)
    expect(await run({ LENA_STATE_DIR: '' })).toHaveLength(1)
  })
})

describe('a sub-agent', () => {
  it('that explores has the tools that look, and gives back its last words', async () => {
    const cwd = await newFolder()
    await writeFile(join(cwd, 'a.txt'), 'the answer\n')
    const model = scriptedModel(
      { calls: [{ name: 'task', input: { task: 'What does a.txt say?', agent: 'explore' } }] },
      { calls: [{ name: 'read_file', input: { path: 'a.txt' } }] },
      { text: 'It says "the answer".' },
      ({ messages }) => ({ text: `The sub-agent: ${newest(messages)}` }),
    )
    const { code, stdout } = await lena(['-p', 'ask somebody'], { cwd, model })
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'The sub-agent: It says "the answer".\n' })
    expect(model.requests[1]!.tools.map(({ name }) => name)).toEqual(['glob', 'grep', 'list_dir', 'read_file'])
    expect(JSON.stringify(model.requests[1]!.messages)).not.toContain('ask somebody')
  })

  it('has none of the tools that the settings take away', async () => {
    const [cwd, home] = [await newFolder(), newHome()]
    await mkdir(join(home, 'config'))
    await writeFile(join(home, 'config', 'config.json'), '{"tools":{"off":["grep","shell"]}}')
    const model = scriptedModel(
      { calls: [{ name: 'task', input: { task: 'Look.', agent: 'explore' } }] },
      { text: 'Nothing.' },
      { text: 'Done.' },
    )
    expect((await lena(['-p', 'look'], { cwd, home, model })).code).toBe(0)
    expect(model.requests[1]!.tools.map(({ name }) => name)).toEqual(['glob', 'list_dir', 'read_file'])
  })
})
