export type ToolMetrics = { readonly calls: number; readonly errors: number; readonly ms: number }

export type RunMetrics = {
  readonly turns: number
  readonly modelCalls: number
  readonly retries: number
  readonly durationMs: number
  /** Time in model calls, in milliseconds. */
  readonly modelMs: number
  /** Of the first model call that gave a token. */
  readonly timeToFirstTokenMs: number | undefined
  /** In US dollars, of the model calls whose price is known; left out when none is. */
  readonly cost: number | undefined
  readonly tools: { readonly [name: string]: ToolMetrics }
}

/** Counts what a run does. */
export class MetricsRecorder {
  turns = 0
  modelCalls = 0
  retries = 0
  modelMs = 0
  timeToFirstTokenMs: number | undefined
  cost: number | undefined
  readonly #tools = new Map<string, { calls: number; errors: number; ms: number }>()

  tool(name: string, failed: boolean, ms: number): void {
    let entry = this.#tools.get(name)
    if (!entry) this.#tools.set(name, (entry = { calls: 0, errors: 0, ms: 0 }))
    entry.calls++
    entry.ms += ms
    if (failed) entry.errors++
  }

  snapshot(durationMs: number): RunMetrics {
    const { turns, modelCalls, retries, modelMs, timeToFirstTokenMs, cost } = this
    return { turns, modelCalls, retries, durationMs, modelMs, timeToFirstTokenMs, cost, tools: Object.fromEntries(this.#tools) }
  }
}
