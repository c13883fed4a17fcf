import type { AgentEvent, AgentResult } from '../index.ts'

/** Shows a run. What an output format is, is one of these. */
export interface Renderer {
  /** Takes one event; the promise, if there is one, asks the run to wait for the reader. */
  onEvent(event: AgentEvent): void | Promise<void>
  /** The promise, if there is one, resolves when it is shown. */
  onResult(result: AgentResult): void | Promise<void>
  /** The run failed; the message for people goes to stderr besides. */
  onError(error: unknown): void | Promise<void>
}
