import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../src/testing/fake-clock.ts'

const idle = (): AbortSignal => new AbortController().signal

describe('a fake clock', () => {
  it('stands still until it is told to go on', async () => {
    const clock = fakeClock(500)
    expect(clock.now()).toBe(500)
    await clock.advance(20)
    expect(clock.now()).toBe(520)
    expect(fakeClock().now()).toBe(0)
  })

  it('wakes each sleeper at its time, in order', async () => {
    const clock = fakeClock()
    const woken: string[] = []
    const sleep = async (name: string, ms: number): Promise<void> => {
      await clock.sleep(ms, idle())
      woken.push(`${name} at ${clock.now()}`)
    }
    void sleep('c', 30)
    void sleep('a', 10)
    void sleep('b', 10)
    expect(clock.sleeping).toBe(3)
    await clock.advance(9)
    expect(woken).toEqual([])
    await clock.advance(1)
    expect(woken).toEqual(['a at 10', 'b at 10'])
    await clock.advance(100)
    expect(woken).toEqual(['a at 10', 'b at 10', 'c at 30'])
    expect([clock.now(), clock.sleeping]).toEqual([110, 0])
  })

  it('wakes who falls asleep on the way', async () => {
    const clock = fakeClock()
    const woken: number[] = []
    const ticking = async (): Promise<void> => {
      for (let i = 0; i < 3; i++) {
        await clock.sleep(10, idle())
        woken.push(clock.now())
      }
    }
    void ticking()
    await clock.advance(25)
    expect(woken).toEqual([10, 20])
    await clock.advance(5)
    expect(woken).toEqual([10, 20, 30])
  })

  it('wakes at once when the signal fires, or has fired', async () => {
    const clock = fakeClock()
    const controller = new AbortController()
    const asleep = clock.sleep(1000, controller.signal)
    controller.abort()
    await asleep
    await clock.sleep(1000, AbortSignal.abort())
    expect([clock.now(), clock.sleeping]).toEqual([0, 0])
  })

  it('takes a time in the past as now', async () => {
    const clock = fakeClock(100)
    const asleep = clock.sleep(-5, idle())
    await clock.advance(0)
    await asleep
    expect(clock.now()).toBe(100)
  })
})
