import type { ChildProcessByStdio } from 'node:child_process'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { onAbort } from '../../util/abort.ts'
import type { Clock } from '../../util/clock.ts'
import { hasMembers } from './group.ts'
import { endWithUs, signalGroup } from '../../util/process-group.ts'

export type ProcessRequest = {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Gets the number of its process group. */
  readonly onStart: (group: number) => void
  /** Passes a signal on to what has left the group. */
  readonly onSignal: (signal: NodeJS.Signals) => void
  /** Standard output, as text. A character is never cut. */
  readonly onOutput: (text: string) => void
}

export type ProcessEnd = {
  readonly why: 'exited' | 'timeout' | 'cancelled'
  /** As a shell has it: 128 and the number of the signal when a signal ended it. `undefined`: it could not be ended. */
  readonly exitCode: number | undefined
  readonly killedBy: NodeJS.Signals | undefined
  /** Something that it started still runs and holds its output. */
  readonly isHeld: boolean
  /** Somebody is left in its process group. */
  readonly isLeft: boolean
}

/** How long processes have to end after SIGTERM. */
export const killAfterMs = 1000
/** After SIGKILL; only a process stuck in the system needs longer. */
const giveUpAfterMs = 1000
/** After the exit the output is read on until it is silent for this long … */
export const silenceMs = 200
/** … but no longer than this: what was left in the background may never be silent. */
export const drainMs = 2000

type Child = ChildProcessByStdio<null, Readable, null>

/**
 * Runs a program to its end, its time limit or the signal, whichever comes first, and on the last two ends everything in its
 * process group and what has left it. Its standard input is empty, its standard error not read. Resolves when the program has ended, even when others
 * hold its output; those are let live after a normal end, and end with this program.
 *
 * @throws when the program cannot be started.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessEnd> {
  const { signal, clock } = request
  const child = await start(request)
  const group = child.pid!
  request.onStart(group)
  const letGo = endWithUs(group)
  const signalAll = (name: NodeJS.Signals): void => {
    signalGroup(group, name)
    request.onSignal(name)
  }
  const output = readOutput(child, request.onOutput)
  const exit = new Promise<void>((resolve) =>
    child.exitCode !== null || child.signalCode !== null ? resolve() : child.once('exit', () => resolve()),
  )
  const timers = new AbortController()
  let offAbort = (): void => {}
  const aborted = new Promise<void>((resolve) => (offAbort = onAbort(signal, resolve)))
  try {
    const why = await Promise.race([
      exit.then(() => 'exited' as const),
      aborted.then(() => 'cancelled' as const),
      clock.sleep(request.timeoutMs, timers.signal).then(() => 'timeout' as const),
    ])
    if (why !== 'exited') await endAll(signalAll, Promise.all([exit, output.ended]), exit, clock, timers.signal)
    await drain(output, why === 'exited' ? aborted : never, clock, timers.signal)
    if (why === 'exited' && signal.aborted) signalAll('SIGKILL')
    const isHeld = !output.hasEnded() && why === 'exited' && !signal.aborted
    output.leave(isHeld ? letGo : undefined)
    const isLeft = why === 'exited' && hasMembers(group)
    // Where processes are found by their marks the number is not needed, which may be another group's by then.
    if (!isHeld && !(isLeft && process.platform !== 'linux')) letGo()
    return { why, exitCode: exitCodeOf(child), killedBy: child.signalCode ?? undefined, isHeld, isLeft }
  } finally {
    timers.abort()
    offAbort()
  }
}

async function start({ program, args, cwd, env }: ProcessRequest): Promise<Child> {
  const { spawn } = await import('node:child_process')
  // A group of its own, so that all that it starts can be ended together.
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  })
  // A later one says that a signal could not be sent, which shows in what happens then.
  child.on('error', () => {})
  return child
}

type Output = {
  readonly ended: Promise<void>
  hasEnded(): boolean
  /** Bytes so far. */
  received(): number
  /** Takes no more of it; `onEnd` given: whoever holds it may write on, and nobody listens. */
  leave(onEnd?: () => void): void
}

function readOutput({ stdout }: Child, onOutput: (text: string) => void): Output {
  const decoder = new StringDecoder('utf8')
  let bytes = 0
  let hasEnded = false
  const take = (chunk: Buffer): void => {
    bytes += chunk.length
    const text = decoder.write(chunk)
    if (text !== '') onOutput(text)
  }
  const ended = new Promise<void>((resolve) => {
    stdout.once('close', () => {
      hasEnded = true
      resolve()
    })
  })
  stdout.on('data', take)
  // The end of a broken pipe is an end like any other.
  stdout.on('error', () => {})
  return {
    ended,
    hasEnded: () => hasEnded,
    received: () => bytes,
    leave(onEnd) {
      const rest = decoder.end()
      if (rest !== '') onOutput(rest)
      stdout.off('data', take)
      if (hasEnded) return
      if (!onEnd) return void stdout.destroy()
      // A closed pipe would end a server at its next line, so it is read on, but keeps nobody awake.
      stdout.once('close', onEnd)
      stdout.resume()
      ;(stdout as Readable & { unref?(): void }).unref?.()
    },
  }
}

/** SIGTERM to all, then SIGKILL to what is left. */
async function endAll(
  signalAll: (signal: NodeJS.Signals) => void,
  gone: Promise<unknown>,
  exit: Promise<void>,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  signalAll('SIGTERM')
  await Promise.race([gone, clock.sleep(killAfterMs, signal)])
  signalAll('SIGKILL')
  await Promise.race([exit, clock.sleep(giveUpAfterMs, signal)])
}

const never = new Promise<void>(() => {})

/** Waits for the rest of the output: to its end, to a silence, to the time limit or to the abort. */
async function drain(output: Output, aborted: Promise<void>, clock: Clock, signal: AbortSignal): Promise<void> {
  let isOver = false
  const over = Promise.race([output.ended, aborted, clock.sleep(drainMs, signal)]).then(() => void (isOver = true))
  for (let before = -1; !isOver && before !== output.received();) {
    before = output.received()
    await Promise.race([over, clock.sleep(silenceMs, signal)])
  }
}

function exitCodeOf({ exitCode, signalCode }: Child): number | undefined {
  return signalCode === null ? (exitCode ?? undefined) : 128 + constants.signals[signalCode]
}
