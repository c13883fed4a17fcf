import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Word } from '../../../../src/toolkit/command/words.ts'

const stubs = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'no1']
/** Noted as stubs are, and then run for real. */
const real = ['bash', 'sh', 'env', 'xargs', 'find', 'nohup', 'nice', 'timeout', 'stdbuf', 'setsid']
export const noted = new Set([...stubs, ...real])

export interface Tracing {
  /** Where it all happens. */
  readonly base: string
  /** What bash starts for a script: the names and arguments of each call. */
  traced(script: string, index: number): Promise<readonly (readonly string[])[]>
  remove(): void
}

/** A throw-away folder in which bash notes what it runs. */
export function tracing(): Tracing {
  const base = mkdtempSync(join(tmpdir(), 'lena-differential-'))
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
  return {
    base,
    traced: (script, index) => tracedIn(base, script, index),
    remove: () => rmSync(base, { recursive: true, force: true }),
  }
}

async function tracedIn(base: string, script: string, index: number): Promise<readonly (readonly string[])[]> {
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
export function become(words: readonly Word[], argv: readonly string[]): boolean {
  const [word, ...rest] = words
  if (!word) return argv.length === 0
  // A home folder stands in its place.
  if (word.text.startsWith('~') && !word.isQuoted) return become(rest, argv.slice(1))
  if (!word.isOpen && !word.isPattern) return argv[0] === word.text && become(rest, argv.slice(1))
  return argv.some((_, taken) => become(rest, argv.slice(taken))) || become(rest, [])
}
