import type { JsonValue } from '../util/json.ts'

export type Step = {
  /**
   * `model:<messages so far>` or `tool:<call id>`, and a number behind it for a repeated one: the same name for the same step in a
   * replay, and another for every other step of the conversation.
   */
  readonly name: string
  readonly kind: 'model' | 'tool'
  readonly idempotencyKey: string
  /** Of what a model step answers: another one under the same name belongs to another run. Left out where there are no words. */
  readonly fingerprint?: string | undefined
}

/**
 * The port that all effects of a run pass: one model call or one tool call is one step. A durable engine records what `fn`
 * resolves to (a JSON value) and, in a replay, gives the record instead of calling it.
 */
export interface StepRunner {
  /** How many steps may be under way at once: `none` makes tool calls sequential, `start_order` and `any_order` let them overlap. */
  readonly concurrency: 'none' | 'start_order' | 'any_order'
  /** Names the conversation in a replay as it was named at first, so that idempotency keys stay the same. */
  readonly conversationId?: string | undefined
  /**
   * Gives what `fn` resolves to, or the record of it. What `fn` throws is thrown, and is no record; least of all an error with the
   * code `interrupt`, by which a call leaves that waits for a person.
   */
  run<T extends JsonValue>(step: Step, fn: () => Promise<T>, options: { readonly signal: AbortSignal }): Promise<T>
}

/** No engine: just call. */
export const directSteps: StepRunner = { concurrency: 'any_order', run: (_step, fn) => fn() }
