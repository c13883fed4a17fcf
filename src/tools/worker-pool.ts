import type * as tinypool from 'tinypool'
import { WorkerError } from '../errors.ts'
import { bootstrapUrl } from './worker-bootstrap.ts'
import type { ThreadLimits } from './thread-limits.ts'

export type PoolOptions = {
  readonly maxThreads: number | undefined
  readonly idleMs: number
  readonly resourceLimits: ThreadLimits | undefined
}

/** What a task fails with when its thread was lost before it got to it: nothing was done, so it can be asked for again. */
export const neverStarted = Symbol('neverStarted')

export interface PoolTask {
  /** The thread has begun. */
  readonly started: (threadId: number) => void
  /** The thread is free again, or gone. */
  readonly ended: Promise<void>
}

/** Threads of one kind. The pool library runs them; here stands what it leaves open. */
export interface WorkerPool {
  /** `port` belongs to the thread from now on. The task ends when its function there has ended, or is ended by the signal. */
  run(port: unknown, signal: AbortSignal, failed: (error: unknown) => void): PoolTask
}

/** @throws {WorkerError} that says what to install. */
export async function openPool(options: PoolOptions, load: () => Promise<typeof tinypool>): Promise<WorkerPool> {
  const library = await load().catch((cause: unknown) => {
    throw new WorkerError('Tools with `worker` need Node and the package tinypool. Install it: npm install tinypool', {
      code: 'package_missing',
      cause,
    })
  })
  const { idleMs, maxThreads, resourceLimits } = options
  const pool = new library.Tinypool({
    filename: bootstrapUrl(),
    minThreads: 0,
    idleTimeout: idleMs,
    // A thread takes over the arguments of its process, and refuses this one.
    execArgv: process.execArgv.filter((argument) => !argument.startsWith('--input-type')),
    ...(maxThreads !== undefined && { maxThreads }),
    ...(resourceLimits && { resourceLimits }),
  })
  return watched(pool)
}

/** Of so many threads that are gone it is known how they ended. */
const maxRemembered = 100

function watched(pool: tinypool.Tinypool): WorkerPool {
  const exits = new Map<number, Promise<number>>()
  /** Threads that are gone, the oldest first. A task may hear of its thread's exit before it hears that the thread has begun. */
  const gone: number[] = []
  /** Who has not got a thread yet. */
  const waiting = new Set<(error: unknown) => void>()
  // A thread that ends before it had a task: the next one would too.
  pool.on('error', (error: unknown) => {
    const said = error instanceof Error ? error.message : String(error)
    // Nor does this keep one from starting: a module wrote to the port of the thread that is not its own, and that thread is gone.
    if (said.startsWith('Unexpected message ')) return
    for (const failed of waiting) failed(new WorkerError(`The worker thread could not be started: ${said}`, { cause: error }))
  })
  const watch = (): void => {
    for (const thread of pool.threads) {
      const { threadId } = thread
      if (exits.has(threadId)) continue
      const exit = new Promise<number>((resolve) => thread.once('exit', resolve))
      exits.set(threadId, exit)
      void exit.then(() => {
        gone.push(threadId)
        if (gone.length > maxRemembered) exits.delete(gone.shift()!)
      })
    }
  }
  /** A thread that was lost is replaced only when somebody asks for one: those in the queue have asked already. */
  const replace = (): void => {
    if (pool.queueSize === 0) return
    void pool.run({}).catch(() => {})
    watch()
  }
  return {
    run(port, signal, failed) {
      waiting.add(failed)
      const running: Promise<unknown> = pool.run({ port }, { signal, transferList: [port as never] })
      watch()
      const ended = running
        .then(
          () => {},
          (error: unknown) => {
            failed(waiting.has(failed) && isTermination(error) ? neverStarted : lost(error))
            replace()
          },
        )
        .finally(() => waiting.delete(failed))
      const started = (threadId: number): void => {
        waiting.delete(failed)
        // A thread that exits of its own accord tells nobody but us. One that fails has told the task before.
        void (exits.get(threadId) ?? Promise.resolve(undefined)).then((code) => failed(exited(code)))
      }
      return { started, ended }
    },
  }
}

const exited = (code: number | undefined): WorkerError =>
  new WorkerError(`The worker thread ended${code === undefined ? '' : ` with code ${code}`} before there was a result (process.exit?).`, {
    code: 'worker_exited',
  })

/**
 * A task that ends just when it is cancelled leaves a thread that is told to end and yet counts as free: the pool may give it the
 * next one in the queue.
 */
const isTermination = (error: unknown): boolean => error instanceof Error && error.message === 'Terminating worker thread'

/** What ended the thread, in words. */
function lost(error: unknown): unknown {
  if ((error as { code?: unknown } | null)?.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error
  return new WorkerError('The worker thread ran out of memory and was ended.', { code: 'worker_out_of_memory', cause: error })
}
