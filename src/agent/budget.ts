import { InputError } from '../errors.ts'
import { describe } from '../messages/stored.ts'
import type { StopReason } from '../messages/stop-reason.ts'
import type { Usage } from '../messages/usage.ts'
import type { PriceTable } from '../models/catalogue/prices.ts'
import { checkPrices } from '../models/catalogue/check-prices.ts'
import { isOptions } from '../util/check-options.ts'
import { didYouMean } from '../util/text.ts'

/** What may be spent. Soft, as limits are: looked at before each turn. */
export type BudgetLimits = {
  readonly turns?: number | undefined
  readonly totalTokens?: number | undefined
  readonly outputTokens?: number | undefined
  /** US dollars. Models without a known price are not counted, and a warning says so once. */
  readonly cost?: number | undefined
  /** Milliseconds during which a run was under way. */
  readonly timeMs?: number | undefined
  /** Prices that go before those that are built in, by `provider/model`. */
  readonly prices?: PriceTable | undefined
}

export type Spent = {
  readonly turns: number
  readonly totalTokens: number
  readonly outputTokens: number
  readonly cost: number
  readonly timeMs: number
}

const limitKeys = ['turns', 'totalTokens', 'outputTokens', 'cost', 'timeMs'] as const

/**
 * A purse that several runs may share: those of an agent, of its sub-agents, of several agents.
 *
 * @example
 * const budget = new Budget({ cost: 0.5 })
 * await agent.invoke('Go.', { budget })
 * console.log(budget.spent.cost)
 */
export class Budget {
  readonly limits: BudgetLimits
  #turns = 0
  #totalTokens = 0
  #outputTokens = 0
  #cost = 0
  #timeMs = 0
  /** Runs that are under way, and when the first of them began: time that several share counts once. */
  #running = 0
  #since = 0
  #now: () => number = () => 0
  readonly #unpriced = new Set<string>()

  /** @throws {InputError} that names the limit. */
  constructor(limits: BudgetLimits) {
    if (!isOptions(limits)) throw new InputError(`new Budget() needs limits such as { cost: 0.5 }, got ${describe(limits)}.`)
    for (const [key, value] of Object.entries(limits)) {
      if (key === 'prices') {
        if (value !== undefined) checkPrices(value)
        continue
      }
      if (!limitKeys.some((known) => known === key))
        throw new InputError(`There is no limit "${key}" of a budget.${didYouMean(key, limitKeys)} Known: ${limitKeys.join(', ')}, prices.`)
      if (
        value !== undefined &&
        !(typeof value === 'number' && value > 0 && (Number.isInteger(value) || key === 'cost' || key === 'timeMs'))
      )
        throw new InputError(
          `${key} of a budget must be a positive ${key === 'cost' || key === 'timeMs' ? 'number' : 'integer'}, got ${String(value)}.`,
        )
    }
    this.limits = Object.freeze({ ...limits })
  }

  get spent(): Spent {
    const open = this.#running > 0 ? this.#now() - this.#since : 0
    return {
      turns: this.#turns,
      totalTokens: this.#totalTokens,
      outputTokens: this.#outputTokens,
      cost: this.#cost,
      timeMs: this.#timeMs + open,
    }
  }

  /** A run begins to use it. The function that comes back says that it has ended. */
  open(now: () => number): () => void {
    if (this.#running++ === 0) {
      this.#now = now
      this.#since = now()
    }
    let ended = false
    return () => {
      if (ended) return
      ended = true
      if (--this.#running === 0) this.#timeMs += this.#now() - this.#since
    }
  }

  countTurn(): void {
    this.#turns++
  }

  /** Counts one call of a model; `cost` is left out where the price is not known. */
  count(usage: Usage, cost: number | undefined): void {
    this.#totalTokens += usage.totalTokens
    this.#outputTokens += usage.outputTokens
    this.#cost += cost ?? 0
  }

  /** True the first time that it is asked of this model. */
  isNewlyUnpriced(model: string): boolean {
    if (this.limits.cost === undefined || this.#unpriced.has(model)) return false
    this.#unpriced.add(model)
    return true
  }

  /** The limit that is reached, in fixed priority. */
  get reached(): StopReason | undefined {
    const { turns, totalTokens, outputTokens, cost, timeMs } = this.limits
    const spent = this.spent
    if (turns !== undefined && spent.turns >= turns) return 'limit_turns'
    if (totalTokens !== undefined && spent.totalTokens >= totalTokens) return 'limit_total_tokens'
    if (outputTokens !== undefined && spent.outputTokens >= outputTokens) return 'limit_output_tokens'
    if (cost !== undefined && spent.cost >= cost) return 'limit_cost'
    if (timeMs !== undefined && spent.timeMs >= timeMs) return 'limit_time'
    return undefined
  }
}
