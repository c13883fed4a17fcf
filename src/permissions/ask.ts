import { approvalOf } from '../interrupts/interrupt.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'
import { frozenCopy, isObject } from '../util/json.ts'

/** `always` allows what `always` of the request names from now on. With `input` the call runs on that instead. */
export type ApprovalAnswer =
  | boolean
  | 'always'
  | { readonly approved: boolean; readonly reason?: string | undefined; readonly input?: JsonObject | undefined }

export type Understood = {
  readonly approved: boolean
  readonly isAlways: boolean
  readonly reason: string | undefined
  readonly input: JsonObject | undefined
}

/** Nothing but a clear yes is a yes. */
export function understand(answer: unknown): Understood {
  const isAlways = answer === 'always'
  const plain = isObject(answer) ? (frozenCopy(answer as JsonObject, 'the answer') as JsonValue) : answer === true
  const { approved, reason, input } = approvalOf(plain)
  return { approved: approved || isAlways, isAlways, reason, input }
}
