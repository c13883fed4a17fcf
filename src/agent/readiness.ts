import { AgentError, toAgentError } from '../errors.ts'
import type { Plugin } from '../hooks/hooks.ts'
import type { Model, ModelChoice } from '../models/model.ts'
import { resolveModel } from '../models/resolve.ts'
import type { Tools } from '../tools/registry.ts'
import { settle, settleOrAbort } from '../util/abort.ts'
import type { Bound } from '../util/bounded.ts'
import { settleBounded } from '../util/bounded.ts'
import type { AgentHandle } from './handle.ts'
import type { ProvidedTools } from './provided-tools.ts'
import { setUp } from './set-up.ts'

export type ReadinessOptions = {
  readonly agent: AgentHandle
  readonly tools: Tools
  readonly provided: ProvidedTools
  readonly models: readonly ModelChoice[]
  readonly plugins: readonly Plugin[]
}

/** What must be there before the first turn: the model, the plug-ins, the tools of the providers. What fails is tried again on the next call. */
export class Readiness {
  readonly #options: ReadinessOptions
  readonly #waiting: Plugin[]
  readonly #models: (Promise<Model> | undefined)[] = []
  #under: Promise<void> | undefined

  constructor(options: ReadinessOptions) {
    this.#options = options
    this.#waiting = [...options.plugins]
  }

  /** @throws {AgentError} what the model's look-up, a plug-in or a provider threw. When the signal fires first, the work goes on for the next call. */
  async ready(signal: AbortSignal): Promise<Model> {
    const model = await this.modelAt(0, signal)
    await this.prepare(signal)
    // Cancelled: the run ends before it needs a model.
    return model ?? (undefined as unknown as Model)
  }

  /** All but the model: plug-ins, then the tools of the providers, which must not be in the way of those that a plug-in adds. */
  async prepare(signal: AbortSignal): Promise<void> {
    if (this.#waiting.length > 0 && !signal.aborted) {
      this.#under ??= this.#setUpPlugins().finally(() => (this.#under = undefined))
      const settled = await settleOrAbort(this.#under, signal)
      if (settled && !settled.ok) throw settled.error
    }
    if (signal.aborted) return
    const loading = this.#options.provided.refresh(signal, { retry: true })
    if (loading) await loading
  }

  /** A further model of the list. `undefined` when the signal fired first. */
  async modelAt(index: number, signal: AbortSignal): Promise<Model | undefined> {
    const settled = await settleOrAbort(this.#load(index), signal)
    if (settled && !settled.ok) throw settled.error
    return settled?.value
  }

  async flush(bound: Bound): Promise<void> {
    const failures: AgentError[] = []
    // One that fails takes nothing from the others: what these hold would be lost.
    for (const plugin of this.#options.plugins) {
      // What is not set up holds nothing back.
      if (!plugin.flush || this.#waiting.includes(plugin)) continue
      const settled = await settleBounded(settle(Promise.resolve().then(() => plugin.flush!({ signal: bound.signal }))), bound)
      if (!settled)
        failures.push(new AgentError(`The plug-in "${plugin.name}" did not finish its flush in time.`, { code: 'flush_timeout' }))
      else if (settled.ok && !settled.value.ok)
        failures.push(toAgentError(settled.value.error, 'flush_failed', `The flush of the plug-in "${plugin.name}" failed`))
    }
    if (failures.length <= 1) {
      if (failures[0]) throw failures[0]
      return
    }
    const said = failures.map(({ message }) => message).join(' ')
    throw new AgentError(said, { code: 'flush_failed', cause: new AggregateError(failures, said) })
  }

  /** Lets a setup that is under way end, but does not wait longer than the bound. */
  async close(bound: Bound): Promise<void> {
    if (this.#under) await settleBounded(this.#under, bound)
  }

  async #setUpPlugins(): Promise<void> {
    const { agent, tools } = this.#options
    while (this.#waiting.length > 0) {
      await setUp(agent, tools, this.#waiting[0]!)
      this.#waiting.shift()
    }
  }

  #load(index: number): Promise<Model> {
    const choice = this.#options.models[index]!
    return (this.#models[index] ??= loadModel(choice).catch((error: unknown) => {
      this.#models[index] = undefined
      throw error
    }))
  }
}

const loadModel = async (choice: ModelChoice): Promise<Model> => (typeof choice === 'string' ? await resolveModel(choice) : choice)
