import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fileJournal } from '../../src/durable/index.ts'
import { buildProgram } from './support/kill-run.ts'

const { signal } = new AbortController()
let folder: string
let program: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lena-journal-full-'))
  program = await buildProgram(folder, 'until-full')
}, 60_000)
afterAll(async () => await rm(folder, { recursive: true, force: true }))

/** What the program said, line by line, where a limit stands for the disk. */
async function saidUnder(limit: readonly [string, ...string[]], file: string): Promise<readonly string[]> {
  const [command, ...args] = limit
  const { stdout } = await promisify(execFile)(command, [...args, process.execPath, program, file], { timeout: 60_000 })
  return stdout.split('\n').slice(0, -1)
}

it.skipIf(process.platform === 'win32')(
  'a full disk loses no step that was done, and what failed runs again, with its key, in the next process',
  { timeout: 120_000 },
  async () => {
    const file = join(folder, 'full.jsonl')
    // A file may have 16 blocks of 512 bytes (1,024 in some shells), and the write that meets the end is a short one.
    const said = await saidUnder(['sh', '-c', 'ulimit -f 16; exec "$@"', 'sh'], file)
    const numbers = (what: string): readonly number[] =>
      said.flatMap((line) => (line.startsWith(what) ? [Number.parseInt(line.slice(what.length))] : []))
    const done = numbers('done ')
    expect(done.length).toBeGreaterThan(5)
    expect(said.filter((line) => line.startsWith('failed'))).toEqual(numbers('failed ').map((at) => `failed ${at}: EFBIG`))

    const repeated: string[] = []
    await using journal = fileJournal({ file, onRepeat: ({ name }) => void repeated.push(name) })
    const again: number[] = []
    for (let i = 0; i < done.length + 3; i++) {
      const step = { name: `tool:call_${i}`, kind: 'tool' as const, idempotencyKey: `conv_1:call_${i}` }
      const value = await journal.run(step, async () => (again.push(i), 'second'), { signal })
      expect(value).toBe(done.includes(i) ? 'x'.repeat(300) : 'second')
    }
    expect(again).toEqual(numbers('failed '))
    // Those that had begun are told of; the others never ran.
    expect(repeated).toEqual(numbers('ran ').flatMap((at) => (done.includes(at) ? [] : [`tool:call_${at}`])))
  },
)

it.skipIf(!existsSync('/usr/bin/prlimit'))(
  'one that has no room for the header leaves no file that is none',
  { timeout: 120_000 },
  async () => {
    const file = join(folder, 'header.jsonl')
    expect(await saidUnder(['prlimit', '--fsize=50'], file)).toEqual(['none: EFBIG'])
    expect((await readdir(folder)).filter((name) => name.startsWith('header'))).toEqual([])
    await using journal = fileJournal({ file })
    expect(await journal.run({ name: 'tool:call_1', kind: 'tool', idempotencyKey: 'k' }, async () => 'done', { signal })).toBe('done')
  },
)
