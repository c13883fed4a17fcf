import type { AgentHandle } from '../agent/handle.ts'
import type { AgentError } from '../errors.ts'
import type { HookBase } from '../hooks/hooks.ts'
import type { Middleware } from '../hooks/middleware.ts'
import type { HookRegistry } from '../hooks/registry.ts'
import type { Questions } from '../interrupts/asking.ts'
import type { ToolResultBlock, ToolUseBlock } from '../messages/content.ts'
import type { Cut } from '../util/abort.ts'
import type { Bound } from '../util/bounded.ts'
import type { Clock } from '../util/clock.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'
import type { ToolFlags } from './flags.ts'
import type { Gate } from './gate.ts'
import type { StepRunner } from './steps.ts'
import type { SubAgents } from './sub-agents.ts'
import type { Tool, ToolOutcome } from './tool.ts'

/** What the calls of one message need of the run they belong to. One object serves them all, so each callback says which call it is about. */
export interface CallEnvironment {
  readonly agent: AgentHandle
  readonly tools: { get(name: string): Tool | undefined; readonly names: readonly string[] }
  readonly hooks: HookRegistry
  readonly middleware: Middleware
  readonly gates: () => readonly Gate[]
  readonly steps: StepRunner
  readonly clock: Clock
  readonly signal: AbortSignal
  /** For hooks: how long they may take once the signal has fired. */
  readonly bound: Bound
  readonly conversationId: string
  /** Large results are kept with this one: that of the outermost agent. */
  readonly keptWith: string
  readonly questions: Questions
  readonly subAgents: SubAgents | undefined
  /** Did the call begin while its message was still being written? */
  readonly early: boolean
  /** Was it made by a program, not by the model? */
  readonly direct: boolean
  /** Has the model's message been withdrawn, and with it the call? */
  readonly isDiscarded: (callId: string) => boolean
  readonly hookBase: () => HookBase
  readonly state: Record<string, JsonValue>
  readonly invocationState: Record<string, unknown>
  readonly onStart: (call: PreparedCall, early: boolean) => void | Promise<void>
  readonly onProgress: (call: PreparedCall, value: JsonValue) => void | Promise<void>
  readonly onEnd: (call: PreparedCall, result: ToolResultBlock, durationMs: number) => void | Promise<void>
  /** In the place of `onEnd`, when the call does not count any more. */
  readonly onDiscarded: (call: PreparedCall, result: ToolResultBlock, durationMs: number) => void | Promise<void>
  /** In the place of `onEnd`, when the call waits for an answer: it begins anew with it. */
  readonly onInterrupted: (call: PreparedCall, durationMs: number) => void | Promise<void>
  /** Keeps a result as soon as there is one; a later one of the same call takes its place. `begun`: was the tool called at all? */
  readonly record: (result: ToolResultBlock, begun: boolean) => void
  /**
   * Asks for the right to run a call that must not run twice; left out where nobody keeps such rights. Else what the call came to
   * elsewhere, or nothing when that is not known.
   */
  readonly claim?: ((idempotencyKey: string) => Promise<'mine' | ToolResultBlock | undefined>) | undefined
  /** A result that is too long for the model, made short; `undefined` for one that fits. */
  readonly shorten: (call: PreparedCall, result: ToolResultBlock) => Promise<ToolResultBlock> | undefined
  /** Gets what ends the running call, and that alone. */
  readonly onCut?: ((callId: string, cut: Cut) => void) | undefined
  readonly onLate: (call: PreparedCall, outcome: ToolOutcome) => void
  readonly endTurn: (callId: string, text: string | undefined) => void
  /** The durable engine has failed, or the store that calls are claimed in, here or in an agent below: the run ends, and so does every run above it. */
  readonly onEngineFailure: (error: AgentError) => void
}

/** A call behind its `beforeToolCall` hooks: what will run, on what, and what is known of it. */
export type PreparedCall = {
  readonly toolUse: ToolUseBlock
  readonly tool: Tool | undefined
  readonly input: JsonObject
  /** The input as the tool gets it: validated, with defaults. */
  readonly parsed: unknown
  readonly flags: ToolFlags
  /** A hook asks a person: the call does not run now. */
  readonly interrupted?: boolean | undefined
  /** Files that a gate keeps from it, though it may run. */
  readonly isWithheld?: ((path: string) => boolean) | undefined
  /** A person put another input in the place of the model's. */
  readonly edited?: boolean | undefined
  /** Set when the call will not run: its result. */
  readonly refused: ToolOutcome | undefined
}
