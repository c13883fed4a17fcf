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

/** A span that is still being made. */
export class Span {
  readonly #node: { kind: TraceNode['kind']; name: string; startedAt: number; durationMs: number; error?: string; children?: TraceNode[] }

  constructor(kind: TraceNode['kind'], name: string, startedAt: number) {
    this.#node = { kind, name, startedAt, durationMs: 0 }
  }

  /** The node itself: it goes on changing until the span has ended. */
  get node(): TraceNode {
    return this.#node
  }

  child(kind: TraceNode['kind'], name: string, startedAt: number): Span {
    const span = new Span(kind, name, startedAt)
    ;(this.#node.children ??= []).push(span.#node)
    return span
  }

  end(now: number, error?: string): void {
    this.#node.durationMs = now - this.#node.startedAt
    if (error !== undefined) this.#node.error = error
  }
}
