import type { ContextManager } from '../context/context-manager.ts'
import type { Middleware } from '../hooks/middleware.ts'
import type { HookRegistry } from '../hooks/registry.ts'
import type { CachePointBlock, TextBlock } from '../messages/content.ts'
import type { Transcript } from '../messages/transcript.ts'
import type { Model, ModelSettings } from '../models/model.ts'
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
  readonly conversationId: string
  /** The ids of the calls of this history. */
  readonly usedIds: UsedIds
  /** The model and the plug-ins, made ready on first use. */
  ready(signal: AbortSignal): Promise<Model>
  /** How many models the agent may use, one after the other. */
  readonly modelCount: number
  /** A further model of the list, loaded when it is needed. */
  modelAt(index: number, signal: AbortSignal): Promise<Model | undefined>
  readonly context: ContextManager | undefined
  /** Has the plug-ins write out what they hold back. */
  flush(signal: AbortSignal): Promise<void>
}
