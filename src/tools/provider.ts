import type { Tool } from './tool.ts'

/** Who uses the tools of a provider: one agent. */
export interface ToolConsumer {
  /** The agent's name, for messages. */
  readonly name: string
  /** The provider's tools are others now: they are loaded again before the next turn, once, however often this was said. */
  toolsChanged(): void
  /** Something went wrong that the agent can go on without: a `warning` event, of the next run when none is under way. */
  warn(code: string, message: string): void
}

/**
 * A source of tools that has a life of its own: an MCP server, a folder that is watched. One provider may serve several agents;
 * what it holds is let go when the last of them has left.
 */
export interface ToolProvider {
  /** For messages. */
  readonly name: string
  /**
   * The tools as they are now. Called before the first turn, and again before the turn that follows a `toolsChanged`. One bad
   * tool among good ones is left out with a warning.
   *
   * The signal fires when nobody waits for the tools any more, and after 60 s. What it throws ends the invocation with an error
   * that names the provider, and the next one tries again; when it gave tools before, those are kept, and a warning tells.
   * A provider that wants to be left out instead gives `[]`.
   */
  loadTools(options: { readonly signal: AbortSignal; warn(code: string, message: string): void }): Promise<readonly Tool[]>
  /** An agent begins to use it: called once before its first `loadTools`. A throw is like one of `loadTools`. */
  addConsumer(consumer: ToolConsumer): void
  /**
   * An agent was closed. With the last one the provider lets go of what it holds. The agent waits for it 10 s at most; what it
   * throws is not told, because nobody is left to hear it.
   */
  removeConsumer(consumer: ToolConsumer): void | Promise<void>
}
