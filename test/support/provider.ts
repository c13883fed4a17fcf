import type { ToolConsumer, ToolProvider } from '../../src/tools/provider.ts'
import type { Tool } from '../../src/tools/tool.ts'

type Loading = { readonly signal: AbortSignal; readonly warn: (code: string, message: string) => void }

export interface TestProvider extends ToolProvider {
  /** What comes to it, in order: `add agent`, `load`, `remove agent`. */
  readonly log: string[]
  /** Who uses it now. */
  readonly consumers: ReadonlySet<ToolConsumer>
  /** The signals of its loads. */
  readonly signals: readonly AbortSignal[]
  /** Tells its consumers that its tools are others. */
  change(): void
}

/** A provider that notes what happens to it, and gives what the test says: the n-th load, from 1, gets n. */
export function testProvider(
  name: string,
  load: (n: number, loading: Loading) => readonly Tool[] | Promise<readonly Tool[]>,
  overrides: Partial<ToolProvider> = {},
): TestProvider {
  const log: string[] = []
  const consumers = new Set<ToolConsumer>()
  const signals: AbortSignal[] = []
  return {
    name,
    log,
    consumers,
    signals,
    loadTools: async (options) => {
      log.push('load')
      signals.push(options.signal)
      return await load(signals.length, options)
    },
    addConsumer: (consumer) => {
      log.push(`add ${consumer.name}`)
      consumers.add(consumer)
    },
    removeConsumer: (consumer) => {
      log.push(`remove ${consumer.name}`)
      consumers.delete(consumer)
    },
    change: () => {
      for (const consumer of consumers) consumer.toolsChanged()
    },
    ...overrides,
  }
}
