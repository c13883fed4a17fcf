import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { ScheduleError } from '../../src/errors.ts'
import { concurrent, scheduled, sequential } from '../../src/tools/strategies.ts'
import type { ScheduledCall, ToolStrategy } from '../../src/tools/strategies.ts'
import { isSettled } from '../support/promises.ts'
import { calls, schedule, turn } from '../support/schedule.ts'

const strategy = (next: ToolStrategy['next']): ToolStrategy => ({ name: 'mine', early: false, next })

describe('a schedule', () => {
  it('of nothing is done', async () => {
    await expect(schedule([], { strategy: scheduled }).done).resolves.toBeUndefined()
  })

  it('starts what may start at once, and is done when all have ended', async () => {
    const run = schedule(calls(true, true), { strategy: scheduled })
    expect(run.started).toEqual(['c0', 'c1'])
    await run.end('c1')
    expect(await isSettled(run.done)).toBe(false)
    await run.end('c0')
    await run.done
  })

  it('runs safe neighbours together and unsafe calls alone, in order', async () => {
    const run = schedule(calls(true, true, false, true, false, false), { strategy: scheduled })
    const steps: (readonly string[])[] = [run.running()]
    for (const id of ['c1', 'c0', 'c2', 'c3', 'c4', 'c5']) {
      await run.end(id)
      steps.push(run.running())
    }
    expect(steps).toEqual([['c0', 'c1'], ['c0'], ['c2'], ['c3'], ['c4'], ['c5'], []])
    await run.done
  })

  it('fills up to its cap as calls end', async () => {
    const run = schedule(calls(true, true, true, true), { strategy: scheduled, maxConcurrency: 2 })
    expect(run.running()).toEqual(['c0', 'c1'])
    await run.end('c1')
    expect(run.running()).toEqual(['c0', 'c2'])
    await run.end('c0')
    expect(run.running()).toEqual(['c2', 'c3'])
  })

  it('runs all together when it is concurrent, one by one when it is sequential', async () => {
    expect(schedule(calls(false, 'k', 'k', true), { strategy: concurrent }).running()).toEqual(['c0', 'c1', 'c2', 'c3'])
    const run = schedule(calls(true, true, true), { strategy: sequential })
    for (const id of ['c0', 'c1', 'c2']) {
      expect(run.running()).toEqual([id])
      await run.end(id)
    }
    await run.done
  })

  it('leaves the calls that it was given as they were', async () => {
    const list = calls(true, false)
    const run = schedule(list, { strategy: scheduled })
    await run.end('c0')
    await run.end('c1')
    await run.done
    expect(list).toEqual(calls(true, false))
  })
})

describe('a call that comes back with other flags', () => {
  it('waits in its old place, by its new flags', async () => {
    const list = calls(true, true, true)
    const run = schedule(list, { strategy: scheduled, maxConcurrency: 2 })
    expect(run.running()).toEqual(['c0', 'c1'])
    await run.end('c0', { again: { ...list[0]!, safe: false } })
    expect(run.running()).toEqual(['c1'])
    await run.end('c1')
    expect(run.running()).toEqual(['c0'])
    await run.end('c0')
    expect(run.running()).toEqual(['c2'])
    await run.end('c2')
    await run.done
    expect(run.started).toEqual(['c0', 'c1', 'c0', 'c2'])
  })
})

describe('a call of which more becomes known', () => {
  it('starts when it may start now, and so do those behind it', async () => {
    const list = calls(true, false, true, false, true)
    const run = schedule(list, { strategy: scheduled })
    expect(run.running()).toEqual(['c0'])
    await run.revise(list[1]!, { ...list[1]!, readOnly: true, safe: true })
    expect(run.running()).toEqual(['c0', 'c1', 'c2'])
  })

  it('keeps the flags with which it has begun or come back', async () => {
    const list = calls(false, true)
    const run = schedule(list, { strategy: scheduled })
    const safe = { ...list[0]!, readOnly: true, safe: true }
    await run.revise(list[0]!, safe)
    expect(run.running()).toEqual(['c0'])
    const again = { ...list[0]!, safe: false }
    await run.end('c0', { again })
    await run.revise(list[0]!, safe)
    expect(run.running()).toEqual(['c0'])
    await run.end('c0')
    await run.revise(list[0]!, safe)
    expect(run.running()).toEqual(['c1'])
    await run.end('c1')
    await run.done
  })

  it('starts nothing once the signal has fired', async () => {
    const controller = new AbortController()
    const list = calls(true, false)
    const run = schedule(list, { strategy: scheduled, signal: controller.signal })
    controller.abort()
    await run.revise(list[1]!, { ...list[1]!, safe: true })
    await run.end('c0')
    await run.done
    expect(run.started).toEqual(['c0'])
  })
})

describe('once the signal has fired', () => {
  it('nothing starts any more, and what runs is waited for', async () => {
    const controller = new AbortController()
    const run = schedule(calls(true, true, false, true), { strategy: scheduled, signal: controller.signal })
    controller.abort()
    await run.end('c0')
    expect(await isSettled(run.done)).toBe(false)
    await run.end('c1')
    await run.done
    expect(run.started).toEqual(['c0', 'c1'])
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('nothing starts at all when it had fired before', async () => {
    const run = schedule(calls(true), { strategy: scheduled, signal: AbortSignal.abort() })
    await run.done
    expect(run.started).toEqual([])
  })

  it('nothing starts that was chosen beside the call whose start fired it', async () => {
    const controller = new AbortController()
    const run = schedule(calls(true, true, true), {
      strategy: scheduled,
      signal: controller.signal,
      onStart: ({ id }) => id === 'c1' && controller.abort(),
    })
    expect(run.started).toEqual(['c0', 'c1'])
    await run.end('c0')
    await run.end('c1')
    await run.done
  })

  it('a call that comes back does not start again', async () => {
    const controller = new AbortController()
    const list = calls(true)
    const run = schedule(list, { strategy: scheduled, signal: controller.signal })
    controller.abort()
    await run.end('c0', { again: list[0]! })
    await run.done
    expect(run.started).toEqual(['c0'])
  })

  it('a strategy is not blamed for having started nothing', async () => {
    const controller = new AbortController()
    const run = schedule(calls(true, true), {
      strategy: strategy(({ waiting, running }) => (running.length === 0 && waiting.length === 2 ? waiting.slice(0, 1) : [])),
      signal: controller.signal,
    })
    controller.abort()
    await run.end('c0')
    await expect(run.done).resolves.toBeUndefined()
  })
})

describe('a strategy of a user that', () => {
  it('throws ends the schedule with its error, once what runs has ended', async () => {
    const cause = new RangeError('oops')
    let asked = 0
    const run = schedule(calls(true, true, true), {
      strategy: strategy(({ waiting }) => {
        if (asked++ > 0) throw cause
        return waiting.slice(0, 2)
      }),
    })
    await run.end('c0')
    expect(await isSettled(run.done)).toBe(false)
    await run.end('c1')
    await expect(run.done).rejects.toThrow(new ScheduleError('The schedule strategy "mine" threw: oops', { cause }))
    await expect(run.done).rejects.toMatchObject({ code: 'schedule_stalled', cause })
    expect([asked, run.started]).toEqual([2, ['c0', 'c1']])
  })

  it('starts nothing although nothing runs is told so', async () => {
    const run = schedule(calls(true, true), { strategy: strategy(() => []) })
    await expect(run.done).rejects.toThrow(
      new ScheduleError(
        'The schedule strategy "mine" starts none of 2 waiting calls although nothing is running. It must start at least one.',
      ),
    )
  })

  it('starts nothing while something runs may wait', async () => {
    const run = schedule(calls(true, true), {
      strategy: strategy(({ waiting, running }) => (running.length > 0 ? [] : waiting.slice(0, 1))),
    })
    await run.end('c0')
    await run.end('c1')
    await run.done
    expect(run.started).toEqual(['c0', 'c1'])
  })

  it('gives what is no list is told what is wrong', async () => {
    await expect(schedule(calls(true), { strategy: strategy(() => undefined as never) }).done).rejects.toThrow(ScheduleError)
  })

  it('starts calls that are not waiting, or one call twice, starts each waiting one once', async () => {
    const foreign = { id: 'foreign', index: 9, name: 't', readOnly: true, safe: true }
    const run = schedule(calls(true, true), { strategy: strategy(({ waiting, running }) => [foreign, ...running, ...waiting, ...waiting]) })
    await turn()
    expect(run.started).toEqual(['c0', 'c1'])
    await run.end('c0')
    await run.end('c1')
    await run.done
    expect(run.started).toEqual(['c0', 'c1'])
  })

  it('starts nothing but calls that are not waiting starts nothing', async () => {
    await expect(schedule(calls(true), { strategy: strategy(() => calls(true, true).slice(1)) }).done).rejects.toThrow(ScheduleError)
  })

  it('ignores the cap is held to it', async () => {
    const run = schedule(calls(true, true, true), { strategy: strategy(({ waiting }) => waiting), maxConcurrency: 2 })
    expect(run.running()).toEqual(['c0', 'c1'])
    await run.end('c0')
    expect(run.running()).toEqual(['c1', 'c2'])
  })

  it('wants another order has it, calls that may start together in call order', async () => {
    const run = schedule(calls(true, true, true), {
      strategy: strategy(({ waiting, running }) => (running.length === 0 ? waiting.slice(-2).reverse() : [])),
    })
    expect(run.running()).toEqual(['c1', 'c2'])
    await run.end('c1')
    await run.end('c2')
    expect(run.running()).toEqual(['c0'])
  })

  it('spoils the lists that it is given spoils nothing', async () => {
    const run = schedule(calls(true, true), {
      strategy: strategy(({ waiting, running }) => {
        ;(running as unknown[]).length = 0
        return (waiting as ScheduledCall[]).splice(0, 1)
      }),
      maxConcurrency: 1,
    })
    await run.end('c0')
    await run.end('c1')
    await run.done
    expect(run.started).toEqual(['c0', 'c1'])
  })
})
