import { InputError } from '../errors.ts'
import type { Stages } from './hooks.ts'
import { describe } from '../util/describe.ts'

type Lists = { [K in keyof Stages]: readonly Stages[K][] }
type Entry = { readonly stage: keyof Stages; readonly middleware: Stages[keyof Stages] }

/** The middleware of one agent, the first registered outermost. */
export class Middleware {
  #entries: readonly Entry[] = []
  #lists: Lists = { model: [], tool: [], context_model: [] }

  /** Adds a middleware. The function that comes back takes it away, and no other: the same function may be added twice. */
  use<K extends keyof Stages>(stage: K, middleware: Stages[K]): () => void {
    if (!Object.hasOwn(this.#lists, stage))
      throw new InputError(`There is no stage ${describe(stage)}. Stages are: ${Object.keys(this.#lists).join(', ')}.`)
    if (typeof middleware !== 'function')
      throw new InputError(`The middleware of the stage "${stage}" must be a function, got ${describe(middleware)}.`)
    const entry: Entry = { stage, middleware }
    this.#keep(stage, [...this.#entries, entry])
    return () =>
      this.#keep(
        stage,
        this.#entries.filter((other) => other !== entry),
      )
  }

  /** A new list each time: a call that is under way finishes with those that it began with. */
  #keep<K extends keyof Stages>(stage: K, entries: readonly Entry[]): void {
    this.#entries = entries
    const list = entries.flatMap((entry) => (entry.stage === stage ? [entry.middleware as Stages[K]] : []))
    this.#lists = { ...this.#lists, [stage]: list }
  }

  /** Nothing is wrapped, and nothing paid, where there is no middleware. */
  get model(): readonly Stages['model'][] {
    return this.#lists.model
  }

  get tool(): readonly Stages['tool'][] {
    return this.#lists.tool
  }

  get contextModel(): readonly Stages['context_model'][] {
    return this.#lists.context_model
  }
}
