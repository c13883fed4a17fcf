import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import type { TestContext } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }

/** Both programs, made of the sources as they are now: a test never sees an old build, and does not wait for a loader. */
const built = mkdtempSync(join(tmpdir(), 'lena-built-'))
// Once for all files of one process.
process.once('exit', () => rmSync(built, { recursive: true, force: true }))
await build({
  entryPoints: {
    main: resolve(import.meta.dirname, '../../../src/cli/main.ts'),
    scripted: resolve(import.meta.dirname, 'scripted-lena.ts'),
  },
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  outExtension: { '.js': '.mjs' },
  outdir: built,
  // As in what is published. Nothing else comes from there.
  external: Object.keys({ ...manifest.peerDependencies, ...manifest.optionalDependencies }),
})
symlinkSync(resolve('node_modules'), join(built, 'node_modules'))

export type StartOptions = {
  /** A script of `scripted-lena.ts`. Without one it is the real thing, with the model that the arguments say. */
  readonly script?: string | undefined
  readonly cwd?: string | undefined
  readonly env?: Record<string, string> | undefined
  /** In a pseudo-terminal. */
  readonly terminal?: boolean | undefined
  /** The shell commands that start it in the terminal; `$LENA` stands for the program and its arguments. */
  readonly around?: string | undefined
}

export type Ended = { readonly code: number | null; readonly signal: string | null; readonly stdout: string; readonly stderr: string }

export type Started = {
  readonly child: ChildProcessWithoutNullStreams
  /** Resolves when this was printed, so many times. */
  shows(text: string, times?: number): Promise<void>
  readonly ended: Promise<Ended>
}

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'lena-terminal-'))

/** Is there a program that gives a pseudo-terminal (`script` of util-linux)? */
export const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null'], { stdio: 'ignore' }).status === 0
if (!hasTerminal) console.warn('The tests in a pseudo-terminal are left out: they need `script` of util-linux.')

/** Starts the terminal agent as a process of its own. It is ended with the test at the latest. */
export function start(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  argv: readonly string[],
  { script, cwd = newFolder(), env = {}, terminal = false, around = 'exec $LENA' }: StartOptions = {},
): Started {
  const command = [process.execPath, join(built, script === undefined ? 'main.mjs' : 'scripted.mjs'), ...argv]
  const [program, args] = terminal
    ? ['script', ['-qec', around.replace('$LENA', command.map(quoted).join(' ')), '/dev/null']]
    : [command[0]!, command.slice(1)]
  // What the machine has set chooses no model.
  const rest = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^LENA_|_API_KEY$/.test(name)))
  const child = spawn(program, args, {
    cwd,
    env: {
      ...rest,
      TERM: 'xterm-256color',
      NO_COLOR: '1',
      // The settings and sessions of whoever runs the tests are not those of the tests.
      LENA_CONFIG_DIR: join(built, 'config'),
      LENA_STATE_DIR: join(built, 'state'),
      SHELL: '/bin/sh',
      ...(script !== undefined && { LENA_TEST_SCRIPT: script, LENA_MODEL: 'scripted/model' }),
      ...env,
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  // Each row that a test waits for listens for the end too.
  child.setMaxListeners(0)
  let [stdout, stderr] = ['', '']
  let watchers: (() => void)[] = []
  const took = (): void => {
    for (const watch of watchers) watch()
  }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk.replaceAll('\r\n', '\n')
    took()
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
    took()
  })
  child.stdin.on('error', () => {})
  return {
    child,
    shows: (text, times = 1) =>
      new Promise((done, fail) => {
        const watch = (): void => {
          if (stdout.split(text).length <= times && stderr.split(text).length <= times) return
          watchers = watchers.filter((other) => other !== watch)
          done()
        }
        watchers.push(watch)
        child.once('close', () =>
          fail(new Error(`It ended without showing ${JSON.stringify(text)}.\nstdout: ${stdout}\nstderr: ${stderr}`)),
        )
        watch()
      }),
    ended: new Promise((done) => child.once('close', (code, signal) => done({ code, signal, stdout, stderr }))),
  }
}

/** Starts it with this on stdin, and waits for its end. */
export async function lena(
  test: Pick<TestContext, 'onTestFinished'>,
  argv: readonly string[],
  { stdin = '', ...options }: StartOptions & { readonly stdin?: string | undefined } = {},
): Promise<Ended> {
  const started = start(test, argv, options)
  started.child.stdin.end(stdin)
  return await started.ended
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`
