import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { childController, onAbort, reasonOf, settle, settleOrAbort } from '../../src/util/abort.ts'
import { deferred, isSettled } from '../support/promises.ts'

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

describe('onAbort', () => {
  it('calls the listener once, when the signal fires', () => {
    const controller = new AbortController()
    let calls = 0
    onAbort(controller.signal, () => calls++)
    expect(calls).toBe(0)
    controller.abort()
    controller.abort()
    expect(calls).toBe(1)
  })

  it('calls the listener at once when the signal has fired already', () => {
    let calls = 0
    const off = onAbort(AbortSignal.abort(), () => calls++)
    expect(calls).toBe(1)
    off()
  })

  it('takes the listener away', () => {
    const controller = new AbortController()
    let calls = 0
    const off = onAbort(controller.signal, () => calls++)
    expect(listeners(controller.signal)).toBe(1)
    off()
    expect(listeners(controller.signal)).toBe(0)
    controller.abort()
    expect(calls).toBe(0)
  })
})

describe('many who wait for one signal', () => {
  it('are one listener on it, told in order, the same function as often as it waits', () => {
    const controller = new AbortController()
    const told: string[] = []
    const twice = (): void => void told.push('twice')
    for (let i = 0; i < 20; i++) onAbort(controller.signal, () => told.push(`${i}`))
    onAbort(controller.signal, twice)
    onAbort(controller.signal, twice)
    expect(listeners(controller.signal)).toBe(1)
    controller.abort()
    expect(told).toEqual([...Array.from({ length: 20 }, (_, i) => `${i}`), 'twice', 'twice'])
    expect(listeners(controller.signal)).toBe(0)
  })

  it('leave one by one, and the others stay; leaving twice is leaving once', () => {
    const controller = new AbortController()
    const told: string[] = []
    const offs = ['a', 'b', 'c'].map((name) => onAbort(controller.signal, () => told.push(name)))
    offs[0]!()
    offs[0]!()
    expect(listeners(controller.signal)).toBe(1)
    offs[2]!()
    onAbort(controller.signal, () => told.push('d'))
    offs[2]!()
    controller.abort()
    expect(told).toEqual(['b', 'd'])
  })

  it('may come back after all have left', () => {
    const controller = new AbortController()
    const told: string[] = []
    const off = onAbort(controller.signal, () => told.push('first'))
    off()
    onAbort(controller.signal, () => told.push('second'))
    off()
    controller.abort()
    expect(told).toEqual(['second'])
  })

  it('may take each other away while they are told', () => {
    const controller = new AbortController()
    const told: string[] = []
    onAbort(controller.signal, () => {
      told.push('first')
      off()
    })
    const off = onAbort(controller.signal, () => told.push('second'))
    controller.abort()
    expect(told).toEqual(['first'])
  })
})

describe('reasonOf', () => {
  it('gives the reason when it is an error, whatever else as the text of one', () => {
    const reason = new TypeError('x')
    const said = (value: unknown): string => reasonOf(AbortSignal.abort(value)).message
    expect(reasonOf(AbortSignal.abort(reason))).toBe(reason)
    expect(said('stop')).toBe('stop')
    expect(said(null)).toBe('aborted')
    expect(said(7)).toBe('7')
    expect(reasonOf(AbortSignal.abort()).name).toBe('AbortError')
  })
})

describe('settle', () => {
  it('gives the outcome as a value', async () => {
    const error = new Error('no')
    expect(await settle(Promise.resolve(1))).toEqual({ ok: true, value: 1 })
    expect(await settle(Promise.reject(error))).toEqual({ ok: false, error })
  })

  it('takes any thenable', async () => {
    const thenable: PromiseLike<number> = { then: (yes) => Promise.resolve(2).then(yes) }
    expect(await settle(thenable)).toEqual({ ok: true, value: 2 })
  })
})

describe('settleOrAbort', () => {
  it('gives the outcome and leaves no listener', async () => {
    const { signal } = new AbortController()
    expect(await settleOrAbort(Promise.resolve(1), signal)).toEqual({ ok: true, value: 1 })
    const error = new Error('no')
    expect(await settleOrAbort(Promise.reject(error), signal)).toEqual({ ok: false, error })
    expect(listeners(signal)).toBe(0)
  })

  it('ends with the signal although the promise never does', async () => {
    const controller = new AbortController()
    const waiting = settleOrAbort(new Promise(() => {}), controller.signal)
    expect(await isSettled(waiting)).toBe(false)
    controller.abort()
    expect(await waiting).toBeUndefined()
    expect(listeners(controller.signal)).toBe(0)
  })

  it('does not wait at all once the signal has fired', async () => {
    expect(await settleOrAbort(Promise.resolve(1), AbortSignal.abort())).toBeUndefined()
  })

  it('handles the rejection of what it left behind', async () => {
    const late = deferred()
    const unhandled: unknown[] = []
    const note = (error: unknown): void => void unhandled.push(error)
    process.on('unhandledRejection', note)
    try {
      expect(await settleOrAbort(late.promise, AbortSignal.abort())).toBeUndefined()
      late.reject(new Error('late'))
      await new Promise((resolve) => setImmediate(resolve))
      expect(unhandled).toEqual([])
    } finally {
      process.off('unhandledRejection', note)
    }
  })
})

describe('childController', () => {
  it('follows its parent, reason and all', () => {
    const parent = new AbortController()
    const { controller } = childController(parent.signal)
    const reason = new Error('stop')
    parent.abort(reason)
    expect(controller.signal.reason).toBe(reason)
  })

  it('is aborted from the start under a parent that was', () => {
    expect(childController(AbortSignal.abort()).controller.signal.aborted).toBe(true)
  })

  it('is cut loose by release, which leaves no listener', () => {
    const parent = new AbortController()
    const { controller, release } = childController(parent.signal)
    release()
    expect(listeners(parent.signal)).toBe(0)
    parent.abort()
    expect(controller.signal.aborted).toBe(false)
  })

  it('leaves its parent alone when it is aborted itself', () => {
    const parent = new AbortController()
    childController(parent.signal).controller.abort()
    expect(parent.signal.aborted).toBe(false)
  })
})
