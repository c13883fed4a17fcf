import type { Tool } from './tool.ts'

/** Who uses the tools of a provider: one agent. */
export interface ToolConsumer {
  /** The agent's name, for messages. */
  readonly name: string
  /** The provider's tools are others now: they are loaded again before the next turn. */
  toolsChanged(): void
  /** Something went wrong that the agent can go on without. */
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
   * The tools as they are now. Called before the first turn, and again after `toolsChanged`. One bad tool among good ones is
   * left out with a warning.
   */
  loadTools(options: { readonly signal: AbortSignal; warn(code: string, message: string): void }): Promise<readonly Tool[]>
  /** An agent begins to use it. */
  addConsumer(consumer: ToolConsumer): void
  /** An agent has ended. With the last one the provider lets go of what it holds. */
  removeConsumer(consumer: ToolConsumer): void | Promise<void>
}
