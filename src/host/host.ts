import type { FileSystem } from './file-system.ts'

/** One command line, for bash. */
export type CommandRequest = {
  readonly command: string
  /** The folder that it starts in. */
  readonly cwd: string
  /** All that its environment holds, besides what bash sets. A host may add a mark of its own, under a name that begins with `LENA_`. */
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** Ends it before. */
  readonly signal: AbortSignal
  /** Gets both of its streams as text, in the order in which they were written. A character is never cut. */
  readonly onOutput: (text: string) => void
  /** Is it to be told in which folder the shell ended? A command that does not move need not be followed. */
  readonly tellsFolder: boolean
}

export type CommandEnd = {
  readonly why: 'exited' | 'timeout' | 'cancelled'
  /** As a shell has it: 128 and the number of the signal when a signal ended it. `undefined`: it could not be ended. */
  readonly exitCode: number | undefined
  /** The name of the signal that ended the shell itself, such as `SIGKILL`. */
  readonly killedBy?: string | undefined
  /** Something that it started still runs and holds its output; what that writes from now on goes nowhere. */
  readonly isHeld: boolean
  /** What it has left running, by process ids; a negative number is a process group. Empty where that is not known. */
  readonly left: readonly number[]
  /** Where the shell was at the end, if that is asked for and known: an absolute path without links. */
  readonly folder?: string | undefined
}

/** What a command has left running. */
export type Job = {
  readonly command: string
  /** Its processes; where the system does not show whose they are, the group that they began in. */
  readonly pids: readonly number[]
}

/** What commands left in the background: it goes on from call to call. */
export interface Jobs {
  /** Those that run now, oldest first, as far as is known. */
  list(): readonly Job[]
  /** Ends all of them, at the end of a session: SIGTERM, and a second later SIGKILL. */
  end(): Promise<void>
}

/**
 * The machine that tools work on: where files are read and written, and commands run. `localHost()` is this one; another one is a
 * container, or a machine far away. Its paths are those of POSIX.
 */
export interface Host {
  readonly files: FileSystem
  /** The home folder of the user who works there: an absolute path. */
  readonly home: string
  /** What the environment of its commands holds by default. Names that look like keys are taken out before one runs. */
  readonly env: Readonly<Record<string, string | undefined>>
  /**
   * Runs a command line with bash to its end, its time limit or the signal, whichever comes first; on the last two all that it has
   * started ends, by SIGTERM, and a second later by SIGKILL. It has no input. Resolves when the shell has ended even if others hold its
   * output, and soon after a time limit or the signal in any case.
   *
   * @throws when it cannot be started.
   */
  run(request: CommandRequest): Promise<CommandEnd>
  /** What its commands left running. Without it nobody lists or ends that. */
  readonly jobs?: Jobs | undefined
}
