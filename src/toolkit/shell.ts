import type { Lookups } from '../host/file-system.ts'
import type { CommandEnd, Jobs } from '../host/host.ts'
import { judging } from '../host/judging.ts'
import { resolveLinks } from '../host/paths.ts'
import { rememberedLookups } from '../host/remembered-lookups.ts'
import { keepResult } from '../results/keep-result.ts'
import { internalsOf } from '../tools/call-internals.ts'
import { jsonSchema } from '../tools/schema.ts'
import { tool } from '../tools/tool.ts'
import type { ToolContext } from '../tools/tool.ts'
import { systemClock } from '../util/clock.ts'
import type { Clock } from '../util/clock.ts'
import { shellAccess } from './command/access.ts'
import { callsOf } from './command/calls.ts'
import { explainExit } from './command/exit-code.ts'
import { isOnHardList } from './command/hard-list.ts'
import type { Surroundings } from './command/hard-list.ts'
import { isReadOnly } from './command/read-only.ts'
import { nameOf } from './command/words.ts'
import { workingFolder } from './command/working-folder.ts'
import type { WorkingFolder } from './command/working-folder.ts'
import { groundOf } from './ground.ts'
import { hostOf, noJobs } from './host-of.ts'
import { checkToolkitOptions } from './options.ts'
import type { ToolkitOptions } from './options.ts'
import { environmentFor } from './process/environment.ts'
import { inOrder } from './process/in-order.ts'
import { outputBuffer } from './process/output-buffer.ts'
import type { OutputBuffer } from './process/output-buffer.ts'
import { plainText } from './process/plain-text.ts'
import { reporter } from './process/reporter.ts'

type ShellInput = { readonly command: string; readonly timeout?: number | undefined }

export type ShellResult = {
  /** `error` when the exit code says so, except where it is an answer, as of a search that finds nothing. */
  readonly status: 'success' | 'error'
  readonly code?: 'timeout' | 'cancelled' | undefined
  /** `exit_code: N`, the output, and notes in brackets; at most 30,000 characters. */
  readonly content: string
}

const defaultSeconds = 120
const maxSeconds = 600
const maxChars = 30_000
/** Of an output that is kept in a store, in characters. */
const maxKept = 1_000_000
/** What the words around an output take at most, for it to be shown whole. */
const frameChars = 1000
/** An argument of a program has at most 131,072 bytes on Linux. */
const maxCommandBytes = 120_000
export const progressEveryMs = 250

const description = `Runs a command line with bash and gives its exit code and output (standard output and error, in order). \
Starts in the workspace; the working folder is kept from call to call, variables are not. There is no input and no terminal. \
Ends after "timeout" seconds (default ${defaultSeconds}, at most ${maxSeconds}) with all that it started. What runs longer: start it in the background with its output in a file, "command > log 2>&1 &". \
Of more than ${maxChars} characters of output the middle is left out.`

/**
 * The tool `shell`: runs a command line in a process group of its own.
 *
 * Everything in the group ends with the time limit or a cancel, and what was printed until then is kept. What a command leaves in
 * the background goes on, until `jobs.end()` or with this program at the latest. Calls of one tool run one after another, for they
 * share the working folder; those that only read and stay where they are run beside each other. Keys are taken out of the environment (`keepEnv` keeps some), terminal control sequences out of the output.
 *
 * Destructive by a short list and where bash could not read it (see `isOnHardList`); read-only when every command of the line is on
 * the list of those that are (see `isReadOnly`), and safe beside others if it does not move the working folder either. `access`
 * says what rules are compared with.
 */
export function shell(options: ToolkitOptions = {}) {
  checkToolkitOptions('shell', options)
  const ground = groundOf(options)
  const host = hostOf(options)
  const env = options.env ?? host.env
  const folder = workingFolder(ground)
  const inTurn = inOrder()
  const surroundingsIn = (look: Lookups, cwd: string): Surroundings => ({
    look,
    cwd,
    workspace: resolveLinks(look, ground.workspace),
    home: env['HOME'] ?? ground.home,
    path: env['PATH'],
  })
  const judged = <T>(judge: (look: Lookups, cwd: string) => T): T | Promise<T> =>
    judging(ground.files, (machine) => {
      const look = rememberedLookups(machine)
      return judge(look, folder.path(look))
    })
  const isDestructiveIn = (look: Lookups, cwd: string, command: string): boolean => isOnHardList(command, surroundingsIn(look, cwd))
  const reads = (look: Lookups, cwd: string, { command }: ShellInput, moves: boolean): boolean => {
    const calls = callsOf(command)
    return isReadOnly(calls, surroundingsIn(look, cwd)) && (moves || calls.calls.every(({ words }) => nameOf(words[0]) !== 'cd'))
  }

  const made = tool({
    name: 'shell',
    description: options.sandbox ? `${description}\n${sandboxed}` : description,
    inputSchema: jsonSchema<ShellInput>({
      type: 'object',
      properties: {
        command: { type: 'string', minLength: 1, description: 'The command line, for bash.' },
        timeout: { type: 'number', exclusiveMinimum: 0, maximum: maxSeconds, description: `Seconds. Default: ${defaultSeconds}.` },
      },
      required: ['command'],
    }),
    isReadOnly: (input) => judged((look, cwd) => reads(look, cwd, input, true)),
    isDestructive: ({ command }) => judged((look, cwd) => isDestructiveIn(look, cwd, command)),
    isConcurrencySafe: (input) => judged((look, cwd) => reads(look, cwd, input, false)),
    access: ({ command }) => judged((look, cwd) => shellAccess(command, surroundingsIn(look, cwd))),
    maxResultChars: maxChars,
    // Enough for SIGTERM, SIGKILL and the rest of the output.
    settleMs: 5000,
    execute: async ({ command, timeout = defaultSeconds }, context): Promise<ShellResult> => {
      checkInput(command, timeout)
      const judgement = judged((look, cwd) => ({ cwd, isBeside: reads(look, cwd, { command }, false) }))
      return await inTurn(
        async () => {
          const before = await judgement
          const now = await judged((look, cwd) => ({
            cwd,
            isOther:
              cwd !== before.cwd &&
              ((before.isBeside && !reads(look, cwd, { command }, false)) ||
                (isDestructiveIn(look, cwd, command) && !isDestructiveIn(look, before.cwd, command))),
          }))
          if (now.isOther) {
            throw new Error(
              `While this call waited, another one moved the working folder from ${before.cwd} to ${now.cwd}, where the command would do something else. It was not run; call it again.`,
            )
          }
          const run = (onOutput: (text: string) => void) =>
            folder.run((cwd) =>
              host.run({
                command,
                cwd,
                env: { ...environmentFor(env, options.keepEnv), PWD: cwd, LENA_AGENT: '1' },
                timeoutMs: timeout * 1000,
                signal: context.signal,
                onOutput,
                tellsFolder: !before.isBeside,
              }),
            )
          return await runCommand({ command, timeout }, run, options, context)
        },
        context.signal,
        judgement instanceof Promise ? judgement.then(({ isBeside }) => isBeside) : judgement.isBeside,
      )
    },
  })
  return Object.defineProperty(made, 'jobs', { value: host.jobs ?? noJobs, enumerable: false }) as typeof made & { readonly jobs: Jobs }
}

async function runCommand(
  { command, timeout }: { readonly command: string; readonly timeout: number },
  run: (onOutput: (text: string) => void) => ReturnType<WorkingFolder['run']>,
  options: ToolkitOptions,
  context: ToolContext,
): Promise<ShellResult> {
  const { clock = systemClock } = options
  const output = outputBuffer(options.results ? maxKept : maxChars)
  const plain = plainText()
  const report = reporter({
    everyMs: progressEveryMs,
    clock,
    progress: (value) => context.progress(value),
    value: () => output.lastLines(5, 1000),
  })
  try {
    const { end, notes } = await run((text) => {
      output.write(plain.write(text))
      report.changed()
    })
    const kept = await keep(output, options, clock, context)
    return resultOf(command, timeout, end, output, [...kept, ...notesOnJobs(end), ...notes])
  } finally {
    report.stop()
  }
}

const sandboxed = `Commands run in a sandbox: they write in the workspace and in temporary folders alone, and nothing goes on in the background when they have ended.`

/** Keeps an output that cannot be shown whole. Gives what is said of it. */
async function keep(output: OutputBuffer, { results }: ToolkitOptions, clock: Clock, context: ToolContext): Promise<readonly string[]> {
  if (!results || output.length <= maxChars - frameChars) return []
  const { toolUse, signal } = context
  const conversationId = internalsOf(context)?.env.keptWith ?? 'direct'
  const result = { text: output.text(maxKept), callId: toolUse.id, conversationId, toolName: 'shell' }
  const kept = await keepResult(results, result, { signal, graceMs: 1000, clock })
  if ('failure' in kept) return [`[The whole output could not be kept: ${kept.failure}.]`]
  return [`[The output is kept: <persisted-output path="${kept.path}">. Read there what is left out here.]`]
}

/** What goes on and holds no output: the model would not know of it. */
function notesOnJobs({ why, isHeld, left }: CommandEnd): readonly string[] {
  if (why !== 'exited' || isHeld || left.length === 0) return []
  const isGroup = left.some((pid) => pid < 0)
  const what = left.map((pid) => Math.abs(pid)).join(' ')
  return [
    `[In the background goes on: ${isGroup ? 'group ' : ''}${what}. It ends with the session; to end it before: kill ${isGroup ? '-- ' : ''}${left.join(' ')}]`,
  ]
}

/** @throws {Error} */
function checkInput(command: string, timeout: number): void {
  if (typeof command !== 'string' || command.trim() === '') throw new Error('The command is empty.')
  if (command.includes('\0')) throw new Error('The command holds a NUL character, which no command line can have.')
  const bytes = Buffer.byteLength(command)
  if (bytes > maxCommandBytes)
    throw new Error(
      `The command has ${bytes} bytes; a command line can have ${maxCommandBytes}. Write the text to a file with write_file and use that.`,
    )
  if (!(timeout > 0 && timeout <= maxSeconds))
    throw new Error(`timeout is in seconds, more than 0 and at most ${maxSeconds}; got ${timeout}.`)
}

function resultOf(command: string, timeout: number, end: CommandEnd, output: OutputBuffer, moves: readonly string[]): ShellResult {
  const notes = [...notesOn(end, timeout), ...moves]
  const explained = end.why === 'exited' ? explainExit(command, end.exitCode ?? 0, output.text(maxChars)) : undefined
  if (explained !== undefined) notes.unshift(`[${explained}.]`)
  const head = `exit_code: ${end.exitCode ?? 'unknown'}\n`
  const foot = notes.map((note) => `\n${note}`).join('')
  const text = output.text(maxChars - head.length - foot.length).replace(/\n$/, '')
  const content = head + (text === '' ? '(no output)' : text) + foot
  const isGood = end.why === 'exited' && (end.exitCode === 0 || explained !== undefined)
  return { status: isGood ? 'success' : 'error', ...(end.why !== 'exited' && { code: end.why }), content }
}

function notesOn({ why, killedBy, isHeld }: CommandEnd, timeout: number): string[] {
  if (why === 'timeout')
    return [
      `[The command took longer than ${timeout} s and was ended, with all that it had started. What it had done until then remains. Give a larger timeout (at most ${maxSeconds}), or start it in the background with its output in a file.]`,
    ]
  if (why === 'cancelled')
    return ['[The call was cancelled: the command was ended, with all that it had started. What it had done until then remains.]']
  const notes: string[] = []
  if (killedBy) notes.push(`[The shell was ended by ${killedBy}.]`)
  if (isHeld)
    notes.push(
      '[Something in the background still runs and holds the output. What it prints from now on is not shown; send its output to a file to see it.]',
    )
  return notes
}
