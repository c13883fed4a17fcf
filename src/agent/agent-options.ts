import type { ContextManager } from '../context/context-manager.ts'
import { contextManagers } from '../context/context-managers.ts'
import { InputError } from '../errors.ts'
import type { Plugin } from '../hooks/hooks.ts'
import type { CachePointBlock, TextBlock } from '../messages/content.ts'
import { text } from '../messages/content.ts'
import type { MessageInput } from '../messages/message.ts'
import { describe } from '../messages/stored.ts'
import type { ModelChoice, ModelSettings } from '../models/model.ts'
import { settingRules } from '../models/setting-rules.ts'
import { defaultResults } from '../results/default-results.ts'
import type { ResultStore } from '../results/result-store.ts'
import type { RetryOptions } from '../models/retry-policy.ts'
import type { ToolSource } from '../tools/registry.ts'
import { Session } from '../sessions/session.ts'
import type { StepRunner } from '../tools/steps.ts'
import { directSteps } from '../tools/steps.ts'
import type { ToolStrategy } from '../tools/strategies.ts'
import { scheduled } from '../tools/strategies.ts'
import type { Clock } from '../util/clock.ts'
import { systemClock } from '../util/clock.ts'
import type { Ids } from '../util/ids.ts'
import { randomIds } from '../util/ids.ts'
import { aBoolean, anObject, checkOptions, isOptions, milliseconds } from '../util/check-options.ts'
import { frozenCopy } from '../util/json.ts'
import type { JsonValue } from '../util/json.ts'
import { checkSteps, refuseUnknown } from './invoke-options.ts'
import type { Limits } from './limits.ts'
import { checkLimits } from './limits.ts'
import { retry } from './retry.ts'

export interface AgentOptions<
  State extends object = Record<string, JsonValue>,
  Tools extends readonly ToolSource[] = readonly ToolSource[],
> {
  /**
   * A model, or its name: `provider/model`, or `offline`. Of a list, the next takes over in mid-run when one is overloaded,
   * cannot be reached or refuses, after its retries.
   */
  readonly model: ModelChoice | readonly [ModelChoice, ...ModelChoice[]]
  /** Letters, digits, `_` and `-`. Default `agent`. */
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** The system prompt. */
  readonly instructions?: string | readonly (TextBlock | CachePointBlock)[] | undefined
  readonly tools?: Tools | undefined
  /** The history to begin with; copied, and repaired where it is not legal. */
  readonly messages?: readonly MessageInput[] | undefined
  /** JSON that lives with the agent. */
  readonly state?: State | undefined
  readonly settings?: ModelSettings | undefined
  /** For every invocation. None unless given. */
  readonly limits?: Limits | undefined
  /** In which order calls of one message run. Default `scheduled`. */
  readonly strategy?: ToolStrategy | undefined
  /** How many calls run at once. Default 10. */
  readonly maxConcurrency?: number | undefined
  readonly plugins?: readonly Plugin[] | undefined
  /** The durable engine that effects pass through. Default: none. */
  readonly steps?: StepRunner | undefined
  /** How failed model calls are tried again: 6 attempts in all, 4 s doubling to at most 240 s. `false`: not at all. */
  readonly retry?: false | RetryOptions | undefined
  /** Keeps the history within the model's context window: one manager, or several, one after the other. None unless given. */
  readonly context?: ContextManager | readonly ContextManager[] | undefined
  /** Keeps the conversation: `new Session({ id, store })`. It is read before the first run. None unless given. */
  readonly session?: Session | undefined
  /**
   * Where results go that are too long for the model. Default: a private folder on Node, memory elsewhere; loaded when it is first
   * needed.
   */
  readonly results?: ResultStore | undefined
  /** How long hooks may still take once the run was cancelled, in milliseconds. Default 2,000. */
  readonly cancelGraceMs?: number | undefined
  readonly clock?: Clock | undefined
  readonly ids?: Ids | undefined
}

export type CheckedAgentOptions = {
  readonly models: readonly ModelChoice[]
  readonly context: ContextManager | undefined
  readonly results: ResultStore
  readonly session: Session | undefined
  readonly name: string
  readonly description: string
  readonly system: readonly (TextBlock | CachePointBlock)[]
  readonly state: object
  readonly settings: ModelSettings
  readonly limits: Limits
  readonly strategy: ToolStrategy
  readonly maxConcurrency: number
  readonly plugins: readonly Plugin[]
  readonly steps: StepRunner
  readonly cancelGraceMs: number
  readonly clock: Clock
  readonly ids: Ids
}

const known = [
  'model',
  'name',
  'description',
  'instructions',
  'tools',
  'messages',
  'state',
  'settings',
  'limits',
  'strategy',
  'maxConcurrency',
  'plugins',
  'steps',
  'retry',
  'context',
  'results',
  'session',
  'cancelGraceMs',
  'clock',
  'ids',
]

/** @throws {InputError} that names the option, what was expected and what came; {NotYetError} for what is planned. */
export function checkAgentOptions(options: AgentOptions<any, any>): CheckedAgentOptions {
  if (typeof options !== 'object' || options === null)
    throw new InputError(`new Agent() needs options such as { model: 'offline' }, got ${describe(options)}.`)
  refuseUnknown(options, known, [], 'option of an agent')
  const {
    name = 'agent',
    description = '',
    state = {},
    strategy = scheduled,
    maxConcurrency = 10,
    cancelGraceMs = 2000,
    plugins = [],
  } = options
  const models = Array.isArray(options.model) ? (options.model as readonly ModelChoice[]) : [options.model as ModelChoice]
  if (models.length === 0) throw new InputError('`model` is an empty list. Give at least one model.')
  for (const model of models) checkModel(model)
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    throw new InputError(`\`name\` has 1 to 64 letters, digits, "_" or "-", got ${describe(name)}.`)
  checkRetry(options.retry)
  const context = Array.isArray(options.context)
    ? contextManagers(options.context as readonly ContextManager[])
    : (options.context as ContextManager)
  if (context !== undefined && typeof context?.reduce !== 'function')
    throw new InputError(`\`context\` must be a context manager { name, before?(view), reduce(view) }, got ${describe(options.context)}.`)
  if (!anObject[1](state)) throw new InputError(`\`state\` must be an object, got ${describe(state)}.`)
  if (typeof strategy?.next !== 'function')
    throw new InputError(
      '`strategy` must be a schedule strategy: scheduled, concurrent, sequential, or an object { name, early, next(view) }.',
    )
  if (!Number.isInteger(maxConcurrency) || maxConcurrency < 1)
    throw new InputError(`\`maxConcurrency\` must be a positive integer, got ${String(maxConcurrency)}.`)
  if (typeof cancelGraceMs !== 'number' || !(cancelGraceMs >= 0))
    throw new InputError(`\`cancelGraceMs\` must be a number of milliseconds, got ${String(cancelGraceMs)}.`)
  if (options.tools !== undefined && !Array.isArray(options.tools))
    throw new InputError(`\`tools\` must be an array of tools, got ${describe(options.tools)}.`)
  if (options.messages !== undefined && !Array.isArray(options.messages))
    throw new InputError(`\`messages\` must be an array of messages, got ${describe(options.messages)}.`)
  if (typeof description !== 'string') throw new InputError(`\`description\` must be a string, got ${describe(description)}.`)
  if (options.clock !== undefined && (typeof options.clock?.now !== 'function' || typeof options.clock.sleep !== 'function'))
    throw new InputError(`\`clock\` must be a clock { now(), sleep(ms, signal) }, got ${describe(options.clock)}.`)
  if (options.ids !== undefined && typeof options.ids?.next !== 'function')
    throw new InputError(`\`ids\` must be an object { next(kind) }, got ${describe(options.ids)}.`)
  checkSteps(options.steps)
  checkResults(options.results)
  if (options.session !== undefined && !(options.session instanceof Session))
    throw new InputError(`\`session\` must be a session, as in new Session({ id, store }), got ${describe(options.session)}.`)
  checkPlugins(plugins)
  return {
    models,
    context,
    name,
    description,
    system: systemOf(options.instructions),
    state,
    settings: checkSettings(options.settings),
    limits: checkLimits(options.limits),
    strategy,
    maxConcurrency,
    plugins: options.retry === false ? plugins : [retry(options.retry), ...plugins],
    steps: options.steps ?? directSteps,
    results: options.results ?? defaultResults(),
    session: options.session,
    cancelGraceMs,
    clock: options.clock ?? systemClock,
    ids: options.ids ?? randomIds,
  }
}

function checkResults(store: unknown): void {
  if (store === undefined) return
  const { put, read, remove } = (store ?? {}) as Partial<ResultStore>
  if ([put, read, remove].some((method) => typeof method !== 'function'))
    throw new InputError(`\`results\` must be a result store { put, read, remove }, such as memoryResults(); got ${describe(store)}.`)
}

export function checkModel(model: unknown): void {
  if (typeof model === 'string' && model.trim() !== '') return
  if (typeof model === 'object' && model !== null && typeof (model as { stream?: unknown }).stream === 'function') return
  throw new InputError(
    `\`model\` must be a name such as 'openai/gpt-5.4' or 'offline', or a model object with stream(request, options); got ${describe(model)}.`,
  )
}

function checkRetry(options: unknown): void {
  if (options === undefined || options === false) return
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new InputError(`\`retry\` must be false or an object such as { maxAttempts: 3 }, got ${describe(options)}.`)
  refuseUnknown(options, ['maxAttempts', 'baseMs', 'maxMs', 'jitter'], [], 'option of `retry`')
  const { maxAttempts, baseMs, maxMs, jitter } = options as RetryOptions
  if (maxAttempts !== undefined && (!Number.isInteger(maxAttempts) || maxAttempts < 1))
    throw new InputError(`retry.maxAttempts must be a positive integer, got ${String(maxAttempts)}.`)
  for (const [key, value] of Object.entries({ baseMs, maxMs }))
    if (value !== undefined && !milliseconds[1](value))
      throw new InputError(`retry.${key} must be a number of milliseconds, got ${describe(value)}.`)
  if (jitter !== undefined && !aBoolean[1](jitter)) throw new InputError(`retry.jitter must be true or false, got ${describe(jitter)}.`)
}

function checkPlugins(plugins: unknown): void {
  if (!Array.isArray(plugins)) throw new InputError(`\`plugins\` must be an array, got ${describe(plugins)}.`)
  for (const plugin of plugins as readonly Partial<Plugin>[]) {
    if (typeof plugin?.name !== 'string' || typeof plugin.setup !== 'function')
      throw new InputError(`A plug-in is an object { name, setup(agent) }, got ${describe(plugin)}.`)
  }
}

function checkSettings(settings: unknown): ModelSettings {
  if (settings === undefined) return Object.freeze({})
  if (!isOptions(settings)) throw new InputError(`\`settings\` must be an object such as { maxTokens: 4096 }, got ${describe(settings)}.`)
  refuseUnknown(settings, Object.keys(settingRules), [], 'setting')
  checkOptions('new Agent({ settings })', settings, settingRules)
  try {
    return frozenCopy(settings, 'settings')
  } catch (error) {
    throw new InputError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function systemOf(instructions: unknown): readonly (TextBlock | CachePointBlock)[] {
  // Frozen as the others are: a hook that changed it would change it for good.
  if (instructions === undefined || instructions === '') return Object.freeze([])
  if (typeof instructions === 'string') return frozenCopy([text(instructions)])
  if (Array.isArray(instructions) && instructions.every((block) => block?.type === 'text' || block?.type === 'cache_point'))
    return frozenCopy(instructions)
  throw new InputError(`\`instructions\` must be a string, or text and cache_point blocks; got ${describe(instructions)}.`)
}
