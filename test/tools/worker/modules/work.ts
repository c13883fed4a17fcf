import { createHash } from 'node:crypto'
import { threadId } from 'node:worker_threads'
import type { WorkerContext } from '../../../../src/tools/worker-tool.ts'

type Input = { readonly do: string; readonly [key: string]: unknown }

class CityError extends Error {
  override readonly name = 'CityError'
  readonly code = 'no_city'
}

/** What a test has a thread do. */
const jobs: Record<string, (input: Input, context: WorkerContext) => unknown> = {
  hash: ({ text }) => createHash('sha256').update(String(text)).digest('hex'),
  thread: () => threadId,
  context: (_input, { toolUse, idempotencyKey }) => ({ toolUse, idempotencyKey }),
  spin: () => {
    for (;;);
  },
  spinOnceStarted: async (_input, { progress }) => {
    await progress('started')
    for (;;);
  },
  throw: () => {
    throw new CityError('no such city', { cause: new RangeError('inner') })
  },
  throwText: () => {
    // oxlint-disable-next-line no-throw-literal -- anything can be thrown
    throw 'just text'
  },
  throwFunction: () => {
    // oxlint-disable-next-line no-throw-literal -- anything can be thrown
    throw () => 1
  },
  late: async () => {
    setTimeout(() => {
      throw new Error('out of nowhere')
    })
    await new Promise(() => {})
  },
  exit: () => process.exit(7),
  fill: () => {
    const kept: unknown[] = []
    for (;;) kept.push(Array.from({ length: 1000 }, (_, i) => ({ i })))
  },
  function: () => () => 1,
  map: () => new Map([['a', 1n]]),
  nothing: () => undefined,
  steps: async function* () {
    yield 1
    yield { half: true }
    return 'whole'
  },
  lastStep: async function* () {
    yield 'a'
    yield 'b'
  },
  oddStep: async function* () {
    yield () => 1
  },
}

export default (input: Input, context: WorkerContext): unknown => jobs[input.do]!(input, context)
