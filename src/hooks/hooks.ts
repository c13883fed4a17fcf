import type { AgentHandle } from '../agent/handle.ts'
import type { AgentResult } from '../agent/result.ts'
import type { AgentError } from '../errors.ts'
import type { TextBlock, ToolResultBlock, ToolUseBlock } from '../messages/content.ts'
import type { AgentInput } from '../messages/from-input.ts'
import type { InterruptRequest } from '../interrupts/interrupt.ts'
import type { AssistantMessage, Message, MessageInput } from '../messages/message.ts'
import type { ModelStopReason } from '../messages/stop-reason.ts'
import type { ModelEvent } from '../models/model-events.ts'
import type { ModelRequest } from '../models/model.ts'
import type { Tool, ToolContext, ToolOutcome } from '../tools/tool.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'

/** What every hook gets. */
export type HookBase = {
  readonly agent: AgentHandle
  /** One object for this invocation, shared by its hooks and tools. */
  readonly invocationState: Record<string, unknown>
  /** The same for all runs that go on with one history, and in a session the session's id. */
  readonly conversationId: string
  /** Which model the run asks now; left out of a direct call of a tool. */
  readonly model: { readonly provider: string; readonly id: string } | undefined
  /** Fires when the run is cancelled. A hook that is still at work then has a short grace. */
  readonly signal: AbortSignal
  /** 0 before the first turn. */
  readonly turn: number
}

/** Of hooks that may ask a person. */
export type Interruptible = {
  /**
   * Ends the run with a question, and gives the answer when the run is resumed with it: the hook then runs again from its start.
   * Hooks behind one that asks do not run.
   */
  interrupt<T = JsonValue>(request: InterruptRequest): T
}

/**
 * The points of a run where others may look and change. A hook changes the fields that are not readonly; all hooks run, the
 * last write wins, but a cancel cannot be taken back. A hook that throws ends the invocation: what has finished is stored first.
 */
export type Hooks = {
  /** Before anything of the input is stored. `cancel` is the assistant's answer, and the run ends with `end_turn`. */
  beforeInvocation: HookBase & { messages: readonly MessageInput[]; cancel: string | undefined }
  /** After the run, whatever its end. `resume` is a new input to go on with; limits keep counting. */
  afterInvocation: HookBase & { readonly result: AgentResult | undefined; readonly error: AgentError | undefined; resume: AgentInput }
  /** After a message went into the history. `replaces` is the id of the message whose place it took. */
  messageAdded: HookBase & { readonly message: Message; readonly replaces: string | undefined }
  /** Before each request. `cancel` is the assistant's answer, and the run ends with `end_turn`. */
  beforeModelCall: HookBase & Interruptible & { request: ModelRequest; readonly attempt: number; cancel: string | undefined }
  /** After each attempt, before its message is stored. `retry` discards it and asks again (at most 10 times a turn). */
  afterModelCall: HookBase & {
    readonly message: AssistantMessage | undefined
    readonly stopReason: ModelStopReason | undefined
    readonly error: AgentError | undefined
    readonly attempt: number
    retry: { readonly delayMs: number; readonly reason: string; readonly maxAttempts?: number | undefined } | undefined
  }
  /**
   * Before a shorter history takes the place of `before`: for its tokens, after an overflow, or because `compact()` was asked for.
   * `messages` may be replaced, and are repaired; with a `cancel` the history stays as it is.
   */
  beforeCompaction: HookBase & {
    readonly reason: 'tokens' | 'overflow' | 'asked'
    readonly before: readonly Message[]
    messages: readonly Message[]
    cancel: string | undefined
  }
  /** Before the calls of a message. `cancel` is each call's error result. */
  beforeTools: HookBase & Interruptible & { readonly calls: readonly ToolUseBlock[]; cancel: string | undefined }
  /** After their results were stored. `endTurn` ends the run with `end_turn`, and with that text. */
  afterTools: HookBase & { readonly results: readonly ToolResultBlock[]; endTurn: boolean | string | readonly TextBlock[] }
  /** Before one call. `tool` and `input` may be replaced; `cancel` is the call's error result. */
  beforeToolCall: HookBase &
    Interruptible & {
      readonly toolUse: ToolUseBlock
      tool: Tool | undefined
      input: JsonObject
      cancel: string | undefined
      readonly early: boolean
      readonly direct: boolean
    }
  /** After one call. `result` may be replaced; `retry` runs it again (at most 10 times). */
  afterToolCall: HookBase & {
    readonly toolUse: ToolUseBlock
    readonly tool: Tool | undefined
    readonly input: JsonObject
    readonly durationMs: number
    readonly discarded: boolean
    result: ToolOutcome
    retry: boolean
  }
}

export type HookName = keyof Hooks
export type HookEvent<K extends HookName> = Hooks[K]

export type ToolCallRequest = { readonly tool: Tool; readonly input: JsonObject; readonly context: ToolContext }

/** Middleware: a function around a stage. It may change the request, the events that pass, and the outcome. */
export type Stages = {
  model: (
    request: ModelRequest & { readonly signal: AbortSignal },
    next: (request: ModelRequest) => AsyncIterable<ModelEvent>,
  ) => AsyncIterable<ModelEvent>
  tool: (
    call: ToolCallRequest,
    next: (call: ToolCallRequest) => AsyncGenerator<JsonValue, ToolOutcome, void>,
  ) => AsyncGenerator<JsonValue, ToolOutcome, void>
  /** A call of a model that the context manager makes, such as for a summary. `model` is the one that is asked; hooks of model calls do not see it. */
  context_model: (
    call: HookBase & { readonly request: ModelRequest },
    next: (request: ModelRequest) => AsyncIterable<ModelEvent>,
  ) => AsyncIterable<ModelEvent>
}

/** Adds tools, hooks, middleware and gates to an agent. A `setup` that fails fails that call, and is tried again on the next. */
export interface Plugin {
  readonly name: string
  setup(agent: AgentHandle): void | Promise<void>
  /** Writes out what it holds back. Called before a run returns. */
  flush?(options: { readonly signal: AbortSignal }): void | Promise<void>
}
