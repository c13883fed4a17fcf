import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shellAccess } from '../../../src/toolkit/command/access.ts'
import { callsOf } from '../../../src/toolkit/command/calls.ts'
import { nameOf } from '../../../src/toolkit/command/words.ts'
import type { Word } from '../../../src/toolkit/command/words.ts'
import { strange } from './corpus-strange.ts'
import { corpus } from './corpus.ts'

const stubs = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'no1']
/** Noted as stubs are, and then run for real. */
const real = ['bash', 'sh', 'env', 'xargs', 'find', 'nohup', 'nice', 'timeout', 'stdbuf', 'setsid']
const noted = new Set([...stubs, ...real])

let base: string
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'lena-differential-'))
  const bin = join(base, 'bin')
  mkdirSync(bin)
  // One write for a call, so that two at once do not mix.
  const note = `#!/bin/bash\nprintf -v line '%s\\037' "\${0##*/}" "$@"\nprintf '%s\\n' "\${line//$'\\n'/$'\\036'}" >>"$LOG"\n`
  for (const name of stubs) writeFileSync(join(bin, name), `${note}exit ${name.startsWith('no') ? 1 : 0}\n`)
  for (const name of real) {
    const path = execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
    writeFileSync(join(bin, name), `${note}exec ${path} "$@"\n`)
  }
  for (const name of noted) chmodSync(join(bin, name), 0o755)
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

/** What bash starts for a script: the names and arguments of each call. */
async function traced(script: string, index: number | string): Promise<readonly (readonly string[])[]> {
  const cwd = join(base, `run-${index}`)
  const log = join(base, `log-${index}`)
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'x-in'), 'one\n')
  writeFileSync(join(cwd, 'x-script'), 'a\nb\n')
  writeFileSync(log, '')
  const child = spawn('/bin/bash', ['-c', 'eval "shift; $1"\nwait', 'bash', script], {
    cwd,
    env: { PATH: join(base, 'bin'), LOG: log, HOME: cwd },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
  child.stdout.resume()
  child.stderr.resume()
  // All that it started has ended when nobody holds its output any more.
  await new Promise((resolve) => child.on('close', resolve))
  const rows = readFileSync(log, 'utf8').split('\n').slice(0, -1)
  return rows.map((row) =>
    row
      .split('\u001F')
      .slice(0, -1)
      .map((text) => text.replaceAll('\u001E', '\n')),
  )
}

/** May the words of a call become these arguments? What is open may become any number of them. */
function become(words: readonly Word[], argv: readonly string[]): boolean {
  const [word, ...rest] = words
  if (!word) return argv.length === 0
  // A home folder stands in its place.
  if (word.text.startsWith('~') && !word.isQuoted) return become(rest, argv.slice(1))
  if (!word.isOpen && !word.isPattern) return argv[0] === word.text && become(rest, argv.slice(1))
  return argv.some((_, taken) => become(rest, argv.slice(taken))) || become(rest, [])
}

describe('what the parser finds is what bash runs', () => {
  test('the corpus is as large as the page on permissions says', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(300)
    expect(new Set(corpus).size).toBe(corpus.length)
  })

  test.each(corpus.map((script, index) => [script, index] as const))('%j', { timeout: 60_000 }, async (script, index) => {
    const started = [...(await traced(script, index))]
    const { calls, isComplete } = callsOf(script)
    expect(isComplete).toBe(true)
    const found = calls.map(({ words }) => words).filter((words) => noted.has(words[0]!.text))
    // Functions of a script have the names of stubs, too; bash calls those without starting anything.
    const functions = new Set([...script.matchAll(/(?:function )?\b([fgN]) ?(?:\(\)|\{)/g)].map(([, name]) => name!))
    const missing = found.filter((words) => {
      if (functions.has(words[0]!.text)) return false
      const at = started.findIndex((argv) => become(words, argv))
      if (at >= 0) started.splice(at, 1)
      return at < 0
    })
    expect({ foundButNotRun: missing.map((words) => words.map(({ text }) => text)), runButNotFound: started }).toEqual({
      foundButNotRun: [],
      runButNotFound: [],
    })
  })
})

describe('where bash is strange: what it runs was found, or the judgement says that it cannot tell', () => {
  test('there are many, and none twice', () => {
    expect(strange.length).toBeGreaterThanOrEqual(500)
    expect(new Set([...corpus, ...strange]).size).toBe(corpus.length + strange.length)
  })

  // A command line cannot hold a NUL: the tool refuses it, and the judgement does not take it apart.
  test.each(strange.map((script, index) => [script, index] as const))('%j', { timeout: 60_000 }, async (script, index) => {
    const { calls, isComplete } = callsOf(script)
    const { isOpaque } = shellAccess(script, { cwd: base, workspace: base, home: base })
    if (script.includes('\0')) return expect(isComplete).toBe(false)
    const found = calls.map(({ words }) => words).filter((words) => words[0]!.isOpen || noted.has(nameOf(words[0])))
    const missed = (await traced(script, `strange-${index}`)).filter(
      (argv) => !found.some((words) => become(words, argv) || become([{ ...words[0]!, text: nameOf(words[0]) }, ...words.slice(1)], argv)),
    )
    expect({ script, missed: isComplete && !isOpaque && !runsFile.test(script) ? missed : [] }).toEqual({ script, missed: [] })
  })
})

/** What stands in a file is not looked at. */
const runsFile = /x-script/
