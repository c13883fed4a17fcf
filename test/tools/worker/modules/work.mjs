// What a test has a thread do. JavaScript: a thread that must first load a compiler takes ten times as long to start.
import { createHash } from 'node:crypto'
import { threadId } from 'node:worker_threads'

class CityError extends Error {
  name = 'CityError'
  code = 'no_city'
}

/** @type {Record<string, (input: Record<string, unknown>, context: import('lena-agent').WorkerContext) => unknown>} */
const jobs = {
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
    const kept = []
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

export default (input, context) => jobs[input.do](input, context)
