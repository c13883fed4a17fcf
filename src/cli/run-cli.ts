import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseCommand, wantedFormat } from './args.ts'
import type { CliCommand, CliOptions } from './args.ts'
import { errorText } from './error-text.ts'
import { codeOfCause, codeOfError, exitCodes } from './exit-code.ts'
import type { Io } from './io.ts'
import { notesTo } from './notes.ts'
import { Output } from './output.ts'
import { readStdin } from './read-stdin.ts'
import { safeJson } from './sanitise.ts'
import { stoppedError, watchForStop } from './stop.ts'
import { styleFor } from './style.ts'
import { UsageError } from './usage-error.ts'
import { usageOf } from './usage.ts'
import { version } from './version.ts'

/**
 * The terminal agent, from its arguments to its exit code, when all output was taken. Never throws; everything it has of the world comes in with `io`.
 *
 * What a task needs is imported when there is one: `--version` and `--help` load nothing.
 */
export async function runCli(io: Io): Promise<number> {
  const out = new Output(io.stdout)
  const err = new Output(io.stderr)
  const offSuspend = holdWhileSuspended(io, [out, err])
  try {
    const code = await attempt(io, out, err)
    await handedOver(io, [out, err], code >= exitCodes.hangup)
    if (!out.failure) return code
    notesTo(err, { style: styleFor(io.stderr, io.env), quiet: false }).error(`The output could not be written: ${out.failure.message}.`)
    await err.taken()
    return exitCodes.failed
  } finally {
    offSuspend?.()
    out.dispose()
    err.dispose()
  }
}

/** While the process is stopped the terminal is somebody else's: what moves is taken from it, and comes again. */
function holdWhileSuspended({ onSuspend }: Io, outputs: readonly Output[]): (() => void) | undefined {
  if (!outputs.some(({ isTTY }) => isTTY)) return undefined
  let releases: readonly (() => void)[] | undefined
  return onSuspend?.({
    suspended: () => void (releases ??= outputs.map((output) => output.hold())),
    resumed() {
      if (!releases) for (const output of outputs) output.redraw()
      for (const release of releases ?? []) release()
      releases = undefined
    },
  })
}

async function attempt(io: Io, out: Output, err: Output): Promise<number> {
  try {
    return await dispatch(parseCommand(io.argv), io, out, err)
  } catch (error) {
    out.freshLine()
    // A program that reads JSON gets the error where it reads.
    if (wantedFormat(io.argv) !== 'text') out.line(await errorLine(error))
    notesTo(err, { style: styleFor(io.stderr, io.env), quiet: false }).error(errorText(error, io.env))
    return codeOfError(error)
  }
}

const errorLine = async (error: unknown): Promise<string> => safeJson((await import('./render-json.ts')).errorObject(error))

/** How long a slow reader is waited for by a program that was told to end. */
const handOverMs = 1000

/** All output was taken: a process that exits before drops the rest. */
async function handedOver({ clock }: Io, outputs: readonly Output[], stopped: boolean): Promise<void> {
  const timer = new AbortController()
  const taken = Promise.all(outputs.map((output) => output.taken()))
  await (stopped ? Promise.race([taken, clock.sleep(handOverMs, timer.signal)]) : taken)
  timer.abort()
}

async function dispatch(command: CliCommand, io: Io, out: Output, err: Output): Promise<number> {
  switch (command.name) {
    case 'version':
      out.line(version)
      return exitCodes.done
    case 'help':
      out.write(usageOf(command.about))
      return exitCodes.done
    case 'command': {
      const run = await command.command.load()
      const { words, options } = command
      return await run({ io, out, err, words, options, workspace: await workspaceOf(options, io.cwd) })
    }
    case 'task':
      return await task(command, io, out, err)
  }
}

async function task({ words, dash, options }: CliCommand & { readonly name: 'task' }, io: Io, out: Output, err: Output): Promise<number> {
  const workspace = await workspaceOf(options, io.cwd)
  const talks = words.length === 0 && !dash && io.stdin.isTTY && io.stdout.isTTY && !options.print && options.output === 'text'
  if (talks) return await (await import('./conversation.ts')).converse({ io, out, err, options, workspace })
  const stop = watchForStop(io, out)
  try {
    const said = words.join(' ').trim()
    const notes = notesTo(err, { style: styleFor(io.stderr, io.env), quiet: options.quiet })
    const onSilence = (): void =>
      notes.warn(
        'Nothing came on stdin, so it is left out. Use < /dev/null to say that there is nothing, or a "-" among the words to wait for it.',
      )
    const piped = await readStdin(io, { wait: dash || said === '', signal: stop.signal, onSilence })
    if (stop.cause) {
      if (options.output !== 'text') out.line(await errorLine(stoppedError(stop)))
      return codeOfCause[stop.cause]
    }
    const prompt = [said, piped].filter((part) => part.trim() !== '').join('\n\n')
    if (prompt === '') throw new UsageError(emptyMessage(words, io, options))
    const { runTask } = await import('./run-task.ts')
    return await runTask({ io, out, err, options, workspace, stop }, { prompt, said })
  } finally {
    stop.dispose()
  }
}

function emptyMessage(words: readonly string[], { stdin, stdout }: Io, { print, output }: CliOptions): string {
  const example = 'Give one, for example: lena "what does this project do?"'
  if (words.length > 0) return `The task is empty. ${example}`
  if (!stdin.isTTY) return `There is no task: no words were given, and nothing came on stdin. ${example}`
  if (print || output !== 'text') return `There is no task, and ${print ? '-p' : `--output ${output}`} cannot be a conversation. ${example}`
  return `There is no task${stdout.isTTY ? '' : ', and a conversation needs a terminal on stdout too'}. ${example}`
}

/** @throws {UsageError} when it is no folder. */
async function workspaceOf({ cwd: given }: CliOptions, cwd: string): Promise<string> {
  if (given === undefined) return cwd
  const folder = resolve(cwd, given)
  const shown = JSON.stringify(folder)
  const found = await stat(folder).catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageError(`--cwd must be a folder, but ${shown} ${code === 'ENOENT' ? 'does not exist' : `cannot be looked at (${code})`}.`)
  })
  if (!found.isDirectory()) throw new UsageError(`--cwd must be a folder, but ${shown} is a file.`)
  return folder
}
