import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { scriptedModel } from '../../src/testing/index.ts'
import type { ScriptStep } from '../../src/testing/index.ts'
import { lena } from './support/world.ts'

let base: string
beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'lena-workspace-')))
  await mkdir(join(base, 'app'))
  await writeFile(join(base, 'app', 'inside.txt'), 'what is inside\n')
  await writeFile(join(base, 'outside.txt'), 'what is outside\n')
  vi.stubEnv('XDG_STATE_HOME', join(base, 'state'))
  vi.stubEnv('LOCALAPPDATA', join(base, 'state'))
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(base, { recursive: true })
})

type Result = { readonly status: string; readonly content: readonly { readonly text: string }[] }

/** The answer of the model is what the results of its last calls say. */
const tells: ScriptStep = ({ messages }) => ({
  text: (messages.at(-1)!.content as unknown as readonly Result[]).map(({ content }) => content[0]!.text).join('\n'),
})
const reads = (...paths: readonly string[]): ScriptStep => ({ calls: paths.map((path) => ({ name: 'read_file', input: { path } })) })

test('the folder that is worked in is the workspace: a file in it is read, one outside is not without a question', async () => {
  const model = scriptedModel(reads('inside.txt', join(base, 'outside.txt'), join(process.cwd(), 'package.json')), tells)
  const { code, stdout } = await lena(['-p', '--cwd', join(base, 'app'), 'Read.'], { model, cwd: base })
  const refused = (path: string): string =>
    `The call of read_file was refused: it needs the permission of a person, and there is nobody to ask. ${JSON.stringify(path)} lies outside the workspace. Do not try again; say what you would have done.`
  expect({ code, said: stdout.trimEnd().split('\n') }).toEqual({
    code: 0,
    said: ['1\twhat is inside', refused(join(base, 'outside.txt')), refused(join(process.cwd(), 'package.json'))],
  })
})

test('a stored result is read back without a question, and nothing beside it', async () => {
  // Eight of them are more than the results of one turn may have.
  const prints: ScriptStep = { calls: Array.from({ length: 8 }, () => ({ name: 'shell', input: { command: 'seq 100000 109000' } })) }
  let stored = ''
  const opens: ScriptStep = ({ messages }) => {
    const [path] = /\/\S*\/result-[0-9a-f]{32}-\d+\.txt/.exec(JSON.stringify(messages.at(-1))) ?? ['']
    stored = path
    return { calls: [path, join(path, '..', '..')].map((path, index) => ({ name: ['read_file', 'list_dir'][index]!, input: { path } })) }
  }
  const { code, stdout } = await lena(['-p', '--cwd', join(base, 'app'), 'Print.'], {
    model: scriptedModel(prints, opens, tells),
    cwd: base,
    home: base,
  })
  expect(stored.startsWith(join(base, 'state'))).toBe(true)
  expect({ code, read: stdout.split('\n', 2), rest: stdout.trimEnd().split('\n').at(-1) }).toEqual({
    code: 0,
    read: ['1\texit_code: 0', '2\t100000'],
    rest: `The call of list_dir was refused: it needs the permission of a person, and there is nobody to ask. ${JSON.stringify(join(stored, '..', '..'))} lies outside the workspace. Do not try again; say what you would have done.`,
  })
})
