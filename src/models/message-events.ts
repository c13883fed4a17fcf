import type { Citation } from '../messages/content.ts'
import type { AssistantMessage } from '../messages/message.ts'
import type { ModelStopReason } from '../messages/stop-reason.ts'
import type { Usage } from '../messages/usage.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'

/** What every event carries: the invocation, and the turn it belongs to (0 before the first, then from 1). */
export type EventBase = { readonly invocationId: string; readonly turn: number }

/** The events of one message of the model. */
export type MessageEvent =
  | (EventBase & { readonly type: 'message_start'; readonly messageId: string; readonly model: string; readonly attempt: number })
  | (EventBase & { readonly type: 'text_start' | 'reasoning_start'; readonly messageId: string; readonly blockId: string })
  | (EventBase & {
      readonly type: 'text_delta' | 'reasoning_delta'
      readonly messageId: string
      readonly blockId: string
      readonly text: string
    })
  | (EventBase & { readonly type: 'text_end' | 'reasoning_end'; readonly messageId: string; readonly blockId: string })
  | (EventBase & { readonly type: 'tool_input_start'; readonly messageId: string; readonly callId: string; readonly name: string })
  /** `partial` is what the input means so far; only with `partialInput`, and not with every piece. */
  | (EventBase & {
      readonly type: 'tool_input_delta'
      readonly messageId: string
      readonly callId: string
      readonly text: string
      readonly partial?: JsonValue | undefined
    })
  | (EventBase & { readonly type: 'tool_input_end'; readonly messageId: string; readonly callId: string; readonly input: JsonObject })
  | (EventBase & { readonly type: 'citation'; readonly messageId: string; readonly blockId: string; readonly citation: Citation })
  /** The provider's own chunk, before what was made of it; only with `rawEvents`. */
  | (EventBase & { readonly type: 'raw_chunk'; readonly messageId: string; readonly chunk: JsonValue })
  | (EventBase & {
      readonly type: 'message_end'
      readonly message: AssistantMessage
      readonly stopReason: ModelStopReason
      readonly usage?: Usage | undefined
    })
  /** The message does not count: take back what was shown of it. Its open blocks are closed by this. */
  | (EventBase & {
      readonly type: 'message_discarded'
      readonly messageId: string
      readonly reason: 'retry' | 'cancelled' | 'error' | 'fallback'
    })
