import { AgentError, toAgentError } from '../errors.ts'
import type { Plugin } from '../hooks/hooks.ts'
import type { Model, ModelChoice } from '../models/model.ts'
import { resolveModel } from '../models/resolve.ts'
import type { Tool } from '../tools/tool.ts'
import { settle, settleOrAbort } from '../util/abort.ts'
import type { Bound } from '../util/bounded.ts'
import { settleBounded } from '../util/bounded.ts'
import type { AgentHandle } from './handle.ts'

/** What must be there before the first turn: the model and the plug-ins. What fails is tried again on the next call. */
export class Readiness {
  readonly #agent: AgentHandle
  readonly #choices: readonly ModelChoice[]
  readonly #waiting: Plugin[]
  readonly #plugins: readonly Plugin[]
  readonly #models: (Model | undefined)[] = []
  #under: Promise<Model> | undefined

  constructor(agent: AgentHandle, choices: readonly ModelChoice[], plugins: readonly Plugin[]) {
    this.#agent = agent
    this.#choices = choices
    this.#plugins = plugins
    this.#waiting = [...plugins]
  }

  /** @throws {AgentError} what the model's look-up or a plug-in threw. When the signal fires first, the work goes on for the next call. */
  async ready(signal: AbortSignal): Promise<Model> {
    if (this.#models[0] && this.#waiting.length === 0) return this.#models[0]
    this.#under ??= this.#prepare().finally(() => (this.#under = undefined))
    const settled = await settleOrAbort(this.#under, signal)
    if (settled && !settled.ok) throw settled.error
    // Cancelled: the run ends before it needs a model.
    return settled?.value ?? (undefined as unknown as Model)
  }

  /** A further model of the list. `undefined` when the signal fired first. */
  async modelAt(index: number, signal: AbortSignal): Promise<Model | undefined> {
    const settled = await settleOrAbort(this.#load(index), signal)
    if (settled && !settled.ok) throw settled.error
    return settled?.value
  }

  async flush(bound: Bound): Promise<void> {
    for (const plugin of this.#plugins) {
      if (!plugin.flush) continue
      const settled = await settleBounded(settle(Promise.resolve().then(() => plugin.flush!({ signal: bound.signal }))), bound)
      if (!settled) throw new AgentError(`The plug-in "${plugin.name}" did not finish its flush in time.`, { code: 'flush_timeout' })
      if (settled.ok && !settled.value.ok)
        throw toAgentError(settled.value.error, 'flush_failed', `The flush of the plug-in "${plugin.name}" failed`)
    }
  }

  /** Lets a setup that is under way end, but does not wait longer than the bound. */
  async close(bound: Bound): Promise<void> {
    if (this.#under) await settleBounded(this.#under, bound)
  }

  async #prepare(): Promise<Model> {
    const model = await this.#load(0)
    while (this.#waiting.length > 0) {
      await setUp(this.#agent, this.#waiting[0]!)
      this.#waiting.shift()
    }
    return model
  }

  async #load(index: number): Promise<Model> {
    const choice = this.#choices[index]!
    return (this.#models[index] ??= typeof choice === 'string' ? await resolveModel(choice) : choice)
  }
}

/** Sets one plug-in up; what a failed setup had added is taken away again, so that the next try starts clean. */
async function setUp(agent: AgentHandle, plugin: Plugin): Promise<void> {
  const undo: (() => void)[] = []
  const before = new Map<string, Tool | undefined>(agent.tools.names.map((name) => [name, agent.tools.get(name)]))
  try {
    await plugin.setup(recording(agent, undo))
  } catch (error) {
    for (const take of undo.reverse()) take()
    for (const name of agent.tools.names) if (!before.has(name)) agent.tools.remove(name)
    for (const [name, tool] of before) if (tool && agent.tools.get(name) !== tool) agent.tools.replace(tool)
    throw toAgentError(error, 'plugin_failed', `The plug-in "${plugin.name}" could not be set up`)
  }
}

/** The agent, with each hook, middleware and gate that is added noted down. */
function recording(agent: AgentHandle, undo: (() => void)[]): AgentHandle {
  const noted = (off: () => void): (() => void) => {
    undo.push(off)
    return off
  }
  return {
    get name() {
      return agent.name
    },
    get description() {
      return agent.description
    },
    get messages() {
      return agent.messages
    },
    tools: agent.tools,
    state: agent.state,
    cancel: (reason) => agent.cancel(reason),
    warn: (code, message) => agent.warn(code, message),
    on: (name, fn, options) => noted(agent.on(name, fn, options)),
    use: (stage, middleware) => noted(agent.use(stage, middleware)),
    guard: (gate) => noted(agent.guard(gate)),
  }
}
