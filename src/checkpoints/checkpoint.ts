import type { Interrupt, InterruptResponse } from '../interrupts/interrupt.ts'
import type { ToolResultBlock } from '../messages/content.ts'
import type { Message } from '../messages/message.ts'
import type { Usage } from '../messages/usage.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'

/** The version of the format. A newer one is refused; an older one is brought up to this. */
export const checkpointVersion = 1

/** An answer that was given, and to what. */
export type GivenAnswer = {
  readonly response: JsonValue
  /** The input of the call when it asked. The answer is for that very input. */
  readonly input?: JsonObject | undefined
  /** Set when the answer came too late: what is said instead of it. */
  readonly expired?: string | undefined
}

/** All that a fresh process needs to go on with a run that stopped: plain JSON. */
export type Checkpoint = {
  readonly type: 'checkpoint'
  readonly version: typeof checkpointVersion
  readonly id: string
  /** Where the run stands: calls are to be run, results are stored, or a person is to answer. */
  readonly position: 'after_model' | 'after_tools' | 'interrupt'
  readonly messages: readonly Message[]
  /** `agent.state`. */
  readonly state: JsonObject
  /** Questions without an answer. */
  readonly interrupts: readonly Interrupt[]
  /** Results of calls of the last message that have ended; they are not run again. */
  readonly results: readonly ToolResultBlock[]
  /** Answers that were given, by the interrupt's id: a call that asks twice gets the first once more. */
  readonly answers: { readonly [id: string]: GivenAnswer }
  /** Where sub-agents stand, by the call that runs them. */
  readonly children: { readonly [callId: string]: Checkpoint }
  /** A call that has ended wants the run to end behind its turn, with this text. */
  readonly endTurn?: { readonly text?: string | undefined } | undefined
  /** What the run has used, so that limits hold over resumes. */
  readonly counters: {
    readonly turns: number
    readonly usage: Usage
    readonly elapsedMs: number
  }
  /** Idempotency keys begin with it. */
  readonly conversationId: string
}

/** The input that goes on from a checkpoint, with answers to its interrupts. */
export type ResumeInput = {
  readonly type: 'resume'
  readonly checkpoint: Checkpoint
  readonly responses?: readonly InterruptResponse[] | undefined
}
