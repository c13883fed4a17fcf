import { AgentError, toAgentError } from '../errors.ts'
import { describe } from '../messages/stored.ts'
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
   * code `interrupt`, by which a call leaves that waits for a person. Whatever else is thrown is a failure of the engine, and
   * ends the run with that error.
   */
  run<T extends JsonValue>(step: Step, fn: () => Promise<T>, options: { readonly signal: AbortSignal }): Promise<T>
  /**
   * What is recorded of a step, without running it: asked of a call that cannot run any more, as its tool was renamed or takes
   * another input now, so that a replay still gives what was done. `begun`: it was under way, and no end is recorded. `undefined`:
   * nothing is. An engine that leaves this method out is not asked, and the model reads why the call cannot run.
   */
  recorded?(step: Step, options: { readonly signal: AbortSignal }): Promise<{ readonly value: JsonValue } | 'begun' | undefined>
}

/** No engine: just call. */
export const directSteps: StepRunner = { concurrency: 'any_order', run: (_step, fn) => fn() }

/** The engine has failed, not what the step does. Thrown by `runStep`, and never seen outside. */
export class EngineFailure extends Error {
  /** What the run ends with. */
  readonly error: AgentError
  /** What the step does, where that is still under way. */
  readonly running: Promise<unknown> | undefined

  constructor(error: AgentError, running?: Promise<unknown>) {
    super(error.message)
    this.error = error
    this.running = running
  }

  /** An engine that gave what the step cannot have come to. */
  static noRecord(step: string, given: unknown): EngineFailure {
    const said = `The steps gave no outcome for ${step}: expected what the step had resolved to, got ${describe(given)}.`
    return new EngineFailure(new AgentError(said, { code: 'steps_failed' }))
  }
}

/**
 * Runs one step, and tells whose failure it is.
 *
 * @throws what `fn` threw, however the engine tells it; {EngineFailure} for all else that the engine throws.
 */
export function runStep<T extends JsonValue>(
  steps: StepRunner,
  step: Step,
  fn: () => Promise<T>,
  options: { readonly signal: AbortSignal },
): Promise<T> {
  return steps === directSteps ? fn() : throughEngine(steps, step, fn, options)
}

async function throughEngine<T extends JsonValue>(
  steps: StepRunner,
  step: Step,
  fn: () => Promise<T>,
  options: { readonly signal: AbortSignal },
): Promise<T> {
  let running: Promise<T> | undefined
  let threw: { readonly error: unknown } | undefined
  // An engine may try again by itself: the newest call counts.
  const watched = async (): Promise<T> => {
    threw = undefined
    running = fn()
    try {
      return await running
    } catch (error) {
      threw = { error }
      throw error
    }
  }
  try {
    return await steps.run(step, watched, options)
  } catch (error) {
    if (threw) throw threw.error
    throw new EngineFailure(toAgentError(error, 'steps_failed', `The steps failed at ${step.name}`), running)
  }
}
