import { ToolDefinitionError } from '../errors.ts'
import { childController, notNeeded, onAbort, reasonOf } from '../util/abort.ts'
import { isObject } from '../util/json.ts'
import type { JsonValue } from '../util/json.ts'
import type { Tool, ToolContext } from './tool.ts'
import type { ThreadLimits } from './thread-limits.ts'
import type { WorkerPool } from './worker-pool.ts'
import { neverStarted, openPool } from './worker-pool.ts'

/** Where and how a tool's work is done in threads. Tools with the same module and the same options share their threads. */
export type WorkerOptions = {
  /** The module: `new URL('./hash.ts', import.meta.url)`. */
  readonly url: URL
  /** Threads at once; calls beyond it wait. As many as the machine runs at once unless given. */
  readonly maxThreads?: number | undefined
  /** Milliseconds after which a thread without work ends: 5,000 unless given. It never keeps the process alive. */
  readonly idleMs?: number | undefined
  /** Memory of one thread. One that needs more is ended, and its call is an error result. */
  readonly resourceLimits?: ThreadLimits | undefined
}

/** What the function in the worker gets beside its input: as much of a tool's context as can be sent to a thread. */
export interface WorkerContext extends Pick<ToolContext, 'toolUse' | 'idempotencyKey'> {
  /** Tells the consumer how it goes. Resolves when the consumer is ready for more. */
  progress(value: JsonValue): Promise<void>
}

/** The type of a worker module's default export: `const run: WorkerRun<typeof hash> = (input, context) => …`. */
export type WorkerRun<T extends Tool, Out = unknown> = (input: T extends Tool<infer In> ? In : never, context: WorkerContext) => Out

/** A thread sends this. */
type FromWorker =
  | { readonly type: 'started'; readonly threadId: number }
  | { readonly type: 'progress'; readonly value: JsonValue }
  | { readonly type: 'done'; readonly value: unknown }
  | { readonly type: 'failed'; readonly error: PlainError | { readonly thrown: unknown } }

type PlainError = {
  readonly name: string
  readonly message: string
  readonly stack: string
  readonly code?: string | number
  readonly cause?: PlainError
}

/** @throws {ToolDefinitionError} */
export function workerRun(name: string, worker: unknown): (input: unknown, context: ToolContext) => Promise<unknown> {
  const options = checked(`The tool "${name}"`, worker)
  return async (input, context) => {
    for (;;) {
      try {
        return await attempt(options, input, context)
      } catch (error) {
        if (error !== neverStarted) throw error
      }
    }
  }
}

async function attempt(options: Checked, input: unknown, context: ToolContext): Promise<unknown> {
  const { signal, toolUse, idempotencyKey } = context
  if (signal.aborted) throw reasonOf(signal)
  const [pool, { MessageChannel }] = await Promise.all([poolOf(options), import('node:worker_threads')])
  const { port1, port2 } = new MessageChannel()
  const { controller, release } = childController(signal)
  try {
    return await new Promise((resolve, reject) => {
      onAbort(controller.signal, () => reject(reasonOf(signal)))
      if (controller.signal.aborted) return
      // Over our own port: input that cannot be cloned throws here, before there is a task.
      port1.postMessage({ url: options.url.href, bases: [import.meta.url, options.url.href], input, toolUse, idempotencyKey })
      const task = pool.run(port2, controller.signal, reject)
      port1.on('message', (message: FromWorker) => {
        if (message.type === 'started') task.started(message.threadId)
        else if (message.type === 'failed') void task.ended.then(() => reject(errorOf(message.error)))
        else if (message.type === 'done') void task.ended.then(() => resolve(message.value))
        else void progressed(context, message.value).then(() => port1.postMessage('taken'), reject)
      })
    })
  } finally {
    release()
    port1.close()
    // Nothing when the task has ended; else its thread goes.
    controller.abort(notNeeded)
  }
}

/** Of a direct call it is the caller's: it may throw, and need not give a promise. */
const progressed = async (context: ToolContext, value: JsonValue): Promise<void> => await context.progress(value)

const pools = new Map<string, Promise<WorkerPool>>()

function poolOf({ url, ...options }: Checked): Promise<WorkerPool> {
  const key = JSON.stringify([url.href, options])
  let pool = pools.get(key)
  if (!pool) {
    pool = openPool(options, () => import('tinypool'))
    pools.set(key, pool)
    // What was not installed may be there the next time.
    pool.catch(() => pools.delete(key))
  }
  return pool
}

/** Anything can be thrown, and stays what it was. */
function errorOf(error: PlainError | { readonly thrown: unknown }): Error {
  if ('thrown' in error) return error.thrown as Error
  const { name, message, stack, code, cause } = error
  const made = new Error(message, cause && { cause: errorOf(cause) })
  Object.defineProperties(made, { name: { value: name, configurable: true }, stack: { value: stack, configurable: true, writable: true } })
  return code === undefined ? made : Object.assign(made, { code })
}

type Checked = {
  readonly url: URL
  readonly maxThreads: number | undefined
  readonly idleMs: number
  readonly resourceLimits: ThreadLimits | undefined
}

function checked(named: string, worker: unknown): Checked {
  const options = isUrl(worker) ? { url: worker } : worker
  if (!isObject(options) || !isUrl(options['url']))
    throw new ToolDefinitionError(
      `${named}: worker must be new URL('./module.ts', import.meta.url), or { url, maxThreads, idleMs, resourceLimits }; got ${typeof worker}.`,
    )
  const { url, maxThreads, idleMs = 5000, resourceLimits } = options as WorkerOptions
  if (maxThreads !== undefined && !(Number.isInteger(maxThreads) && maxThreads >= 1))
    throw new ToolDefinitionError(`${named}: worker.maxThreads must be a whole number from 1, got ${String(maxThreads)}.`)
  if (typeof idleMs !== 'number' || !(idleMs >= 0))
    throw new ToolDefinitionError(`${named}: worker.idleMs must be a number of milliseconds, got ${String(idleMs)}.`)
  if (resourceLimits !== undefined && !isObject(resourceLimits))
    throw new ToolDefinitionError(
      `${named}: worker.resourceLimits must be an object such as { maxOldGenerationSizeMb: 256 }, got ${typeof resourceLimits}.`,
    )
  return { url, maxThreads, idleMs, resourceLimits }
}

const isUrl = (value: unknown): value is URL => value instanceof URL
