import type { ContextManager } from '../context/context-manager.ts'
import type { Middleware } from '../hooks/middleware.ts'
import type { HookRegistry } from '../hooks/registry.ts'
import type { Checkpoint } from '../checkpoints/checkpoint.ts'
import type { CachePointBlock, TextBlock, ToolResultBlock } from '../messages/content.ts'
import type { Transcript } from '../messages/transcript.ts'
import type { Model, ModelSettings } from '../models/model.ts'
import type { ResultStore } from '../results/result-store.ts'
import type { Session } from '../sessions/session.ts'
import type { SessionLog } from './session-log.ts'
import type { Gate } from '../tools/gate.ts'
import type { Tools } from '../tools/registry.ts'
import type { StepRunner } from '../tools/steps.ts'
import type { ToolStrategy } from '../tools/strategies.ts'
import type { Clock } from '../util/clock.ts'
import type { Ids } from '../util/ids.ts'
import type { AgentHandle } from './handle.ts'
import type { Limits } from './limits.ts'
import type { UsedIds } from './used-ids.ts'

/** What an agent is made of, as the stages of a run see it. */
export interface AgentCore {
  readonly handle: AgentHandle
  readonly transcript: Transcript
  readonly tools: Tools
  readonly hooks: HookRegistry
  readonly middleware: Middleware
  readonly gates: readonly Gate[]
  readonly state: object
  readonly system: readonly (TextBlock | CachePointBlock)[]
  readonly settings: ModelSettings
  readonly limits: Limits
  readonly strategy: ToolStrategy
  readonly maxConcurrency: number
  readonly steps: StepRunner
  readonly clock: Clock
  readonly ids: Ids
  readonly cancelGraceMs: number
  /** Idempotency keys begin with it. A checkpoint brings its own. */
  conversationId: string
  /** Large results are kept with this conversation, and go with it: that of the outermost agent. Left out, it is its own. */
  readonly keptWith: string | undefined
  /** Where the last run stopped, when it waits for an answer or to be resumed. */
  pending: Checkpoint | undefined
  /** Results of calls that a resumed run made, by idempotency key: the same state may be resumed twice. */
  readonly executed: Map<string, ToolResultBlock>
  /** The ids of the calls of this history. */
  readonly usedIds: UsedIds
  /** The model, the plug-ins and the tools of the providers, made ready on first use. */
  ready(signal: AbortSignal): Promise<Model>
  /** All of that but the model. */
  prepare(signal: AbortSignal): Promise<void>
  /** Loads the tools that providers have changed, before a turn; `undefined` when there is nothing to load. */
  refreshTools(signal: AbortSignal): Promise<void> | undefined
  /** How many models the agent may use, one after the other. */
  readonly modelCount: number
  /** A further model of the list, loaded when it is needed. */
  modelAt(index: number, signal: AbortSignal): Promise<Model | undefined>
  readonly context: ContextManager | undefined
  readonly results: ResultStore
  readonly session: Session | undefined
  /** The session, once it is open. */
  log: SessionLog | undefined
  /** Was the history set by the program, so that it goes before that of the session? */
  ownsHistory: boolean
  /** Has the plug-ins write out what they hold back. */
  flush(signal: AbortSignal): Promise<void>
}
