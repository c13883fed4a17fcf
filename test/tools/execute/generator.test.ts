import type { Cut } from '../../../src/util/abort.ts'
import { describe, expect, it } from 'vitest'
import { execute } from '../../../src/tools/execute.ts'
import type { Tool, ToolContext } from '../../../src/tools/tool.ts'
import { testClock } from '../../support/clock.ts'
import { deferred, isSettled } from '../../support/promises.ts'

/** One call whose progress fails once it is cancelled, as in a run. */
function start(run: Tool['run'], { settleMs = 0, taken = Promise.resolve() }: { settleMs?: number; taken?: Promise<void> } = {}) {
  const clock = testClock()
  const controller = new AbortController()
  const progress: unknown[] = []
  const late: unknown[] = []
  const makeContext = ({ signal }: Cut): ToolContext =>
    ({
      signal,
      progress: async (value: unknown) => {
        if (signal.aborted) throw signal.reason
        progress.push(value)
        await taken
      },
    }) as unknown as ToolContext
  const tool: Tool = { name: 'work', description: 'd', inputSchema: {}, run }
  const outcome = execute(tool, {}, makeContext, { signal: controller.signal, clock, settleMs, onLate: (what) => void late.push(what) })
  return { outcome, clock, controller, progress, late }
}

describe('a generator that is cancelled', () => {
  it('has the time of the call for its clean-up', async () => {
    const [atYield, cleaning] = [deferred(), deferred()]
    const seen: string[] = []
    const run = start(
      async function* () {
        try {
          yield 'first'
          await atYield.promise
          yield 'second'
          seen.push('went on')
        } finally {
          seen.push('cleaning')
          await cleaning.promise
          seen.push('clean')
        }
      },
      { settleMs: 1000 },
    )
    await isSettled(run.outcome)
    run.controller.abort(new Error('stop'))
    atYield.resolve()
    expect([await isSettled(run.outcome), seen]).toEqual([false, ['cleaning']])
    cleaning.resolve()
    expect(await run.outcome).toMatchObject({ status: 'error', code: 'cancelled', error: new Error('stop') })
    expect([seen, run.progress, run.late, run.clock.sleeping()]).toEqual([['cleaning', 'clean'], ['first'], [], 0])
  })

  it('is left behind when its clean-up never ends', async () => {
    const run = start(
      async function* () {
        try {
          for (;;) yield 1
        } finally {
          await new Promise(() => {})
        }
      },
      { settleMs: 1000, taken: new Promise((resolve) => setImmediate(resolve)) },
    )
    run.controller.abort()
    await isSettled(run.outcome)
    await run.clock.advance(1000)
    expect(await run.outcome).toMatchObject({ status: 'error', code: 'cancelled' })
  })

  it('is still the cancelled one when its clean-up fails', async () => {
    const step = deferred()
    const run = start(
      async function* () {
        try {
          await step.promise
          yield 1
        } finally {
          // oxlint-disable-next-line no-unsafe-finally -- a tool may
          throw new Error('of the clean-up')
        }
      },
      { settleMs: 1000 },
    )
    run.controller.abort(new Error('stop'))
    step.resolve()
    expect(await run.outcome).toMatchObject({ code: 'cancelled', error: new Error('stop') })
  })
})

describe('a generator', () => {
  it('may wait for a slow consumer, and go on', async () => {
    const taken = deferred()
    const seen: number[] = []
    const run = start(
      async function* () {
        for (const n of [1, 2, 3]) {
          seen.push(n)
          yield n
        }
      },
      { taken: taken.promise },
    )
    expect([await isSettled(run.outcome), seen]).toEqual([false, [1]])
    taken.resolve()
    expect(await run.outcome).toMatchObject({ status: 'success', value: 3 })
  })

  it('is not ended again after it has ended, by itself or by a throw', async () => {
    let ends = 0
    const iterator = (last: () => Promise<IteratorResult<unknown>>) => () => ({
      next: last,
      return: async () => ({ done: true as const, value: ends++ }),
      [Symbol.asyncIterator]() {
        return this
      },
    })
    expect(await start(iterator(async () => ({ done: true, value: 'x' }))).outcome).toMatchObject({ value: 'x' })
    const failing = async (): Promise<never> => {
      throw new RangeError('half way')
    }
    expect(await start(iterator(failing)).outcome).toMatchObject({ status: 'error', error: new RangeError('half way') })
    expect(ends).toBe(0)
  })

  it('may yield anything: the result is its last yield as it was', async () => {
    const last = new Map([['a', 1n]])
    const run = start(async function* () {
      yield 5n
      yield last
    })
    expect(await run.outcome).toEqual({ status: 'success', content: [{ type: 'text', text: '{"a":"1"}' }], value: last })
  })

  it('of the plain kind is none: its result says what to write', async () => {
    const { status, content } = await start(function* () {
      yield 1
    }).outcome
    expect([status, content]).toEqual([
      'error',
      [
        {
          type: 'text',
          text: 'The tool ran, but its result cannot be shown: it is an iterator; collect it in the tool, or write `async *execute` to report progress.',
        },
      ],
    ])
  })
})
