import type { BlockDelta, ModelEvent } from '../../../models/model-events.ts'
import type { JsonObject, JsonValue } from '../../../util/json.ts'

export type WireItem = { readonly type?: string; readonly id?: string; readonly [field: string]: JsonValue | undefined }

/** What the items of an answer need to be told. */
export type Told = {
  readonly provider: string
  readonly push: (event: ModelEvent) => void
  /** The index of the next block. */
  readonly nextBlock: () => number
}

/** An item of the answer, while it comes. */
export interface ResponseItem {
  /** A piece of its text: what kind of text it is, and which of several it belongs to. */
  say?(kind: TextKind, part: number, text: string): void
  /** All of such a text; what came of it in pieces is not said again. */
  sayAll?(kind: TextKind, part: number, text: string): void
  cite?(part: number, annotation: JsonObject): void
  /** A piece of a call's input. */
  input?(piece: string): void
  /** All of it. */
  inputAll?(input: string): void
  /** The item as it is in the end. */
  done(item: WireItem): void
  /** The answer is over: `whole` when it was not cut. */
  end(whole: boolean): void
}

export type TextKind = 'text' | 'refusal' | 'summary' | 'content'

export const delta = (index: number, change: BlockDelta): ModelEvent => ({ type: 'block_delta', index, delta: change })
