import { isatty } from 'node:tty'
import { errorText } from './error-text.ts'
import { exitCodes } from './exit-code.ts'
import type { Io } from './io.ts'
import { runCli } from './run-cli.ts'
import { showControls } from './sanitise.ts'
import { restoreTerminal } from './screen/restore.ts'
import { suspension } from './suspension.ts'
import { UsageError } from './usage-error.ts'

/** The world of this process, but for what is given. */
function processIo(given: Partial<Io>): Io {
  const { argv, env, platform, stdout, stderr } = process
  return {
    argv: argv.slice(2),
    env,
    get cwd() {
      return currentFolder()
    },
    platform,
    // Opened when it is first asked for: `--version` needs none.
    get stdin() {
      return process.stdin
    },
    stdout,
    stderr,
    clock: { now: () => Date.now(), sleep },
    onSignal(name, listener) {
      process.on(name, listener)
      return () => void process.off(name, listener)
    },
    ...(platform !== 'win32' && suspension()),
    ...given,
  }
}

/** @throws {UsageError} when it was taken away. */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    throw new UsageError('The folder that Lena was started in is gone. Go to another one.')
  }
}

/** Above this Node's timers fire at once. */
const longestTimer = 2_147_483_647

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, Math.min(Math.max(ms, 0), longestTimer))
    signal.addEventListener('abort', done)
  })
}

/**
 * Runs the terminal agent as this process, and ends it with its exit code.
 *
 * @param given what is to be different from the real world.
 */
export async function runAsProcess(given: Partial<Io> = {}): Promise<void> {
  // Whoever writes listens for errors; these are for errors that come when nobody does any more.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  // Whichever way it goes from here: `process.exit`, a fault, the end of the work.
  process.once('exit', restoreTerminal)
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  // A run may wait for something that Node does not count as work, and it would end the process over that.
  const alive = setInterval(() => {}, longestTimer)
  // Loaded by those alone who have one.
  if (Object.keys(process.env).some((name) => /^(?:https?|all)_proxy$/i.test(name))) (await import('./proxy.ts')).useProxies(process.env)
  const code = await runCli(processIo(given))
  clearInterval(alive)
  // Not by itself: what a tool left open must not keep the process.
  leave(code)
}

/** What was a terminal when the process began. */
const terminals = [0, 1, 2].filter((fd) => isatty(fd))

/**
 * Ends the process. Node gives the terminals back that it was started on, and aborts when one is gone (a window that was closed): with
 * a dump of its memory, in which keys stand. There the process ends by the signal that says the same.
 */
function leave(code: number): never {
  if (terminals.every((fd) => isatty(fd))) process.exit(code)
  process.emit('exit', code)
  process.removeAllListeners('SIGHUP')
  process.kill(process.pid, 'SIGHUP')
  // Where that is not what it is elsewhere.
  process.kill(process.pid, 'SIGKILL')
  throw new Error('not reached')
}

function fail(error: unknown): void {
  const text = errorText(error, process.env)
  restoreTerminal()
  process.stderr.write(
    `lena: ${showControls(text, '\n')}\n${process.env['LENA_DEBUG'] === '1' ? '' : 'This is a fault in Lena. LENA_DEBUG=1 shows where it is.\n'}`,
  )
  leave(exitCodes.failed)
}
