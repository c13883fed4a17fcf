import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import type { Io, InputStream, OutputStream, StopSignal } from '../../../src/cli/io.ts'
import { runCli } from '../../../src/cli/run-cli.ts'
import { newSessionId } from '../../../src/cli/sessions/session-ids.ts'
import type { LocalServer, ModelChoice } from '../../../src/index.ts'
import { countingIds, fakeClock } from '../../../src/testing/index.ts'
import type { FakeClock } from '../../../src/testing/index.ts'

export type WorldOptions = {
  readonly model?: ModelChoice | undefined
  readonly env?: Record<string, string> | undefined
  /** The servers of models that answer. Default: none. */
  readonly servers?: readonly LocalServer[] | undefined
  readonly cwd?: string | undefined
  /** The folder with the settings (`config`) and what is kept (`state`), for worlds that share them. Default: a new one. */
  readonly home?: string | undefined
  /** What new sessions are called, one after the other. Default: `2test2`, and random names from then on. */
  readonly sessionIds?: readonly string[] | undefined
  /** Names of messages and records: `random` where worlds go on with each other's sessions. Default: counted. */
  readonly ids?: 'random' | undefined
  /** What is piped in. Default: nothing. `terminal`: a keyboard, typed on with `type()`; `silent`: open, and nothing comes. */
  readonly stdin?: string | Buffer | Readable | 'terminal' | 'silent' | undefined
  /** Are stdout and stderr terminals? Default: both are when stdin is one. */
  readonly stdoutTTY?: boolean | undefined
  readonly stderrTTY?: boolean | undefined
}

/** A world for the terminal agent that a test can look into. Unless `env` says otherwise, colours are off and no model is offline. */
export type World = {
  readonly io: Io
  readonly clock: FakeClock
  readonly stdout: Screen
  readonly stderr: Screen
  type(text: string): void
  signal(name: StopSignal): void
  /** How many listen for signals. */
  listeners(): number
  run(...argv: string[]): Promise<number>
}

let homes: string | undefined

/** A folder for what one user has, taken away with the process. */
export function newHome(): string {
  if (homes === undefined) {
    const made = (homes = mkdtempSync(join(tmpdir(), 'lena-homes-')))
    process.once('exit', () => rmSync(made, { recursive: true, force: true }))
  }
  return mkdtempSync(join(homes, 'home-'))
}

/** What was written to a stream. */
export class Screen extends Writable {
  readonly isTTY: boolean
  readonly columns = 80
  text = ''
  /** Set to have it break like a pipe whose reader has gone, once it was given that much. */
  breaksAfter = Infinity
  breaksWith = 'EPIPE'
  #watchers: (() => void)[] = []

  constructor(isTTY: boolean) {
    super({ decodeStrings: false })
    this.isTTY = isTTY
    // As the owner of the stream: an error may come when nobody else listens any more.
    this.on('error', () => {})
  }

  override _write(chunk: string | Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.text += String(chunk)
    for (const watch of this.#watchers) watch()
    if (this.text.length > this.breaksAfter) done(Object.assign(new Error(`write ${this.breaksWith}`), { code: this.breaksWith }))
    else done()
  }

  /** Resolves when the text has been written so many times. */
  async shows(text: string, times = 1): Promise<void> {
    const shown = (): boolean => this.text.split(text).length > times
    if (shown()) return
    await new Promise<void>((resolve) => {
      const watch = (): void => {
        if (!shown()) return
        this.#watchers = this.#watchers.filter((other) => other !== watch)
        resolve()
      }
      this.#watchers.push(watch)
    })
  }
}

export function world(options: WorldOptions = {}): World {
  const { model, env = { NO_COLOR: '1', LENA_MODEL: 'scripted/model' }, cwd = process.cwd(), stdin = '', home = newHome() } = options
  const sessionIds = [...(options.sessionIds ?? ['2test2'])]
  const keyboard = stdin === 'terminal'
  const stdout = new Screen(options.stdoutTTY ?? keyboard)
  const stderr = new Screen(options.stderrTTY ?? keyboard)
  const input = inputOf(stdin)
  const clock = fakeClock()
  const listening = new Map<StopSignal, Set<() => void>>()
  const io: Io = {
    argv: [],
    env: { LENA_CONFIG_DIR: join(home, 'config'), LENA_STATE_DIR: join(home, 'state'), ...env },
    cwd,
    platform: 'linux',
    stdin: input as InputStream,
    stdout: stdout as OutputStream,
    stderr: stderr as OutputStream,
    clock,
    ids: options.ids === 'random' ? undefined : countingIds(),
    newSessionId: (taken) => sessionIds.shift() ?? newSessionId(taken),
    modelOf: (name) => model ?? name,
    findServers: async () => options.servers ?? [],
    onSignal(name, listener) {
      const all = listening.get(name) ?? new Set()
      listening.set(name, all.add(listener))
      return () => void all.delete(listener)
    },
  }
  return {
    io,
    clock,
    stdout,
    stderr,
    type: (text) => void (input as PassThrough).write(text),
    signal: (name) => {
      for (const listener of listening.get(name) ?? []) listener()
    },
    listeners: () => [...listening.values()].reduce((count, all) => count + all.size, 0),
    run: (...argv) => runCli({ ...io, argv }),
  }
}

function inputOf(stdin: WorldOptions['stdin']): Readable {
  if (stdin === 'terminal') return Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
  if (stdin === 'silent') return new PassThrough()
  if (stdin instanceof Readable) return stdin
  return Readable.from(stdin === undefined || stdin.length === 0 ? [] : [Buffer.from(stdin as string)])
}

export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** One run from its arguments to its end. */
export async function lena(argv: readonly string[], options: WorldOptions = {}): Promise<Ran> {
  const at = world(options)
  const code = await at.run(...argv)
  return { code, stdout: at.stdout.text, stderr: at.stderr.text }
}
