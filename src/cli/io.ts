import type { Clock, Ids, LocalServer, ModelChoice } from '../index.ts'

/** What may end a run from outside the terminal agent. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

export type InputStream = NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined; setRawMode?(raw: boolean): unknown }
export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  readonly rows?: number | undefined
}
/** Told when the process is stopped (Ctrl-Z, SIGTSTP), and when it goes on. */
export type SuspendListener = {
  /** The terminal must be as it was found when this returns. */
  suspended(): void
  /** Others may have written to the terminal, and changed its modes. Also after a stop that nobody was told of. */
  resumed(): void
}
export type Environment = Readonly<Record<string, string | undefined>>

/** Everything that the terminal agent has of the world, as one argument, so that a test can give it another one. */
export interface Io {
  /** The arguments behind the name of the program. */
  readonly argv: readonly string[]
  readonly env: Environment
  readonly cwd: string
  readonly platform: string
  readonly stdin: InputStream
  /** Whoever gives the streams for output handles their errors too: one may come after the end. */
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly clock: Clock
  /** Listens for a signal; the function that comes back takes the listener away. */
  onSignal(name: StopSignal, listener: () => void): () => void
  /** Stops the process and what belongs to it, as Ctrl-Z does in a terminal; resolves when it goes on. Absent: it cannot be stopped. */
  readonly suspend?: (() => Promise<void>) | undefined
  /** Listens for that, from whichever side it comes; the function that comes back takes the listener away. */
  readonly onSuspend?: ((listener: SuspendListener) => () => void) | undefined
  /** The model for a name. Default: the name itself, which the SDK looks up. */
  readonly modelOf?: ((name: string) => ModelChoice) | undefined
  /** Looks for servers of models on this machine. Default: at their usual ports. */
  readonly findServers?: (() => Promise<readonly LocalServer[]>) | undefined
  readonly ids?: Ids | undefined
  /** A name for a new session, none of those that are taken. Default: a short random one. */
  readonly newSessionId?: ((taken: ReadonlySet<string>) => string) | undefined
}
