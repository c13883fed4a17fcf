import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../src/util/clock.ts'
import { isSettled } from '../support/promises.ts'

describe('systemClock.sleep', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('sleeps as long as it is told to, and leaves no listener', async () => {
    const { signal } = new AbortController()
    const sleeping = systemClock.sleep(50, signal)
    const before = systemClock.now()
    await vi.advanceTimersByTimeAsync(49)
    expect(await isSettled(sleeping)).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await isSettled(sleeping)).toBe(true)
    expect(systemClock.now() - before).toBe(50)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('wakes with the signal, and leaves no timer', async () => {
    const controller = new AbortController()
    const sleeping = systemClock.sleep(50, controller.signal)
    expect(vi.getTimerCount()).toBe(1)
    controller.abort()
    await sleeping
    expect(vi.getTimerCount()).toBe(0)
  })

  it('does not sleep at all under a signal that has fired', async () => {
    await systemClock.sleep(50, AbortSignal.abort())
    expect(vi.getTimerCount()).toBe(0)
  })

  it('does not wrap round to no time at all when the time is very long', async () => {
    const sleeping = systemClock.sleep(Infinity, new AbortController().signal)
    await vi.advanceTimersByTimeAsync(1_000_000)
    expect(await isSettled(sleeping)).toBe(false)
  })
})
