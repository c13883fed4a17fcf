import type { Cut } from '../../src/util/abort.ts'
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { cancelledOutcome, execute, thrown } from '../../src/tools/execute.ts'
import type { Tool, ToolContext, ToolOutcome } from '../../src/tools/tool.ts'
import { testClock } from '../support/clock.ts'
import { deferred, isSettled } from '../support/promises.ts'

const text = (value: string) => [{ type: 'text', text: value }]
const success = (value: unknown, said: string) => ({ status: 'success', content: text(said), value })
const failure = (error: unknown, said: string) => ({ status: 'error', content: text(said), error })
const never = new Promise<never>(() => {})

/** One call of a function, with everything of it in the hands of the test. */
function start(
  run: (input: unknown, context: ToolContext) => unknown,
  { timeoutMs, settleMs = 0 }: { timeoutMs?: number; settleMs?: number } = {},
) {
  const clock = testClock()
  const controller = new AbortController()
  const progress: unknown[] = []
  const late: ToolOutcome[] = []
  let signal: AbortSignal | undefined
  const tool: Tool = { name: 'work', description: 'd', inputSchema: {}, run, ...(timeoutMs !== undefined && { timeoutMs }) }
  const makeContext = (own: Cut): ToolContext => {
    signal = own.signal
    return { signal: own.signal, progress: async (value: unknown) => void progress.push(value) } as unknown as ToolContext
  }
  const outcome = execute(tool, { x: 1 }, makeContext, {
    signal: controller.signal,
    clock,
    settleMs,
    onLate: (what) => void late.push(what),
  })
  return {
    outcome,
    clock,
    controller,
    progress,
    late,
    signal: () => signal!,
    listeners: () => getEventListeners(controller.signal, 'abort').length,
  }
}

describe('a call ends with', () => {
  it.each<[string, (input: unknown) => unknown, object]>([
    ['what a function returns', (input) => input, success({ x: 1 }, '{"x":1}')],
    ['what a promise gives', async () => 'later', success('later', 'later')],
    ['what a thenable gives', () => ({ then: (yes: (value: string) => void) => yes('at last') }), success('at last', 'at last')],
    ['nothing', () => {}, success(undefined, '(no output)')],
  ])('%s', async (_what, run, expected) => {
    const { outcome, listeners, clock } = start(run)
    expect(await outcome).toEqual(expected)
    expect([listeners(), clock.sleeping()]).toEqual([0, 0])
  })

  it('an outcome of its own making', async () => {
    const own = { status: 'error', code: 'denied', content: 'no' } as const
    expect(await start(() => own).outcome).toEqual({ status: 'error', code: 'denied', content: text('no'), value: own })
  })

  it.each<[string, unknown, string]>([
    ['an error', new Error('no such city'), 'Error: no such city'],
    ['an error of a kind', new TypeError('no'), 'TypeError: no'],
    ['an error by another name', Object.assign(new Error('no'), { name: 'CityError' }), 'CityError: no'],
    ['an error without a name', Object.assign(new Error('no'), { name: '' }), 'Error: no'],
    ['an error with a cause, which it keeps to itself', new Error('outer', { cause: new Error('inner') }), 'Error: outer'],
    ['a string', 'just text', 'Error: just text'],
    ['a number', 404, 'Error: 404'],
    ['nothing', undefined, 'Error: undefined'],
    ['null', null, 'Error: null'],
    ['a symbol', Symbol('s'), 'Error: Symbol(s)'],
    ['an object', { code: 5, why: 'full' }, 'Error: {"code":5,"why":"full"}'],
    ['an object without a prototype', Object.assign(Object.create(null), { code: 5 }), 'Error: {"code":5}'],
    ['what cannot be shown', { promise: Promise.resolve() }, 'Error: what was thrown cannot be shown'],
  ])('%s that was thrown, at once or later', async (_what, error, said) => {
    const atOnce = start(() => {
      throw error
    })
    expect(await atOnce.outcome).toEqual(failure(error, said))
    const later = start(async () => {
      throw error
    })
    expect(await later.outcome).toEqual(failure(error, said))
    expect(thrown(error)).toEqual(failure(error, said))
    expect([atOnce.listeners(), later.listeners()]).toEqual([0, 0])
  })
})

describe('a generator', () => {
  it('tells how it goes with each yield, and ends with what it returns', async () => {
    const run = start(async function* () {
      yield 1
      yield { half: true }
      return 'done'
    })
    expect(await run.outcome).toEqual(success('done', 'done'))
    expect(run.progress).toEqual([1, { half: true }])
  })

  it('that returns nothing ends with its last yield; one that yields nothing, with nothing', async () => {
    expect(
      await start(async function* () {
        yield 'a'
        yield 'b'
      }).outcome,
    ).toEqual(success('b', 'b'))
    expect(await start(async function* () {}).outcome).toEqual(success(undefined, '(no output)'))
  })

  it('that throws ends with its error, and its clean-up is done', async () => {
    let cleaned = false
    const error = new RangeError('half way')
    const run = start(async function* () {
      try {
        yield 1
        throw error
      } finally {
        cleaned = true
      }
    })
    expect(await run.outcome).toEqual(failure(error, 'RangeError: half way'))
    expect(cleaned).toBe(true)
  })

  it('waits at each yield until the progress was taken', async () => {
    const taken = deferred()
    const reached: string[] = []
    const controller = new AbortController()
    const tool: Tool = {
      name: 'work',
      description: 'd',
      inputSchema: {},
      run: async function* () {
        reached.push('first')
        yield 1
        reached.push('second')
      },
    }
    const outcome = execute(tool, {}, ({ signal }) => ({ signal, progress: () => taken.promise }) as unknown as ToolContext, {
      signal: controller.signal,
      clock: testClock(),
      settleMs: 0,
      onLate: () => {},
    })
    expect(await isSettled(outcome)).toBe(false)
    expect(reached).toEqual(['first'])
    taken.resolve()
    await outcome
    expect(reached).toEqual(['first', 'second'])
  })

  it('that looks at no signal is ended between two yields, clean-up and all', async () => {
    let cleaned = false
    let steps = 0
    const run = start(async function* () {
      try {
        for (;;) {
          yield ++steps
          if (steps === 3) run.controller.abort(new Error('enough'))
        }
      } finally {
        cleaned = true
      }
    })
    expect(await run.outcome).toMatchObject({ status: 'error', code: 'cancelled' })
    await new Promise((resolve) => setImmediate(resolve))
    expect([steps, cleaned, run.progress]).toEqual([4, true, [1, 2, 3, 4]])
  })

  it('may be any async iterator, one without `return` too', async () => {
    const values = ['a', 'b']
    const iterator = {
      next: async () => (values.length > 0 ? { done: false, value: values.shift() } : { done: true, value: 'end' }),
      [Symbol.asyncIterator]: () => iterator,
    }
    const run = start(() => iterator)
    expect(await run.outcome).toEqual(success('end', 'end'))
    expect(run.progress).toEqual(['a', 'b'])
  })
})

describe('a call that is cancelled', () => {
  const cancelled = 'The call was cancelled while it ran. It may or may not have done its work.'

  it('is told, and when it throws then, its result says so', async () => {
    const run = start(
      (_input, { signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    )
    const reason = new Error('stop')
    run.controller.abort(reason)
    expect(await run.outcome).toEqual({ status: 'error', code: 'cancelled', content: text(cancelled), error: reason })
    expect([run.signal().reason, run.late, run.listeners()]).toEqual([reason, [], 0])
  })

  it('keeps its result when it still ends well: work that was done is not thrown away', async () => {
    const run = start(
      (_input, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('done all the same'))),
    )
    run.controller.abort()
    expect(await run.outcome).toEqual(success('done all the same', 'done all the same'))
  })

  it('has its time to end', async () => {
    const work = deferred<string>()
    const run = start(() => work.promise, { settleMs: 2000 })
    run.controller.abort()
    await run.clock.advance(1999)
    expect(await isSettled(run.outcome)).toBe(false)
    work.resolve('just in time')
    expect(await run.outcome).toEqual(success('just in time', 'just in time'))
    expect(run.clock.sleeping()).toBe(0)
  })

  it('is left behind after that, and its late outcome is told', async () => {
    const work = deferred<string>()
    const run = start(() => work.promise, { settleMs: 2000 })
    run.controller.abort()
    await run.clock.advance(2000)
    expect(await run.outcome).toEqual({ status: 'error', code: 'cancelled', content: text(cancelled) })
    expect([run.late, run.listeners()]).toEqual([[], 0])
    work.resolve('too late')
    await isSettled(work.promise)
    expect(run.late).toEqual([success('too late', 'too late')])
  })

  it('that fails late is told too', async () => {
    const work = deferred<string>()
    const run = start(() => work.promise)
    run.controller.abort()
    expect(await run.outcome).toMatchObject({ code: 'cancelled' })
    const error = new Error('too late')
    work.reject(error)
    await isSettled(work.promise)
    expect(run.late).toEqual([failure(error, 'Error: too late')])
  })

  it('has one turn of the event loop when it has no time', async () => {
    const run = start(() => never)
    run.controller.abort()
    expect(await run.outcome).toMatchObject({ code: 'cancelled' })
    const quick = start(
      (_input, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => queueMicrotask(() => resolve('quick')))),
    )
    quick.controller.abort()
    expect(await quick.outcome).toEqual(success('quick', 'quick'))
  })

  it('says whether it had begun', () => {
    expect([cancelledOutcome(true), cancelledOutcome(false)]).toEqual([
      { status: 'error', code: 'cancelled', content: text(cancelled) },
      { status: 'error', code: 'cancelled', content: text('The call was cancelled.') },
    ])
  })
})

describe('a call whose time is up', () => {
  const took = 'The call of work took longer than 50 ms and was ended.'

  it('is told, and its result says so', async () => {
    const run = start(
      (_input, { signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
      { timeoutMs: 50 },
    )
    await run.clock.advance(49)
    expect([await isSettled(run.outcome), run.signal().aborted]).toEqual([false, false])
    await run.clock.advance(1)
    expect(await run.outcome).toEqual({
      status: 'error',
      code: 'timeout',
      content: text(took),
      error: new Error('The call took longer than 50 ms.'),
    })
    expect([run.controller.signal.aborted, run.listeners(), run.clock.sleeping()]).toEqual([false, 0, 0])
  })

  it('is left behind when it does not listen, and its late outcome is told', async () => {
    const work = deferred<string>()
    const run = start(() => work.promise, { timeoutMs: 50, settleMs: 20 })
    await run.clock.advance(70)
    expect(await run.outcome).toEqual({
      status: 'error',
      code: 'timeout',
      content: text(`${took} It did not stop when it was told to, and may still do its work.`),
    })
    work.resolve('late')
    await isSettled(work.promise)
    expect(run.late).toEqual([success('late', 'late')])
  })

  it('ends a generator that waits for ever, and one that never stops yielding', async () => {
    const waiting = start(
      async function* () {
        yield 1
        await never
      },
      { timeoutMs: 50 },
    )
    await waiting.clock.advance(50)
    expect(await waiting.outcome).toMatchObject({ code: 'timeout' })
    const step = deferred()
    const endless = start(
      async function* () {
        await step.promise
        for (;;) yield 'on'
      },
      { timeoutMs: 50 },
    )
    await endless.clock.advance(50)
    step.resolve()
    expect(await endless.outcome).toMatchObject({ code: 'timeout' })
    await new Promise((resolve) => setImmediate(resolve))
    expect(endless.progress).toEqual(['on'])
  })

  it('is not blamed for what ends a call before: its own error, a cancel', async () => {
    const error = new Error('no')
    const failing = start(
      async () => {
        throw error
      },
      { timeoutMs: 50 },
    )
    expect(await failing.outcome).toEqual(failure(error, 'Error: no'))
    const cancelled = start(() => never, { timeoutMs: 50 })
    cancelled.controller.abort()
    expect(await cancelled.outcome).toMatchObject({ status: 'error', code: 'cancelled' })
  })

  it('is never up when there is none, and stops counting when the call ends first', async () => {
    const run = start(() => never, { timeoutMs: Infinity })
    await run.clock.advance(1e12)
    expect(await isSettled(run.outcome)).toBe(false)
    const quick = start(() => 'x', { timeoutMs: 50 })
    await quick.outcome
    expect(quick.clock.sleeping()).toBe(0)
    await quick.clock.advance(100)
    expect(quick.signal().aborted).toBe(false)
  })
})
