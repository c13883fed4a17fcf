import type { Citation, DocumentBlock, ImageBlock, ServerToolResultBlock, ServerToolUseBlock } from '../messages/content.ts'
import type { ModelStopReason } from '../messages/stop-reason.ts'
import type { Usage } from '../messages/usage.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'

/**
 * What a provider yields, whatever its wire looks like. The assembler is tolerant: starts and stops of blocks may be
 * missing, blocks may interleave; only `message_stop` must come, or the message counts as cut.
 */
export type ModelEvent =
  | { readonly type: 'message_start'; readonly model?: string | undefined; readonly responseId?: string | undefined }
  | { readonly type: 'block_start'; readonly index: number; readonly block: BlockStart }
  | { readonly type: 'block_delta'; readonly index: number; readonly delta: BlockDelta }
  | { readonly type: 'block_stop'; readonly index: number }
  | { readonly type: 'message_stop'; readonly stopReason: ModelStopReason; readonly stopSequence?: string | undefined }
  /** Usage is added up, or with `cumulative` replaces what was reported before. */
  | {
      readonly type: 'metadata'
      readonly usage?: Partial<Usage> | undefined
      readonly cumulative?: boolean | undefined
      readonly provider?: JsonObject | undefined
    }
  /** A guardrail put another text in the place of what the user or the model said. */
  | { readonly type: 'redaction'; readonly target: 'input' | 'output'; readonly replacement: string }
  /** The provider's own chunk, before what was made of it; only when the request asks for it. */
  | { readonly type: 'raw'; readonly chunk: JsonValue }

export type BlockStart =
  | { readonly type: 'text' }
  | { readonly type: 'reasoning' }
  /** `id` is the provider's own, when it has one. */
  | { readonly type: 'tool_use'; readonly id?: string | undefined; readonly name: string; readonly provider?: JsonObject | undefined }
  | ServerToolUseBlock
  | ServerToolResultBlock
  | ImageBlock
  | DocumentBlock

export type BlockDelta =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'reasoning'
      readonly text?: string | undefined
      readonly signature?: string | undefined
      readonly redacted?: string | undefined
    }
  /** A piece of the JSON text of a call's input. */
  | { readonly type: 'tool_input'; readonly text: string }
  | { readonly type: 'citation'; readonly citation: Citation }
  /** What the provider wants back with this block. */
  | { readonly type: 'provider'; readonly data: JsonObject }
