import type { Agent, Session, ToolProvider } from '../../index.ts'
import type { Permissions } from '../../permissions/index.ts'
import type { ModelChosen } from '../named-model.ts'
import type { Settings } from '../config/load-settings.ts'
import type { Io } from '../io.ts'
import type { Notes } from '../notes.ts'
import type { Output } from '../output.ts'
import type { Style } from '../style.ts'
import type { UsageTally } from '../usage-tally.ts'
import type { Workbench } from '../workbench.ts'

/** The conversation as a slash command sees it. */
export interface Talk {
  readonly io: Io
  readonly out: Output
  readonly notes: Notes
  readonly style: Style
  readonly workspace: string
  readonly settings: Settings
  readonly agent: Agent
  readonly permissions: Permissions
  /** The MCP servers in use. */
  readonly servers: readonly ToolProvider[]
  readonly model: ModelChosen
  /** What the models of this conversation have used since the program began. */
  readonly tally: UsageTally
  /** Nothing when the conversation is not kept. */
  readonly session: Session | undefined
  /** What its tools have changed, and left running. */
  readonly bench: Workbench
  /** Fires when the person cancels. */
  readonly signal: AbortSignal
  /**
   * Goes on with another model, or in another session; `new`: in one that begins empty. What fails leaves everything as it was.
   *
   * @throws what keeps it from going on there: a model that there is not, for one.
   */
  goOn(change: { readonly model?: string | undefined; readonly session?: Session | 'new' | undefined }): Promise<void>
}

/** `/name argument` in a conversation. Acts on it, and tells what it did. Gives `leave` when the conversation is over. */
export type SlashCommand = {
  readonly name: string
  readonly aliases?: readonly string[] | undefined
  /** How its argument is called in the help. */
  readonly argument?: string | undefined
  readonly help: string
  run(talk: Talk, argument: string): void | 'leave' | Promise<void | 'leave'>
  /** What the argument may be, for completion. */
  readonly completions?: (() => readonly string[]) | undefined
}
