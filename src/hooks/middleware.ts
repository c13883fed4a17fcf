import { InputError } from '../errors.ts'
import type { Stages } from './hooks.ts'

type Lists = { [K in keyof Stages]: readonly Stages[K][] }

/** The middleware of one agent, the first registered outermost. */
export class Middleware {
  #lists: Lists = { model: [], tool: [] }

  /** Adds a middleware. The function that comes back takes it away. */
  use<K extends keyof Stages>(stage: K, middleware: Stages[K]): () => void {
    if (stage !== 'model' && stage !== 'tool') throw new InputError(`There is no stage "${String(stage)}". Stages are: model, tool.`)
    if (typeof middleware !== 'function')
      throw new InputError(`The middleware of the stage "${stage}" must be a function, got ${typeof middleware}.`)
    const others = (): readonly Stages[K][] => this.#lists[stage].filter((other) => other !== middleware) as readonly Stages[K][]
    const keep = (list: readonly Stages[K][]): void => void (this.#lists = { ...this.#lists, [stage]: list })
    keep([...others(), middleware])
    return () => keep(others())
  }

  /** Nothing is wrapped, and nothing paid, where there is no middleware. */
  get model(): readonly Stages['model'][] {
    return this.#lists.model
  }

  get tool(): readonly Stages['tool'][] {
    return this.#lists.tool
  }
}
