import type { AgentEvent } from '../agent/events.ts'
import type { Budget } from '../agent/budget.ts'
import type { Checkpoint } from '../checkpoints/checkpoint.ts'
import type { InterruptResponse } from '../interrupts/interrupt.ts'
import type { Gate } from './gate.ts'

/** What the run of an agent offers to agents that are called in it. */
export interface SubAgents {
  /** Where the agent of this call stood when the run was resumed, and what was answered to it. */
  takeChild(callId: string): { readonly checkpoint: Checkpoint; readonly responses: readonly InterruptResponse[] } | undefined
  /** Keeps where it stands now, for the run to be resumed. */
  keepChild(callId: string, checkpoint: Checkpoint): void
  /** Where its events go; left out when nobody listens. */
  readonly emit: ((callId: string, event: AgentEvent) => void | Promise<void>) | undefined
  readonly budget: Budget | undefined
  /** The gates of the calling agent, as they are now: some may have come since the call began. */
  gates(): readonly Gate[]
  /** How many agents stand above the one that is called. */
  readonly depth: number
}
