import type { Cut } from '../../../src/util/abort.ts'
import { createHash } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { threadId } from 'node:worker_threads'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { execute } from '../../../src/tools/execute.ts'
import { tool } from '../../../src/tools/tool.ts'
import type { Tool, ToolContext, ToolOutcome, ToolTraits } from '../../../src/tools/tool.ts'
import type { WorkerOptions } from '../../../src/tools/worker-tool.ts'
import { testClock } from '../../support/clock.ts'

// A thread starts up here, and maybe a compiler.
vi.setConfig({ testTimeout: 120_000 })

const module = (name: string): URL => new URL(`./modules/${name}`, import.meta.url)
const inputSchema = z.looseObject({ do: z.string() })
const make = (worker: URL | WorkerOptions, traits: Pick<ToolTraits<unknown>, 'timeoutMs'> = {}) =>
  tool({ name: 'work', description: 'd', inputSchema, worker, ...traits })
const work = make(module('work.mjs'))
const text = (value: string) => [{ type: 'text', text: value }]

/** One call as an agent makes it. */
function start(made: Tool, input: object) {
  const controller = new AbortController()
  const clock = testClock()
  const progress: unknown[] = []
  let told = (): void => {}
  const firstProgress = new Promise<void>((resolve) => (told = resolve))
  const makeContext = ({ signal }: Cut): ToolContext =>
    ({
      signal,
      toolUse: { id: 'call_1', name: 'work', input },
      idempotencyKey: 'conversation:call_1',
      progress: async (value: unknown) => {
        progress.push(value)
        told()
      },
    }) as unknown as ToolContext
  const late: ToolOutcome[] = []
  const outcome = execute(made, input, makeContext, {
    signal: controller.signal,
    clock,
    settleMs: 0,
    onLate: (what) => void late.push(what),
  })
  return { outcome, controller, clock, progress, firstProgress, late }
}
const outcomeOf = (made: Tool, input: object): Promise<ToolOutcome> => start(made, input).outcome
const said = async (made: Tool, input: object): Promise<unknown> => {
  const { status, content } = await outcomeOf(made, input)
  return [status, content.map((block) => (block.type === 'text' ? block.text : block))]
}

describe('a tool with a worker', () => {
  it('does its work in another thread, and is a function too', async () => {
    expect(await work({ do: 'thread' })).not.toBe(threadId)
    expect(await work({ do: 'hash', text: 'a' })).toBe(createHash('sha256').update('a').digest('hex'))
  })

  it('gives the function as much of the context as can be sent', async () => {
    const input = { do: 'context' }
    expect(await outcomeOf(work, input)).toMatchObject({
      status: 'success',
      value: { toolUse: { id: 'call_1', name: 'work', input }, idempotencyKey: 'conversation:call_1' },
    })
  })

  it('gives back what the function returns, as the developer made it', async () => {
    expect(await work({ do: 'map' })).toEqual(new Map([['a', 1n]]))
    expect(await said(work, { do: 'nothing' })).toEqual(['success', ['(no output)']])
  })

  it('tells how it goes with each yield', async () => {
    const steps = start(work, { do: 'steps' })
    expect([(await steps.outcome).value, steps.progress]).toEqual(['whole', [1, { half: true }]])
    const last = start(work, { do: 'lastStep' })
    expect([(await last.outcome).value, last.progress]).toEqual(['b', ['a', 'b']])
  })

  it('does not block the others', async () => {
    const spinning = start(work, { do: 'spinOnceStarted' })
    await spinning.firstProgress
    expect(await make(module('work.mjs'))({ do: 'nothing' })).toBeUndefined()
    spinning.controller.abort()
    expect(await spinning.outcome).toMatchObject({ code: 'cancelled' })
  })

  it('called directly, may be given a `progress` that gives no promise, and one that throws', async () => {
    const told: unknown[] = []
    const note = (value: unknown): void => void told.push(value)
    expect(await work({ do: 'steps' }, { progress: note as ToolContext['progress'] })).toBe('whole')
    expect(told).toEqual([1, { half: true }])
    const progress = (): never => {
      throw new Error('nobody listens')
    }
    await expect(work({ do: 'steps' }, { progress })).rejects.toThrow('nobody listens')
  })

  it('loads modules of each kind', async () => {
    expect(await make(module('work.ts'))({ do: '', text: 'a' })).toBe('A')
    expect(await make(module('older.cjs'))({ do: '', text: 'a' })).toBe('A')
    expect(await make(module('uses-namespace.ts'))({ do: '', text: 'you' })).toBe('Hello you!')
    expect(await make(new URL('data:text/javascript,export default ({ text }) => text + text'))({ do: '', text: 'a' })).toBe('aa')
  })
})

it('a tool whose worker is in TypeScript tells how it goes and what it threw, too', async () => {
  const failing = start(make(module('work.ts')), { do: '', text: '' })
  const { error, ...outcome } = await failing.outcome
  expect([outcome, failing.progress]).toEqual([{ status: 'error', content: text('RangeError: nothing to say') }, [{ length: 0 }]])
  expect((error as Error).stack).toContain('work.ts')
})

describe('an error result', () => {
  it('has the name and the message of what the function threw, and the error all that belongs to it', async () => {
    const { error, ...outcome } = await outcomeOf(work, { do: 'throw' })
    expect(outcome).toEqual({ status: 'error', content: text('CityError: no such city') })
    expect(error).toMatchObject({
      name: 'CityError',
      message: 'no such city',
      code: 'no_city',
      cause: { name: 'RangeError', message: 'inner' },
    })
    expect((error as Error).stack).toContain('work.mjs')
  })

  it.each<[string, object, string]>([
    ['a text was thrown', { do: 'throwText' }, 'Error: just text'],
    ['what was thrown cannot be sent', { do: 'throwFunction' }, 'Error: () => 1'],
    [
      'the result cannot be sent',
      { do: 'function' },
      'TypeError: the worker ran, but its result cannot be sent to the main thread: () => 1 could not be cloned.',
    ],
    ['a step cannot be sent', { do: 'oddStep' }, 'DataCloneError: () => 1 could not be cloned.'],
    ['the input cannot be sent', { do: 'nothing', f: () => 1 }, 'DataCloneError: () => 1 could not be cloned.'],
    ['something fails beside the function', { do: 'late' }, 'Error: out of nowhere'],
    ['the thread exits', { do: 'exit' }, 'WorkerError: The worker thread ended with code 7 before there was a result (process.exit?).'],
  ])('says that %s', async (_what, input, shown) => {
    expect(await said(work, input)).toEqual(['error', [shown]])
    expect(await work({ do: 'nothing' })).toBeUndefined()
  })

  it('of a throw keeps the thread', async () => {
    const one = make({ url: module('work.mjs'), maxThreads: 1, idleMs: 60_000 })
    const thread = await one({ do: 'thread' })
    await expect(one({ do: 'throw' })).rejects.toThrow('no such city')
    expect(await one({ do: 'thread' })).toBe(thread)
  })

  it('says that the thread ran out of memory', async () => {
    const small = make({ url: module('work.mjs'), resourceLimits: { maxOldGenerationSizeMb: 24 } })
    expect(await said(small, { do: 'fill' })).toEqual(['error', ['WorkerError: The worker thread ran out of memory and was ended.']])
    expect(await small({ do: 'nothing' })).toBeUndefined()
  })

  it('says what is wrong with the module', async () => {
    const none = module('no-default.mjs')
    expect(await said(make(none), { do: '' })).toEqual([
      'error',
      [`TypeError: ${none.href} needs a default export (input, context) => result; it has other.`],
    ])
    expect(await said(make(module('broken.mjs')), { do: '' })).toEqual(['error', [expect.stringContaining('not-there.mjs')]])
    expect(await said(make(module('missing.mjs')), { do: '' })).toEqual(['error', [expect.stringContaining('missing.mjs')]])
  })
})

describe('a cancel', () => {
  const alone = make({ url: module('work.mjs'), maxThreads: 1 })

  it('ends the work, and the next call has a fresh thread', async () => {
    const first = await alone({ do: 'thread' })
    const run = start(alone, { do: 'spinOnceStarted' })
    await run.firstProgress
    run.controller.abort(new Error('enough'))
    expect(await run.outcome).toMatchObject({ status: 'error', code: 'cancelled', error: new Error('enough') })
    expect(await alone({ do: 'thread' })).not.toBe(first)
    expect([run.late, getEventListeners(run.controller.signal, 'abort').length]).toEqual([[], 0])
  })

  it('leaves those who wait for a thread their turn', async () => {
    const run = start(alone, { do: 'spinOnceStarted' })
    await run.firstProgress
    const waiting = [alone({ do: 'thread' }), alone({ do: 'thread' })]
    run.controller.abort()
    const [one, two] = await Promise.all(waiting)
    expect(one).toEqual(expect.any(Number))
    expect(two).toBe(one)
  })

  it('of one that waits takes nothing from the one that works', async () => {
    const run = start(alone, { do: 'spinOnceStarted' })
    await run.firstProgress
    const waiting = start(alone, { do: 'thread' })
    waiting.controller.abort()
    expect(await waiting.outcome).toMatchObject({ code: 'cancelled' })
    run.controller.abort()
    expect(await run.outcome).toMatchObject({ code: 'cancelled' })
    expect(await alone({ do: 'nothing' })).toBeUndefined()
  })

  it('at any moment of a call costs no other call its result', async () => {
    const pair = make({ url: module('work.mjs'), maxThreads: 2 })
    for (let round = 0; round < 6; round++) {
      const cancelled = start(pair, { do: 'steps' })
      const others = [1, 2, 3].map((text) => pair({ do: 'hash', text }))
      // At its second step it is about to end.
      await cancelled.firstProgress
      cancelled.controller.abort()
      const { code, status } = await cancelled.outcome
      expect([undefined, 'cancelled']).toContain(code)
      expect(code === 'cancelled').toBe(status === 'error')
      expect(await Promise.all(others)).toEqual([1, 2, 3].map((n) => createHash('sha256').update(String(n)).digest('hex')))
    }
  })

  it('before the call starts nothing', async () => {
    const signal = AbortSignal.abort(new Error('before'))
    await expect(alone({ do: 'spin' }, { signal })).rejects.toThrow('before')
  })

  it('is what the end of its time is too', async () => {
    const run = start(make({ url: module('work.mjs'), maxThreads: 1 }, { timeoutMs: 50 }), { do: 'spinOnceStarted' })
    await run.firstProgress
    await run.clock.advance(50)
    expect(await run.outcome).toMatchObject({ code: 'timeout', content: text('The call of work took longer than 50 ms and was ended.') })
    expect(await alone({ do: 'nothing' })).toBeUndefined()
  })

  it('of every call at once leaves threads for the next ones', async () => {
    const pair = make({ url: module('work.mjs'), maxThreads: 2 })
    const runs = [start(pair, { do: 'spinOnceStarted' }), start(pair, { do: 'spinOnceStarted' })]
    await Promise.all(runs.map(({ firstProgress }) => firstProgress))
    const waiting = Promise.all([1, 2, 3, 4].map(() => pair({ do: 'thread' })))
    for (const { controller } of runs) controller.abort()
    expect(new Set(await waiting).size).toBeLessThanOrEqual(2)
  })
})
