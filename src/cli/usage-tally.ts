import { costOf, pricesOf } from '../index.ts'
import type { AgentEvent, Usage } from '../index.ts'

export type Spent = { readonly model: string; readonly calls: number; readonly usage: Usage; readonly cost: number | undefined }

/** What the models of a conversation have used: told by the events of its runs. */
export class UsageTally {
  readonly #spent = new Map<string, { calls: number; usage: Usage; cost: number | undefined }>()

  /** @param model what is asked, `provider/model`. */
  take(event: AgentEvent, model: string): void {
    const inner = event.type === 'agent_event' ? event.event : event
    if (inner.type !== 'message_end' || !inner.message.metadata?.usage) return
    const usage = inner.message.metadata.usage
    const said = inner.message.metadata.model
    // A sub-agent may have another model of the same provider.
    const name = event.type === 'agent_event' && said !== undefined ? `${model.split('/')[0]}/${said}` : model
    const prices = pricesOf(name)
    const before = this.#spent.get(name)
    this.#spent.set(name, {
      calls: (before?.calls ?? 0) + 1,
      usage: before ? sum(before.usage, usage) : usage,
      cost: prices ? (before?.cost ?? 0) + costOf(usage, prices) : undefined,
    })
  }

  get spent(): readonly Spent[] {
    return [...this.#spent].map(([model, spent]) => ({ model, ...spent }))
  }
}

function sum(a: Usage, b: Usage): Usage {
  const all: Record<string, number | undefined> = { ...a }
  for (const [key, value] of Object.entries(b)) if (typeof value === 'number') all[key] = (all[key] ?? 0) + value
  return all as Usage
}
