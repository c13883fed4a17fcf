import type { ToolOutcome } from './tool.ts'

/** What is known of one call while it lasts. */
export type Course = {
  /** Runs of the tool so far, over all attempts: each is a step of its own. */
  runs: number
  /** Has the tool been called at all? Until then nothing can have been done. */
  begun: boolean
  /** What the tool itself came to in this attempt, whatever a middleware makes of it. */
  raw: ToolOutcome | undefined
  /** Does a person have to answer first? */
  waits: boolean
}
