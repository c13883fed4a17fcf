import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { isThenable, settleBounded } from '../../src/util/bounded.ts'
import { testClock } from '../support/clock.ts'
import { deferred, isSettled } from '../support/promises.ts'

const never = new Promise<never>(() => {})

describe('settleBounded', () => {
  it('gives the outcome, however long it takes, while the signal is quiet', async () => {
    const clock = testClock()
    const { signal } = new AbortController()
    const work = deferred<string>()
    const waiting = settleBounded(work.promise, { signal, graceMs: 10, clock })
    await clock.advance(1_000_000)
    expect(await isSettled(waiting)).toBe(false)
    work.resolve('done')
    expect(await waiting).toEqual({ ok: true, value: 'done' })
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(clock.sleeping()).toBe(0)
  })

  it('gives a rejection as a value', async () => {
    const error = new Error('no')
    expect(await settleBounded(Promise.reject(error), { signal: new AbortController().signal, graceMs: 0, clock: testClock() })).toEqual({
      ok: false,
      error,
    })
  })

  it('waits for the grace after the signal, and no longer', async () => {
    const clock = testClock()
    const controller = new AbortController()
    const waiting = settleBounded(never, { signal: controller.signal, graceMs: 2000, clock })
    controller.abort()
    await clock.advance(1999)
    expect(await isSettled(waiting)).toBe(false)
    await clock.advance(1)
    expect(await waiting).toBeUndefined()
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('takes what comes within the grace, and stops the clock then', async () => {
    const clock = testClock()
    const controller = new AbortController()
    const work = deferred<number>()
    const waiting = settleBounded(work.promise, { signal: controller.signal, graceMs: 2000, clock })
    controller.abort()
    await clock.advance(1000)
    work.resolve(1)
    expect(await waiting).toEqual({ ok: true, value: 1 })
    expect(clock.sleeping()).toBe(0)
  })

  it('waits for a grace of 1 too', async () => {
    const clock = testClock()
    const waiting = settleBounded(never, { signal: AbortSignal.abort(), graceMs: 1, clock })
    expect(await isSettled(waiting)).toBe(false)
    await clock.advance(1)
    expect(await waiting).toBeUndefined()
  })

  it('gives one turn of the event loop when the grace is 0', async () => {
    const bound = { signal: AbortSignal.abort(), graceMs: 0, clock: testClock() }
    const quick = Promise.resolve().then(() => Promise.resolve(1))
    expect(await settleBounded(quick, bound)).toEqual({ ok: true, value: 1 })
    expect(await settleBounded(never, bound)).toBeUndefined()
  })
})

describe('isThenable', () => {
  it.each([
    [Promise.resolve(), true],
    [{ then: () => {} }, true],
    [{ then: 1 }, false],
    [null, false],
    [undefined, false],
    ['then', false],
  ])('%s → %s', (value, thenable) => expect(isThenable(value)).toBe(thenable))
})
