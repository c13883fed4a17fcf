import type { CliOptions } from './args.ts'
import type { Io } from './io.ts'
import type { OptionName } from './option-table.ts'
import type { Output } from './output.ts'

/** What a command is given: `lena <name> <words>`. */
export type CommandRun = {
  readonly io: Io
  readonly out: Output
  readonly err: Output
  readonly words: readonly string[]
  readonly options: CliOptions
  /** The folder it is about, absolute. */
  readonly workspace: string
}

/**
 * One command of the terminal agent. Gives the exit code.
 *
 * @throws {UsageError} for words that it does not understand.
 */
export type Command = (run: CommandRun) => Promise<number>

/** A command as the table knows it: light, for `--help` and the parser read it. */
export type CommandEntry = {
  readonly name: string
  /** What stands behind its name in the help of the program. */
  readonly summary: string
  /** What it does, for its own help. */
  readonly about: string
  /** Its forms, without `lena`. */
  readonly forms: readonly string[]
  readonly options: readonly OptionName[]
  /**
   * Which words may stand behind its name. `none`: it takes nothing. `words`: it is given what is no option. `raw`: all that stands there, options too,
   * for a command that reads them by itself.
   */
  readonly takes: 'none' | 'words' | 'raw'
  /** The words that may stand first behind its name. */
  readonly verbs?: readonly string[] | undefined
  /** Its body, and all that this needs. */
  readonly load: () => Promise<Command>
}
