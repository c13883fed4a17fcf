import { reasonOf } from '../util/abort.ts'
import type { ToolConsumer, ToolProvider } from './provider.ts'

/** What makes a provider of a name: a file, a package, `file:export`. Brought in when the tools are first needed. */
type OpenSource = (name: string) => Promise<ToolProvider>

/** A source of tools that is known by its name alone, until its tools are needed. */
export function namedSource(name: string, open: OpenSource): ToolProvider {
  let opening: Promise<ToolProvider> | undefined
  let opened: ToolProvider | undefined
  const waiting = new Set<ToolConsumer>()
  const opener = (): Promise<ToolProvider> =>
    (opening ??= open(name).then(
      (provider) => (opened = provider),
      (error: unknown) => {
        // What could not be opened is tried again.
        opening = undefined
        throw error
      },
    ))
  return {
    name,
    loadTools: async (options) => {
      const provider = await opener()
      // Nobody waits for the tools any more, and the consumer may have left.
      if (options.signal.aborted) throw reasonOf(options.signal)
      for (const consumer of waiting) {
        provider.addConsumer(consumer)
        waiting.delete(consumer)
      }
      return await provider.loadTools(options)
    },
    addConsumer: (consumer) => {
      if (opened) opened.addConsumer(consumer)
      else waiting.add(consumer)
    },
    removeConsumer: (consumer) => {
      if (!waiting.delete(consumer)) return opened?.removeConsumer(consumer)
    },
  }
}
