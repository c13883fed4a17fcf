import { describe, expect, it } from 'vitest'
import { fakeClock } from 'lena-agent/testing'
import { lineSplitter } from '../../src/mcp/line-splitter.ts'
import { orderedProgress } from '../../src/mcp/ordered-progress.ts'
import { silenceLimit } from '../../src/mcp/silence-limit.ts'
import { fc } from '../support/fast-check.ts'
import { oddClient } from './support/odd.ts'

describe('a limit on silence', () => {
  it('is up after the time without a sound, and each sound begins it anew', async () => {
    const clock = fakeClock()
    let ups = 0
    const limit = silenceLimit(100, clock, () => ups++)
    await clock.advance(60)
    limit.heard()
    await clock.advance(60)
    expect([ups, limit.isUp()]).toEqual([0, false])
    await clock.advance(40)
    expect([ups, limit.isUp()]).toEqual([1, true])
  })

  it('waits while a person is asked', async () => {
    const clock = fakeClock()
    let ups = 0
    const limit = silenceLimit(100, clock, () => ups++)
    limit.pause()
    await clock.advance(5000)
    limit.resume()
    await clock.advance(99)
    expect(ups).toBe(0)
    await clock.advance(101)
    expect(ups).toBe(1)
  })

  it('leaves no timer behind', async () => {
    const clock = fakeClock()
    const limit = silenceLimit(100, clock, () => {})
    expect(clock.sleeping).toBe(1)
    limit.stop()
    await clock.advance(0)
    expect(clock.sleeping).toBe(0)
  })

  it('ends a call that is silent, as a result that says so', async () => {
    const client = oddClient({}, { timeoutMs: 150 })
    await client.connect()
    await expect(client.callTool('never')).rejects.toMatchObject({
      code: 'mcp_timeout',
      message: 'The MCP server "odd" was silent for 150 ms during the call of never, and the call was ended.',
    })
  })
})

describe('a limit of Infinity', () => {
  it('is none', async () => {
    const client = oddClient({}, { timeoutMs: Infinity, startTimeoutMs: Infinity })
    expect(await client.listTools()).toHaveLength(12)
  })
})

describe('lines', () => {
  it('are the same in whatever pieces they come', () => {
    const line = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('\n', ''))
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(8)), (lines, cuts) => {
        const heard: string[] = []
        const split = lineSplitter(1000, (text) => heard.push(text))
        let rest = Buffer.from(lines.map((text) => `${text}\n`).join(''))
        const expected = rest.toString().split('\n').slice(0, -1)
        for (const cut of cuts) {
          split(rest.subarray(0, cut))
          rest = rest.subarray(cut)
        }
        split(rest)
        expect(heard).toEqual(expected)
      }),
    )
  })

  it('are not longer than allowed', () => {
    const split = lineSplitter(10, () => {})
    split(Buffer.from('12345'))
    expect(() => split(Buffer.from('678901'))).toThrow('a line is longer than 10 bytes')
  })
})

describe('reports of progress', () => {
  it('wait for their reader, in order, and the oldest make room', async () => {
    const told: unknown[] = []
    let go = (): void => {}
    const gate = new Promise<void>((resolve) => (go = resolve))
    const progress = orderedProgress(async (value) => {
      await gate
      told.push(value)
    })
    for (let n = 0; n <= 150; n++) progress.push(n)
    go()
    await progress.drained()
    expect([told.length, told[0], told[1], told.at(-1)]).toEqual([101, 0, 51, 150])
  })
})
