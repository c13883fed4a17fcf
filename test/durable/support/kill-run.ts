import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect } from 'vitest'

/** Bundles the program, so that a process starts at once. */
export async function buildProgram(folder: string): Promise<string> {
  const outfile = join(folder, 'program.mjs')
  const target = { platform: 'node', format: 'esm', target: 'node20' } as const
  await build({ entryPoints: ['test/durable/support/program.ts'], outfile, bundle: true, ...target })
  return outfile
}

const linesOf = (file: string): readonly string[] => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [])

/** Names of the steps whose records are whole. */
const finished = (dir: string): readonly string[] =>
  linesOf(join(dir, 'journal.jsonl')).flatMap((line) => {
    const { type, name } = JSON.parse(line) as { readonly type: string; readonly name: string }
    return type === 'ended' ? [name] : []
  })

/** Runs the program until its n-th point, kills it there, and gives what it said when it came to its end before. */
async function runUntil(program: string, dir: string, points: number): Promise<string> {
  const child = spawn(process.execPath, [program, dir], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (said.split('point\n').length > points) child.kill('SIGKILL')
  })
  await once(child, 'close')
  return said.replaceAll('point\n', '')
}

/** Kills runs of the program, one after another on one journal, and asks each time what was done again. Gives how many runs came to their end. */
export async function killRuns(program: string, folder: string, kills: number, pointOf: (kill: number) => number): Promise<number> {
  let whole = 0
  let dir = ''
  for (let kill = 0; kill < kills || dir !== ''; kill++) {
    if (dir === '') await mkdir((dir = join(folder, `run_${kill}`)))
    const before = { finished: finished(dir), asked: linesOf(join(dir, 'asked')), done: linesOf(join(dir, 'done')) }
    const said = await runUntil(program, dir, kill < kills ? pointOf(kill) : Infinity)
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
    if (said === '') continue
    expect(said).toBe('Done.\n')
    expect(ats.size).toBe(25)
    whole++
    dir = ''
  }
  return whole
}
