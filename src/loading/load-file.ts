import { pathToFileURL } from 'node:url'
import { AgentError } from '../errors.ts'
import { notNeeded, settleOrAbort } from '../util/abort.ts'
import type { LoadOptions } from './options.ts'
import type { ModuleGraph } from './module-graph.ts'
import { isUnlinked } from './native-import.ts'
import { versionOf } from './tool-files.ts'

/** What a file exports, or why it could not be loaded. */
export type FileLoad = {
  /** The files that it is made of, each in the version that was read. */
  readonly seen: ReadonlyMap<string, string | undefined>
  readonly settled: { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown }
  /** The load is in use: what it read need not be read again. */
  readonly keep: () => void
}

export type FileLoader = (file: string) => Promise<FileLoad>

/**
 * How files are loaded. Once: Node imports them, and `graph` what Node cannot, such as TypeScript in Node 20. To be watched:
 * `graph` imports them, or without it Node does, each version under an address of its own.
 */
export function fileLoader(graph: ModuleGraph | undefined, options: LoadOptions): FileLoader {
  let count = 0
  return async (file) => {
    const address = pathToFileURL(file).href
    if (options.watch && graph) return await fromGraph(graph, file, options)
    const seen = new Map([[file, versionOf(file)]])
    const query = options.watch ? `?version=${++count}` : ''
    const settled = await within(import(`${address}${query}`), file, options)
    if (settled.ok || !isUnlinked(settled.error)) return { seen, settled, keep: () => {} }
    if (graph) return await fromGraph(graph, file, options)
    return { seen, settled: { ok: false, error: explain(file, settled.error) }, keep: () => {} }
  }
}

async function fromGraph(graph: ModuleGraph, file: string, options: LoadOptions): Promise<FileLoad> {
  const load = graph.load(file)
  const settled = await within(load.outcome, file, options)
  return { seen: load.seen, settled, keep: () => load.keep() }
}

/** The code of an import that did not end. */
export const tooLong = 'tool_load_timeout'

/** An import may wait for ever, and nothing can end it. */
export async function within(
  promise: Promise<unknown>,
  what: string,
  { clock, timeoutMs }: Pick<LoadOptions, 'clock' | 'timeoutMs'>,
): Promise<FileLoad['settled']> {
  const done = new AbortController()
  const late = new AbortController()
  try {
    void clock.sleep(timeoutMs, done.signal).then(() => late.abort(notNeeded))
    const settled = await settleOrAbort(promise, late.signal)
    const error = new AgentError(`Importing ${what} did not end within ${timeoutMs} ms. Does it wait for something at its top level?`, {
      code: tooLong,
    })
    return settled ?? { ok: false, error }
  } finally {
    done.abort(notNeeded)
  }
}

function explain(file: string, error: unknown): unknown {
  if (!/\.[cm]?ts$/.test(file)) return error
  return new AgentError(`${file} is TypeScript, which Node ${process.versions.node} does not load as it is: npm install jiti`, {
    code: 'missing_package',
    cause: error,
  })
}
