import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { CommandEnd, Host, Job } from 'lena-agent/toolkit'
import { launch, signal as signalScript } from './command-scripts.ts'
import { FarError, start } from './far.ts'
import type { Prefix, RunScript } from './far.ts'
import { Output, within } from './output.ts'
import { readRecords } from './records.ts'
import type { Records } from './records.ts'

/** Until it is told that the command has begun. */
const startMs = 30_000
/** How long processes have to end after SIGTERM. */
const endMs = 1000
/** After SIGKILL. */
const goneMs = 5000

/** All that a command starts inherits it, and is found by it. */
const markName = 'LENA_AGENT_JOB'

/** Runs commands behind a prefix, in process groups of their own. A second call of the prefix ends one. */
export function commandsBehind(prefix: Prefix, runScript: RunScript): Required<Pick<Host, 'run' | 'jobs'>> {
  const session = `${randomBytes(8).toString('hex')}.`
  /** By the numbers of the calls. */
  const commands = new Map<number, string>()
  const running = new Set<number>()
  let left: ReadonlyMap<number, readonly number[]> = new Map()
  let count = 0

  /** @returns whether there was anybody. */
  const signalAll = async (name: 'TERM' | 'KILL', mark: string, group = ''): Promise<boolean> => {
    const script = { what: `kill -${name}`, script: signalScript, args: [name, mark, group], shell: 'bash', limitMs: goneMs } as const
    // Where the machine cannot be reached any more there is nothing to be done.
    return (await runScript(script).catch(() => '')).length > 0
  }
  const jobs = (): readonly Job[] => {
    // Others may have looked when a command still ran, that has ended by now with nothing left.
    const found = [...left].filter(([number]) => commands.has(number) && !running.has(number)).sort(([a], [b]) => a - b)
    return found.map(([number, pids]) => ({ command: commands.get(number) ?? '', pids }))
  }

  return {
    async run(request) {
      const number = ++count
      const mark = `${session}${number}.`
      const env = { ...request.env, [markName]: [request.env[markName], mark].filter(Boolean).join(' ') }
      const input = [request.cwd, request.command, ...Object.entries(env).map((pair) => pair.join('='))]
      if (input.some((each) => each.includes('\0'))) throw new TypeError('A command, its folder and its environment hold no NUL character.')

      commands.set(number, request.command)
      running.add(number)
      const word = randomBytes(16).toString('hex')
      const flags = [request.tellsFolder, left.size > 0].map((flag) => (flag ? '1' : ''))
      const child = start(prefix, ['bash', '-c', launch, 'bash', word, session, ...flags])
      let failure: string | undefined
      child.on('error', (error) => (failure = error.message))
      const records = readRecords(child.stderr, word)
      const output = new Output(child.stdout, request.onOutput)
      const cancel = cancelOf(request.signal)
      let isHeld = false
      try {
        child.stdin.end(input.map((each) => `${each}\0`).join(''))
        const began = records.wait('began')
        const group = await within(startMs, Promise.race([began, cancel.fired.then(() => within(goneMs, began))]))
        if (group === undefined)
          throw new FarError('EIO', 'The command could not be started', failure ?? (records.saidBefore('began') || 'there is no answer'))
        const over = records.wait('over').then((told) => {
          if (told === undefined) throw new FarError('EIO', 'The connection was lost while the command ran', records.saidBefore('over'))
          return 'exited' as const
        })
        over.catch(() => {})
        const why = (await within(request.timeoutMs, Promise.race([over, cancel.fired]))) ?? 'timeout'
        if (why !== 'exited') {
          await signalAll('TERM', mark, group)
          const ended = Promise.all([over, output.ended]).catch(() => {})
          await within(endMs, ended)
          await signalAll('KILL', mark, group)
          await within(
            goneMs,
            over.catch(() => {}),
          )
        }
        // Nobody has looked for processes where there was nothing to be found.
        const found = records.known.get('left')
        left = found === undefined ? new Map([...left].filter(([each]) => each !== number)) : processesIn(found, session)
        const mine = left.get(number) ?? []
        await output.drain(mine.length > 0, why === 'exited' ? cancel.fired : never)
        if (why === 'exited' && request.signal.aborted) await signalAll('KILL', mark, group)
        isHeld = why === 'exited' && !output.hasEnded && !request.signal.aborted
        return { why, ...exitOf(records), isHeld, left: why === 'exited' ? mine : [], folder: folderOf(records) }
      } finally {
        cancel.off()
        output.leave()
        running.delete(number)
        if (!left.has(number)) commands.delete(number)
        // What still holds the output would be ended by its next line, with nobody there to take it.
        if (isHeld) letGo(child)
        else child.kill('SIGKILL')
      }
    },
    jobs: {
      list: jobs,
      async end() {
        if (await signalAll('TERM', session)) {
          await within(endMs, never)
          await signalAll('KILL', session)
        }
        left = new Map()
      },
    },
  }
}

const never = new Promise<never>(() => {})

function cancelOf(signal: AbortSignal): { readonly fired: Promise<'cancelled'>; readonly off: () => void } {
  const done = new AbortController()
  const fired = new Promise<'cancelled'>((resolve) => {
    if (signal.aborted) resolve('cancelled')
    else signal.addEventListener('abort', () => resolve('cancelled'), { signal: done.signal })
  })
  return { fired, off: () => done.abort() }
}

/** The number of the call that each process descends from is in its marks. */
function processesIn(found: string, session: string): ReadonlyMap<number, readonly number[]> {
  const pids = new Map<number, number[]>()
  for (const line of found.split('\n')) {
    const [, pid, number] = new RegExp(`^(\\d+) .*${session}(\\d+)\\.`).exec(line) ?? []
    if (pid !== undefined) pids.set(Number(number), [...(pids.get(Number(number)) ?? []), Number(pid)])
  }
  return pids
}

function exitOf(records: Records): Pick<CommandEnd, 'exitCode' | 'killedBy'> {
  const [code, signal] = (records.known.get('ended') ?? '').split(' ')
  // A shell may also end with 137 by itself: bash says which it was ("Exit 137" or, for instance, "Killed").
  const isKilled = signal !== undefined && !/\bExit \d/.test(records.saidBefore('ended'))
  return { exitCode: code ? Number(code) : undefined, ...(isKilled && { killedBy: `SIG${signal}` }) }
}

/** A dot stands behind it, so that a line end of its own is kept. */
const folderOf = ({ known }: Records): string | undefined => /^(\/[^]*?)\n?\.$/.exec(known.get('folder') ?? '')?.[1]

/** It goes on, and keeps this program not awake. */
function letGo(child: ChildProcess): void {
  child.unref()
  ;(child.stderr as Readable & { unref?(): void }).unref?.()
}
