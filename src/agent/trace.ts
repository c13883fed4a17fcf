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

/**
 * The spans of a run while it goes on. They are kept as columns, some 40 bytes each, and become a tree when somebody looks: a
 * run of thousands of turns has many, and most are never looked at.
 */
export class Trace {
  readonly #kinds: TraceNode['kind'][] = []
  readonly #names: string[] = []
  readonly #parents: number[] = []
  readonly #starts: number[] = []
  readonly #durations: number[] = []
  readonly #errors = new Map<number, string>()
  #isOver = false
  #whole: TraceNode | undefined

  /** @param parent the span that it belongs to; -1 for the first, which holds all others. Gives the number of the new one. */
  begin(parent: number, kind: TraceNode['kind'], name: string, startedAt: number): number {
    this.#parents.push(parent)
    this.#kinds.push(kind)
    this.#names.push(name)
    this.#starts.push(startedAt)
    return this.#durations.push(0) - 1
  }

  end(span: number, now: number, error?: string): void {
    this.#durations[span] = now - this.#starts[span]!
    if (error !== undefined) this.#errors.set(span, error)
    if (span === 0) this.#isOver = true
  }

  /** The tree as it is now. One that has not ended has no duration yet. */
  tree(): TraceNode {
    if (!this.#isOver) return this.#tree()
    return (this.#whole ??= this.#tree())
  }

  #tree(): TraceNode {
    const nodes: (TraceNode & { children?: TraceNode[] })[] = []
    for (const [span, parent] of this.#parents.entries()) {
      const error = this.#errors.get(span)
      nodes[span] = {
        kind: this.#kinds[span]!,
        name: this.#names[span]!,
        startedAt: this.#starts[span]!,
        durationMs: this.#durations[span]!,
        ...(error !== undefined && { error }),
      }
      if (parent >= 0) (nodes[parent]!.children ??= []).push(nodes[span])
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

  child(kind: TraceNode['kind'], name: string, startedAt: number): Span {
    return new Span(this.#trace, this.#trace.begin(this.#span, kind, name, startedAt))
  }

  end(now: number, error?: string): void {
    this.#trace.end(this.#span, now, error)
  }
}
