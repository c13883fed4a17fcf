import type { HookEvent, HookName } from '../hooks/hooks.ts'
import { HookRegistry } from '../hooks/registry.ts'
import { ownOutcome } from '../tools/own-outcome.ts'
import type { ToolOutcome } from '../tools/tool.ts'
import type { Bound } from '../util/bounded.ts'

/**
 * The hooks of the agent, and behind them one that keeps what the call came to. The history has the result as the model reads
 * it; who calls directly also wants the value that the tool returned, and what it threw.
 */
export class OutcomeHooks extends HookRegistry {
  outcome: ToolOutcome | undefined
  readonly #hooks: HookRegistry

  constructor(hooks: HookRegistry) {
    super()
    this.#hooks = hooks
  }

  override has(name: HookName): boolean {
    return name === 'afterToolCall' || this.#hooks.has(name)
  }

  override async run<K extends HookName>(name: K, event: HookEvent<K>, bound: Bound): Promise<void> {
    await this.#hooks.run(name, event, bound)
    if (name !== 'afterToolCall') return
    const after = event as HookEvent<'afterToolCall'>
    // A copy, as in the history: the hook may hold on to what it gave.
    this.outcome = ownOutcome(after.result)
  }
}
