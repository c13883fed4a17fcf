/** One span of a run. Times are milliseconds since the epoch. */
export type TraceNode = {
  readonly kind: 'invocation' | 'turn' | 'model' | 'tool'
  readonly name: string
  readonly startedAt: number
  readonly durationMs: number
  /** What went wrong, as a code; absent when nothing did. */
  readonly error?: string | undefined
  readonly children?: readonly TraceNode[] | undefined
}

const kinds = ['invocation', 'turn', 'model', 'tool'] as const satisfies readonly TraceNode['kind'][]

/** Numbers of a span in each column: when it began and how long it took; the span it belongs to, its kind, its name. */
const times = 2
const links = 3

/**
 * The spans of a run while it goes on. They are kept as numbers, 28 bytes each, and become a tree when somebody looks: a run of
 * thousands of turns has many, and most are never looked at.
 */
export class Trace {
  #times = new Float64Array(8 * times)
  #links = new Int32Array(8 * links)
  #count = 0
  /** Few, as names of models and tools repeat. */
  readonly #names: string[] = []
  readonly #errors = new Map<number, string>()
  #isOver = false
  #whole: TraceNode | undefined

  /**
   * @param parent the span that it belongs to; -1 for the first, which holds all others.
   * @param name a number names a turn.
   * @returns the number of the new one.
   */
  begin(parent: number, kind: TraceNode['kind'], name: string | number, startedAt: number): number {
    const span = this.#count++
    if (span * times === this.#times.length) this.#grow()
    this.#times[span * times] = startedAt
    this.#links[span * links] = parent
    this.#links[span * links + 1] = kinds.indexOf(kind)
    this.#links[span * links + 2] = typeof name === 'number' ? -name : this.#indexOf(name)
    return span
  }

  end(span: number, now: number, error?: string): void {
    this.#times[span * times + 1] = now - this.#times[span * times]!
    if (error !== undefined) this.#errors.set(span, error)
    if (span === 0) this.#isOver = true
  }

  /** The tree as it is now. One that has not ended has no duration yet. */
  tree(): TraceNode {
    if (!this.#isOver) return this.#tree()
    return (this.#whole ??= this.#tree())
  }

  #grow(): void {
    const spans = Math.ceil((this.#count - 1) * 1.4)
    const grownTimes = new Float64Array(spans * times)
    const grownLinks = new Int32Array(spans * links)
    grownTimes.set(this.#times)
    grownLinks.set(this.#links)
    this.#times = grownTimes
    this.#links = grownLinks
  }

  #indexOf(name: string): number {
    const known = this.#names.lastIndexOf(name)
    return known === -1 ? this.#names.push(name) - 1 : known
  }

  #tree(): TraceNode {
    const nodes: (TraceNode & { children?: TraceNode[] })[] = []
    for (let span = 0; span < this.#count; span++) {
      const [parent, kind, name] = this.#links.subarray(span * links)
      const [startedAt, durationMs] = this.#times.subarray(span * times)
      const error = this.#errors.get(span)
      nodes[span] = {
        kind: kinds[kind!]!,
        name: name! < 0 ? `turn ${-name!}` : this.#names[name!]!,
        startedAt: startedAt!,
        durationMs: durationMs!,
        ...(error !== undefined && { error }),
      }
      if (parent! >= 0) (nodes[parent!]!.children ??= []).push(nodes[span]!)
    }
    return nodes[0]!
  }
}

/** One span that is still being made. */
export class Span {
  readonly #trace: Trace
  readonly #span: number

  constructor(trace: Trace, span: number) {
    this.#trace = trace
    this.#span = span
  }

  /** @param name a number names a turn. */
  child(kind: TraceNode['kind'], name: string | number, startedAt: number): Span {
    return new Span(this.#trace, this.#trace.begin(this.#span, kind, name, startedAt))
  }

  end(now: number, error?: string): void {
    this.#trace.end(this.#span, now, error)
  }
}
