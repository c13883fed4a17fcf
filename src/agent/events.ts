import type { AgentError } from '../errors.ts'
import type { Interrupt } from '../interrupts/interrupt.ts'
import type { ToolResultBlock } from '../messages/content.ts'
import type { Message } from '../messages/message.ts'
import type { EventBase, MessageEvent } from '../models/message-events.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'
import type { AgentResult } from './result.ts'

/**
 * What a run tells, in one ordered stream. Every start has one end, ids are unique over the run, the last event is
 * `invocation_end` or `invocation_error`. The union may grow in minor versions; `JSON.stringify(event)` loses nothing.
 * `docs/events.md` has the grammar.
 */
export type AgentEvent =
  | (EventBase & { readonly type: 'invocation_start' })
  | (EventBase & { readonly type: 'turn_start' })
  | MessageEvent
  | (EventBase & {
      readonly type: 'retry'
      /** The attempt that comes, from 2. */
      readonly attempt: number
      readonly maxAttempts: number
      readonly delayMs: number
      readonly code: string
      readonly message: string
    })
  /** Another model of the list takes over for the rest of the run. */
  | (EventBase & { readonly type: 'model_switch'; readonly from: string; readonly to: string; readonly code: string })
  /** The context manager put a shorter history in the place of this one. */
  | (EventBase & { readonly type: 'compaction'; readonly removed: number; readonly tokensBefore: number; readonly tokensAfter: number })
  | (EventBase & {
      readonly type: 'tool_start'
      readonly callId: string
      readonly name: string
      readonly input: JsonObject
      readonly early: boolean
    })
  | (EventBase & { readonly type: 'tool_progress'; readonly callId: string; readonly name: string; readonly value: JsonValue })
  | (EventBase & {
      readonly type: 'tool_end'
      readonly callId: string
      readonly name: string
      readonly result: ToolResultBlock
      readonly durationMs: number
      readonly discarded: boolean
    })
  /** The result is kept in the store, as `ref`; the model reads a reference and the first characters. */
  | (EventBase & { readonly type: 'result_persisted'; readonly callId: string; readonly ref: string; readonly chars: number })
  /** A message went into the history; `replaces` is the id of the one whose place it took. */
  | (EventBase & { readonly type: 'message_added'; readonly message: Message; readonly replaces?: string | undefined })
  /** The run will end with this question to a person. */
  | (EventBase & { readonly type: 'interrupt'; readonly interrupt: Interrupt })
  /** The answer that was asked for by `output`, as far as it has come. */
  | (EventBase & { readonly type: 'output_delta'; readonly messageId: string; readonly partial: JsonValue })
  /** An event of a sub-agent. `path` names the calls that lead to it, outermost first. */
  | (EventBase & { readonly type: 'agent_event'; readonly path: readonly string[]; readonly event: AgentEvent })
  | (EventBase & { readonly type: 'warning'; readonly code: string; readonly message: string })
  /** A hook has the run go on with a new input. */
  | (EventBase & { readonly type: 'resume'; readonly by: 'hook' })
  | (EventBase & { readonly type: 'turn_end' })
  | (EventBase & { readonly type: 'invocation_end'; readonly result: AgentResult })
  | (EventBase & { readonly type: 'invocation_error'; readonly error: AgentError })

export type AgentEventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>

/** Takes an event. The promise, if there is one, is the consumer asking for time; it never rejects. */
export type Emit = (event: AgentEvent) => void | Promise<void>
