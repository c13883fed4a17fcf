import { homedir } from 'node:os'
import type { CommandEnd, CommandRequest, Host, Jobs } from '../host/host.ts'
import { localFiles } from '../host/local-files.ts'
import { systemClock } from '../util/clock.ts'
import { checkLocalHostOptions, workspaceOf } from './options.ts'
import type { LocalHostOptions } from './options.ts'
import { findShell } from './process/find-shell.ts'
import { jobList } from './process/jobs.ts'
import type { Started } from './process/jobs.ts'
import { markName } from './process/marked.ts'
import { folderRecord, scriptRecording } from './process/record-folder.ts'
import { runProcess } from './process/run-process.ts'
import type { ProcessEnd } from './process/run-process.ts'
import type { Sandbox, Wrapped } from './sandbox/command.ts'
import { sandboxFor } from './sandbox/sandbox.ts'
import { ripgrepOf } from './search/find-ripgrep.ts'

/**
 * This machine: its files, and commands in process groups of their own, in a sandbox if that is asked for. What they leave in the
 * background goes on, until `jobs.end()` or with this program at the latest.
 *
 * @throws {InputError}
 */
export function localHost(options: LocalHostOptions = {}): Host & { readonly jobs: Jobs } {
  checkLocalHostOptions(options)
  const { env = process.env, clock = systemClock } = options
  const workspace = workspaceOf(options)
  const jobs = options.jobs ?? jobList(clock)
  const sandbox = sandboxOf(options, env)
  return {
    files: localFiles,
    home: homedir(),
    env,
    jobs,
    async run(request) {
      const started = jobs.start(request.command)
      const program = await findShell(request.env['PATH'], workspace)
      const record = request.tellsFolder || sandbox ? await folderRecord() : undefined
      try {
        const marks = [request.env[markName], started.mark].filter(Boolean).join(' ')
        const plainly = {
          program,
          // The name before the command is what bash calls itself in its messages.
          args: ['-c', scriptRecording(record), 'bash', request.command],
          env: { ...request.env, [markName]: marks },
        }
        const where = { cwd: request.cwd, recordFolder: record?.folder, signal: request.signal }
        const wrapped: Wrapped = sandbox ? await sandbox.wrap(plainly, where) : plainly
        const end = await runWrapped(wrapped, request, started)
        // In a sandbox nothing goes on when it has ended.
        return { ...endOf(end, sandbox ? () => [] : started.pids), folder: request.tellsFolder ? await record?.read() : undefined }
      } finally {
        await record?.remove()
      }
    },
  }

  async function runWrapped(wrapped: Wrapped, { cwd, timeoutMs, signal, onOutput }: CommandRequest, started: Started): Promise<ProcessEnd> {
    const { program, args, env } = wrapped
    try {
      return await runProcess({
        program,
        args,
        env,
        cwd,
        timeoutMs,
        signal,
        clock,
        onOutput,
        onStart: started.runsIn,
        onSignal: started.signal,
      })
    } finally {
      await wrapped.ended?.()
    }
  }
}

/** The processes are looked for only where somebody is left. */
function endOf({ why, exitCode, killedBy, isHeld, isLeft }: ProcessEnd, pids: () => readonly number[]): CommandEnd {
  const found = why === 'exited' && (isLeft || isHeld) ? pids() : []
  return { why, exitCode, killedBy, isHeld, left: process.platform === 'linux' ? found : found.map((group) => -group) }
}

function sandboxOf(options: LocalHostOptions, env: Readonly<Record<string, string | undefined>>): Sandbox | undefined {
  if (options.sandbox === undefined || options.sandbox === false) return undefined
  return sandboxFor(options.sandbox === true ? {} : options.sandbox, {
    workspace: workspaceOf(options),
    home: env['HOME'] ?? homedir(),
    path: env['PATH'],
    env,
    ripgrep: ripgrepOf(options),
  })
}
