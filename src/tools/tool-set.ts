import type { ToolSpec } from '../models/model.ts'
import type { Tool } from './tool.ts'

/** The tools of an agent at one moment. It never changes: a turn holds on to the set that it began with. */
export class ToolSet {
  readonly names: readonly string[]
  /** What the model is told, sorted by name: an order that never changes keeps the provider's prompt cache. */
  readonly specs: readonly ToolSpec[]
  readonly tools: readonly Tool[]
  readonly #tools: ReadonlyMap<string, Tool>

  /** @param before the set that this one follows: what says the same is kept, so that the request stays the same. */
  constructor(tools: readonly Tool[], before?: ToolSet) {
    this.tools = tools
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]))
    this.names = Object.freeze([...this.#tools.keys()])
    const known = new Map(before?.specs.map((spec) => [spec.name, spec]))
    const specs = tools.map((tool) => specOf(tool, known.get(tool.name))).sort((a, b) => (a.name < b.name ? -1 : 1))
    const isSame = before && specs.length === before.specs.length && specs.every((spec, index) => spec === before.specs[index])
    this.specs = isSame ? before.specs : Object.freeze(specs)
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name)
  }

  /** By its name, or by the name with `_` for `-`: not every name is one that code can write. */
  find(name: string): Tool | undefined {
    return this.get(name) ?? this.get(name.replaceAll('_', '-'))
  }
}

function specOf({ name, description, inputSchema }: Tool, known: ToolSpec | undefined): ToolSpec {
  const isSame = known?.description === description && saysTheSame(known.inputSchema, inputSchema)
  return isSame ? known : Object.freeze({ name, description, inputSchema })
}

function saysTheSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  try {
    return JSON.stringify(one) === JSON.stringify(other)
  } catch {
    // What JSON cannot carry is the same only when it is the same object.
    return false
  }
}
