import type { FileSystem } from '../../host/file-system.ts'
import { oneAtATime } from '../process/one-at-a-time.ts'
import type { OneAtATime } from '../process/one-at-a-time.ts'

type Queues = Map<string, { readonly inTurn: OneAtATime; waiting: number }>

/** A path is one of its file system. */
const queuesOf = new WeakMap<FileSystem, Queues>()

/**
 * Runs what changes a file when whatever else in this process changes it has ended. The schedule of an agent does that for its own
 * calls; several agents, and calls without one, would find the same old text and lose each other's changes.
 *
 * @param path with its links resolved.
 */
export async function onePerFile<T>(files: FileSystem, path: string, run: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const queues: Queues = queuesOf.get(files) ?? new Map()
  queuesOf.set(files, queues)
  const queue = queues.get(path) ?? { inTurn: oneAtATime(), waiting: 0 }
  queues.set(path, queue)
  queue.waiting++
  try {
    return await queue.inTurn(run, signal)
  } finally {
    if (--queue.waiting === 0) queues.delete(path)
  }
}
