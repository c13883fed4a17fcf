import { oneAtATime } from '../process/one-at-a-time.ts'
import type { OneAtATime } from '../process/one-at-a-time.ts'

const queues = new Map<string, { readonly inTurn: OneAtATime; waiting: number }>()

/**
 * Runs what changes a file when whatever else in this process changes it has ended. The schedule of an agent does that for its own
 * calls; several agents, and calls without one, would find the same old text and lose each other's changes.
 *
 * @param path with its links resolved.
 */
export async function onePerFile<T>(path: string, run: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const queue = queues.get(path) ?? { inTurn: oneAtATime(), waiting: 0 }
  queues.set(path, queue)
  queue.waiting++
  try {
    return await queue.inTurn(run, signal)
  } finally {
    if (--queue.waiting === 0) queues.delete(path)
  }
}
