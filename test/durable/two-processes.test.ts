import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildProgram } from './support/kill-run.ts'

let folder: string
let program: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lena-journal-two-'))
  program = await buildProgram(folder)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Ended = { readonly code: number | null; readonly said: string; readonly complaint: string }

/** A process that runs the program on the journal of `dir`. With `stop` it stands at that point until it is killed. */
function start(dir: string, stop = Infinity) {
  const child = spawn(process.execPath, [program, dir, String(stop)], { stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 })
  let said = ''
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  const stands = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.split('point\n').length > stop) resolve()
    })
    child.once('close', () => resolve())
  })
  const ended: Promise<Ended> = once(child, 'close').then(() => ({
    code: child.exitCode,
    said: said.replaceAll('point\n', ''),
    complaint,
  }))
  return { child, stands, ended }
}

const linesOf = async (dir: string, file: string): Promise<readonly string[]> =>
  (await readFile(join(dir, file), 'utf8').catch(() => '')).split('\n').slice(0, -1)

it(
  'a second process on one journal is refused and does nothing; once the first is killed, the next goes on',
  { timeout: 180_000 },
  async () => {
    const dir = join(folder, 'one-after-the-other')
    await mkdir(dir)
    const first = start(dir, 9)
    await first.stands
    const before = [await linesOf(dir, 'asked'), await linesOf(dir, 'done')]
    const second = await start(dir).ended
    expect({ code: second.code, said: second.said }).toEqual({ code: 1, said: '' })
    expect(second.complaint).toContain(`The journal ${join(dir, 'journal.jsonl')} is in use, by another process or in this one.`)
    expect([await linesOf(dir, 'asked'), await linesOf(dir, 'done')]).toEqual(before)
    first.child.kill('SIGKILL')
    await first.ended
    expect(await start(dir).ended).toMatchObject({ code: 0, said: 'Done.\n' })
  },
)

it('of two that begin at once at most one runs at a time, and each effect is had once', { timeout: 180_000 }, async () => {
  const dir = join(folder, 'at-once')
  await mkdir(dir)
  const ended = await Promise.all([start(dir).ended, start(dir).ended])
  // One may come so late that the other has let the journal go: it finds all done.
  const done = ended.filter(({ code, said }) => code === 0 && said === 'Done.\n')
  expect(done.length).toBeGreaterThanOrEqual(1)
  for (const { complaint } of ended.filter((one) => !done.includes(one))) expect(complaint).toContain('is in use, by another process')
  const effects = await linesOf(dir, 'done')
  expect([effects.length, new Set(effects).size]).toEqual([25, 25])
})
