import type { InterruptRequest } from '../../interrupts/interrupt.ts'
import type { ModelAbilities, ModelRequest } from '../../models/model.ts'
import type { ModelEvent } from '../../models/model-events.ts'
import type { IdKind } from '../../util/ids.ts'
import type { JsonObject, JsonValue } from '../../util/json.ts'
import type { ToolOutcome } from '../../tools/tool.ts'

/** An error as a cassette keeps it: name, message and plain fields. Of a cause name and message alone: it may hold whole requests. */
export type RecordedError = {
  readonly name: string
  readonly message: string
  /** Is it one of this package's? */
  readonly own?: boolean | undefined
  readonly fields?: JsonObject | undefined
  readonly stack?: string | undefined
  readonly cause?: RecordedError | undefined
}

/** A request, less what the request before it in the cassette said too. */
export type RecordedRequest = {
  /** How many messages, from the first, are those of the request before. */
  readonly sameMessages: number
  readonly messages: ModelRequest['messages']
  /** The other fields that are not as they were; `null` is one that is left out. */
  readonly fields: { readonly [K in keyof Omit<ModelRequest, 'messages'>]?: ModelRequest[K] | null }
}

/** What the run itself does: it reads the clock, takes an id, asks, begins. In a replay it must do the same. */
export type Mark =
  | { readonly type: 'now'; readonly value: number }
  | { readonly type: 'id'; readonly kind: IdKind; readonly value: string }
  | { readonly type: 'sleep'; readonly sleep: number; readonly ms: number }
  | { readonly type: 'model'; readonly model: RecordedModel }
  | { readonly type: 'model_start'; readonly call: number; readonly model: string; readonly request: RecordedRequest }
  /** Cancelled, or its reader left. */
  | { readonly type: 'model_left'; readonly call: number }
  | {
      readonly type: 'tool_start'
      readonly run: number
      readonly name: string
      readonly callId: string
      readonly input?: JsonValue | undefined
    }
  | { readonly type: 'effect_start'; readonly effect: number; readonly name: string }

export type RecordedModel = {
  readonly provider: string
  readonly id: string
  readonly abilities?: Partial<ModelAbilities> | undefined
  readonly contextWindow?: number | undefined
  readonly countsTokens?: boolean | undefined
}

/** What comes to the run from outside. In a replay it comes from the cassette, in the order of the cassette. */
export type Input =
  /** Something came for which nobody waited any more. It took its turn all the same. */
  | { readonly type: 'turn' }
  | { readonly type: 'wake'; readonly sleep: number }
  | { readonly type: 'model_event'; readonly call: number; readonly event: ModelEvent }
  | { readonly type: 'model_end'; readonly call: number; readonly error?: RecordedError | undefined }
  /** The input of a call was checked, which takes its time. */
  | { readonly type: 'tool_checked'; readonly name: string; readonly check: number }
  | { readonly type: 'tool_progress'; readonly run: number; readonly value: JsonValue }
  | { readonly type: 'tool_end_turn'; readonly run: number; readonly text?: string | undefined }
  | {
      readonly type: 'tool_interrupt'
      readonly run: number
      readonly request: InterruptRequest
      /** Left out while nobody has answered. */
      readonly answer?: JsonValue | undefined
    }
  | ({ readonly type: 'tool_end'; readonly run: number; readonly state?: StateChange | undefined } & ToolEnd)
  | {
      readonly type: 'effect_end'
      readonly effect: number
      readonly value?: JsonValue | undefined
      readonly error?: RecordedError | undefined
    }
  | { readonly type: 'abort'; readonly signal: number; readonly reason: RecordedError }

/** What a tool returned, as JSON or as the outcome that was made of it; or threw; or that it left to wait for an answer. */
export type ToolEnd = {
  readonly value?: JsonValue | undefined
  readonly outcome?: Omit<ToolOutcome, 'value' | 'error'> | undefined
  readonly error?: RecordedError | undefined
  readonly interrupted?: boolean | undefined
}

/** What a call changed in the agent's state. */
export type StateChange = { readonly set?: JsonObject | undefined; readonly deleted?: readonly string[] | undefined }

/** One thing that happened. */
export type CassetteEntry = Mark | Input

const inputs: readonly string[] = [
  'turn',
  'wake',
  'model_event',
  'model_end',
  'tool_checked',
  'tool_progress',
  'tool_end_turn',
  'tool_interrupt',
  'tool_end',
  'effect_end',
  'abort',
] satisfies readonly Input['type'][]

export const isInput = (entry: CassetteEntry): entry is Input => inputs.includes(entry.type)

/** Whom an input is for. */
export function receiverOf(entry: Input): string {
  switch (entry.type) {
    case 'turn':
      return 'nobody'
    case 'wake':
      return `sleep ${entry.sleep}`
    case 'model_event':
    case 'model_end':
      return `model call ${entry.call}`
    case 'tool_checked':
      return `check ${entry.check} of ${entry.name}`
    case 'tool_progress':
    case 'tool_end_turn':
    case 'tool_interrupt':
    case 'tool_end':
      return `tool run ${entry.run}`
    case 'effect_end':
      return `effect ${entry.effect}`
    case 'abort':
      return `signal ${entry.signal}`
  }
}
