import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect } from 'vitest'

/** Where a run is killed: at its n-th point, while it goes on to as many points more. There it stands, so that no kill comes too late. */
export type Kill = { readonly point: number; readonly ahead: number }

/** What came of the kills: those that met a run under way, and the runs that came to their end. */
export type Killed = { readonly landed: number; readonly whole: number }

const turns = 20
/** Each turn calls once, each fourth one twice. */
const calls = 25
/** A process that says nothing for so long hangs. */
const patienceMs = 60_000

/** Bundles the program, so that a process starts at once. */
export async function buildProgram(folder: string, name = 'program'): Promise<string> {
  const outfile = join(folder, `${name}.mjs`)
  const target = { platform: 'node', format: 'esm', target: 'node20' } as const
  await build({ entryPoints: [`test/durable/support/${name}.ts`], outfile, bundle: true, ...target })
  return outfile
}

const linesOf = (file: string): readonly string[] => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [])

/** Names of the steps whose records are whole. */
const finished = (dir: string): readonly string[] =>
  linesOf(join(dir, 'journal.jsonl')).flatMap((line) => {
    const { type, name } = JSON.parse(line) as { readonly type: string; readonly name: string }
    return type === 'ended' ? [name] : []
  })

/** Runs the program, and kills it at its point. Gives what it had said by then: nothing when that met it under way. */
async function runUntil(program: string, dir: string, kill: Kill | undefined): Promise<string> {
  const stop = kill ? kill.point + kill.ahead : Infinity
  const child = spawn(process.execPath, [program, dir, String(stop)], { stdio: ['ignore', 'pipe', 'inherit'], timeout: patienceMs })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (kill && said.split('point\n').length > kill.point) child.kill('SIGKILL')
  })
  await once(child, 'close')
  // What ends by itself before its end, or hangs, was not killed: it failed.
  if (!(kill && child.signalCode === 'SIGKILL'))
    expect({ code: child.exitCode, signal: child.signalCode }).toEqual({ code: 0, signal: null })
  return said.replaceAll('point\n', '')
}

/** Kills runs of the program, one after another on one journal, until so many kills met one under way, and asks each time what was done again. */
export async function killRuns(program: string, folder: string, kills: number, killAt: (attempt: number) => Kill): Promise<Killed> {
  let landed = 0
  let whole = 0
  let dir = ''
  // A run that comes to its end before its kill is none of them; few do.
  for (let attempt = 0; (landed < kills || dir !== '') && attempt < 3 * kills; attempt++) {
    if (dir === '') await mkdir((dir = join(folder, `run_${attempt}`)))
    const before = { finished: finished(dir), asked: linesOf(join(dir, 'asked')), done: linesOf(join(dir, 'done')) }
    const said = await runUntil(program, dir, landed < kills ? killAt(attempt) : undefined)
    const asked = linesOf(join(dir, 'asked'))
    const done = linesOf(join(dir, 'done'))
    const [newlyAsked, newlyDone] = [asked.slice(before.asked.length), done.slice(before.done.length)]
    const did = [...newlyAsked, ...newlyDone.map((line) => line.split(' ')[1]!)]
    // What was recorded is not done again, and nothing is done twice in one process.
    expect(did.filter((name) => before.finished.includes(name))).toEqual([])
    expect(did).toEqual([...new Set(did)])
    // Whatever is done again has the key that it had.
    const ats = new Set(done.map((line) => line.split(' ')[0]))
    expect(new Set(done).size).toBe(ats.size)
    if (said === '') {
      landed++
      continue
    }
    expect(said).toBe('Done.\n')
    expect(ats.size).toBe(calls)
    // Each step has one record, and each was made of something that was done.
    const recorded = finished(dir)
    expect(recorded.toSorted()).toEqual([...new Set([...asked, ...done.map((line) => line.split(' ')[1]!)])].sort())
    expect(recorded.length).toBe(turns + 1 + calls)
    whole++
    dir = ''
  }
  return { landed, whole }
}
