import { InputError, NotYetError } from '../errors.ts'
import { describe } from '../messages/stored.ts'
import { Budget } from './budget.ts'
import type { ToolChoice } from '../models/model.ts'
import type { OutputOptions } from '../output/output-options.ts'
import { outputSpec } from '../output/output-spec.ts'
import type { OutputSpec } from '../output/output-spec.ts'
import type { Schema } from '../tools/standard-schema.ts'
import type { StepRunner } from '../tools/steps.ts'
import { isOptions } from '../util/check-options.ts'
import { isObject } from '../util/json.ts'
import { didYouMean } from '../util/text.ts'
import type { AgentEvent } from './events.ts'
import type { Limits } from './limits.ts'
import { checkLimits } from './limits.ts'

export type InvokeOptions<S = Schema | undefined> = {
  /** Cancels the run: it then ends with the stop reason `cancelled`. */
  readonly signal?: AbortSignal | undefined
  /** For this invocation; each key goes before the agent's. */
  readonly limits?: Limits | undefined
  /** One object for the hooks and tools of this invocation; it comes back in the result. */
  readonly invocationState?: Record<string, unknown> | undefined
  /** Called with each event. A promise is waited for, and holds the run back; a throw ends the run. */
  readonly onEvent?: ((event: AgentEvent) => void | Promise<void>) | undefined
  /** `required` and `{ name }` hold for the first model call of the run, `none` for all. Default `auto`. */
  readonly toolChoice?: ToolChoice | undefined
  /** Keep what the model had said when the run is cancelled, in the message that closes it. Default false. */
  readonly keepPartialText?: boolean | undefined
  /** Give the input of a call as a growing value with `tool_input_delta`. Default false. */
  readonly partialInput?: boolean | undefined
  /** Give each chunk of the provider as a `raw_chunk` event too. Default false. */
  readonly rawEvents?: boolean | undefined
  readonly steps?: StepRunner | undefined
  /** What this run may spend, together with others that use the same budget. */
  readonly budget?: Budget | undefined
  /**
   * Ends the run after each model call that asks for tools, and after the tools, with the stop reason `checkpoint`: resume it
   * with `result.checkpoint`, here or in another process. Default false.
   */
  readonly checkpointing?: boolean | undefined
  /**
   * The answer shall have this shape: a schema, or `{ schema, name?, attempts?, prompt?, mode? }`. It is in `result.output`.
   */
  readonly output?: S | OutputOptions<S> | undefined
  /**
   * A second call with the token of the run that is under way waits for that run's result instead of being refused. One that comes
   * from a hook, a tool or a listener of that very run would wait for itself, and is refused (`waits_for_itself`); where the runtime
   * has no async contexts, as in a browser, it cannot be told from others: give it a `signal`.
   */
  readonly idempotencyToken?: string | undefined
}

export type CheckedInvokeOptions = Omit<InvokeOptions, 'output'> & {
  readonly output?: OutputSpec | undefined
  readonly invocationState: Record<string, unknown>
  /** How many agents stand above this one. */
  readonly depth?: number | undefined
}

const known = [
  'signal',
  'limits',
  'invocationState',
  'onEvent',
  'toolChoice',
  'keepPartialText',
  'partialInput',
  'rawEvents',
  'steps',
  'budget',
  'checkpointing',
  'idempotencyToken',
  'output',
]

/** @throws {InputError} that names the option, what was expected and what came; {NotYetError} for what is planned. */
export function checkInvokeOptions(options: InvokeOptions = {}): CheckedInvokeOptions {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new InputError(`The options must be an object, got ${describe(options)}.`)
  refuseUnknown(options, known, [], 'option')
  const { signal, onEvent, invocationState, toolChoice } = options
  if (signal !== undefined && (typeof signal !== 'object' || signal === null || typeof signal.aborted !== 'boolean'))
    throw new InputError('`signal` must be an AbortSignal (from an AbortController, or AbortSignal.timeout(ms)).')
  if (onEvent !== undefined && typeof onEvent !== 'function') throw new InputError(`\`onEvent\` must be a function, got ${typeof onEvent}.`)
  if (invocationState !== undefined && (typeof invocationState !== 'object' || invocationState === null || Array.isArray(invocationState)))
    throw new InputError(`\`invocationState\` must be an object, got ${describe(invocationState)}.`)
  if (
    toolChoice !== undefined &&
    !['auto', 'none', 'required'].includes(toolChoice as string) &&
    !(isObject(toolChoice) && typeof toolChoice['name'] === 'string')
  ) {
    throw new InputError(`\`toolChoice\` must be "auto", "none", "required" or { name: "a_tool" }, got ${describe(toolChoice)}.`)
  }
  for (const key of ['keepPartialText', 'partialInput', 'rawEvents', 'checkpointing'] as const)
    if (options[key] !== undefined && typeof options[key] !== 'boolean')
      throw new InputError(`\`${key}\` must be true or false, got ${describe(options[key])}.`)
  checkSteps(options.steps)
  const { budget, idempotencyToken: token } = options
  if (budget !== undefined && !(budget instanceof Budget))
    throw new InputError(`\`budget\` must be a Budget, as in new Budget({ cost: 0.5 }), got ${describe(budget)}.`)
  if (token !== undefined && (typeof token !== 'string' || token === ''))
    throw new InputError(`\`idempotencyToken\` must be a string that is not empty, got ${describe(token)}.`)
  const { output, ...rest } = options
  return {
    ...rest,
    ...(output !== undefined && { output: outputSpec(output) }),
    limits: checkLimits(options.limits),
    invocationState: invocationState ?? {},
  }
}

/** @throws {InputError} for what is no step runner. */
export function checkSteps(steps: unknown): void {
  if (steps === undefined) return
  const { run, concurrency } = (steps ?? {}) as Partial<StepRunner>
  if (typeof run !== 'function' || !['none', 'start_order', 'any_order'].includes(concurrency as string))
    throw new InputError(
      `\`steps\` must be a step runner { concurrency: 'none', 'start_order' or 'any_order', run(step, fn, options) }, got ${describe(steps)}.`,
    )
}

/** @throws {InputError} for keys that do not exist, {NotYetError} for those that are planned. */
export function refuseUnknown(options: object, keys: readonly string[], planned: readonly string[], what: string): void {
  // It would be taken for one that names nothing.
  if (!isOptions(options)) throw new InputError(`Expected an object with each ${what} by its name, got ${describe(options)}.`)
  for (const [key, value] of Object.entries(options)) {
    if (keys.includes(key) || value === undefined) continue
    if (planned.includes(key)) throw new NotYetError(`The ${what} \`${key}\``)
    throw new InputError(`There is no ${what} "${key}".${didYouMean(key, keys)} Known: ${keys.join(', ')}.`)
  }
}
