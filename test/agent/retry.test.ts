import { describe, expect, it } from 'vitest'
import {
  AuthenticationError,
  IncompleteStreamError,
  InvalidRequestError,
  NetworkError,
  OverloadedError,
  ThrottledError,
} from '../../src/errors.ts'
import { checkEvents } from '../../src/testing/check-events.ts'
import { collect } from '../../src/testing/collect.ts'
import { retryDelay } from '../../src/models/retry-policy.ts'
import { makeAgent } from '../support/make-agent.ts'

const throttled = (retryAfterMs?: number) => new ThrottledError('too many', { retryAfterMs })

describe('a failed call of the model', () => {
  it('is tried again with waits of 4, 8, 16, 32 and 64 s, then fails', async () => {
    const { agent, model, clock } = makeAgent(
      Array.from({ length: 6 }, () => ({ error: throttled() })),
      { retry: {} },
    )
    const collecting = collect(agent.stream('go'))
    for (const seconds of [4, 8, 16, 32, 64]) await clock.advance(seconds * 1000)
    const { events, error } = await collecting
    expect(
      events.flatMap((event) => (event.type === 'retry' ? [[event.attempt, event.maxAttempts, event.delayMs, event.code]] : [])),
    ).toEqual([
      [2, 6, 4000, 'throttled'],
      [3, 6, 8000, 'throttled'],
      [4, 6, 16_000, 'throttled'],
      [5, 6, 32_000, 'throttled'],
      [6, 6, 64_000, 'throttled'],
    ])
    expect(error?.code).toBe('throttled')
    expect(model.requests.length).toBe(6)
    expect(checkEvents(events)).toEqual([])
  })

  it('waits as long as the provider asks', async () => {
    const { agent, clock } = makeAgent(
      [{ error: throttled(3000) }, { error: new OverloadedError('full', { retryAfterMs: 1000 }) }, { text: 'yes' }],
      { retry: {} },
    )
    const collecting = collect(agent.stream('go'))
    await clock.advance(3000)
    await clock.advance(1000)
    const { events, result } = await collecting
    expect(events.flatMap((event) => (event.type === 'retry' ? [event.delayMs] : []))).toEqual([3000, 1000])
    expect(result?.text).toBe('yes')
  })

  it('fails at once when the provider asks for more than the longest wait, and says so', async () => {
    const { agent, model } = makeAgent([{ error: throttled(241_000) }], { retry: {} })
    const { events, error } = await collect(agent.stream('go'))
    expect(error?.code).toBe('throttled')
    expect(events.flatMap((event) => (event.type === 'warning' ? [event.code, event.message] : []))).toEqual([
      'retry_after_too_long',
      'The provider asks to wait 241 s, and a run waits at most 240 s (retry.maxMs). It is not tried again.',
    ])
    expect(model.requests.length).toBe(1)
  })

  it('is tried twice more after a broken connection, its text withdrawn', async () => {
    const broken = { text: 'half a ', error: new IncompleteStreamError('cut'), after: 3 }
    const { agent, clock, model } = makeAgent([broken, { error: new NetworkError('refused') }, broken], { retry: {} })
    const collecting = collect(agent.stream('go'))
    await clock.advance(4000)
    await clock.advance(8000)
    const { events, error } = await collecting
    expect(error?.code).toBe('incomplete_stream')
    expect(model.requests.length).toBe(3)
    expect(events.flatMap((event) => (event.type === 'message_discarded' ? [event.reason] : []))).toEqual(['retry', 'retry', 'error'])
    expect(checkEvents(events)).toEqual([])
  })

  it('is not tried again when the request or the key is wrong, or a budget is spent', async () => {
    for (const error of [
      new InvalidRequestError('bad'),
      new AuthenticationError('no key'),
      new ThrottledError('quota', { retryable: false }),
    ]) {
      const { agent, model } = makeAgent([{ error }], { retry: {} })
      expect((await collect(agent.stream('go'))).error).toBe(error)
      expect(model.requests.length).toBe(1)
    }
  })

  it('is not tried again with retry: false', async () => {
    const { agent, model } = makeAgent([{ error: throttled() }], { retry: false })
    await expect(agent.invoke('go')).rejects.toThrow('too many')
    expect(model.requests.length).toBe(1)
  })

  it('stops waiting when the run is cancelled', async () => {
    const { agent, model, clock } = makeAgent([{ error: throttled() }], { retry: {} })
    const running = agent.invoke('go')
    await clock.advance(1000)
    agent.cancel()
    expect((await running).stopReason).toBe('cancelled')
    expect(model.requests.length).toBe(1)
    expect(clock.sleeping).toBe(0)
  })

  it('counts the usage of attempts that were discarded', async () => {
    const usage = { type: 'metadata', usage: { inputTokens: 7, outputTokens: 1 } } as const
    const cut = [{ type: 'message_start' }, usage] as const
    const { agent, clock } = makeAgent([cut, { text: 'yes', usage: { inputTokens: 10, outputTokens: 5 } }], { retry: {} })
    const running = agent.invoke('go')
    await clock.advance(4000)
    expect((await running).usage).toEqual({ inputTokens: 17, outputTokens: 6, totalTokens: 23 })
  })
})

describe('the wait', () => {
  it('doubles to the longest', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => retryDelay(throttled(), attempt, 0, { maxAttempts: 20 }))
    expect(waits).toEqual([4000, 8000, 16_000, 32_000, 64_000, 128_000, 240_000, 240_000])
  })

  it('is spread by chance only when asked for', () => {
    const waits = [0, 0.5, 1].map((random) => retryDelay(throttled(), 1, 0, { jitter: true }, () => random))
    expect(waits).toEqual([2000, 3000, 4000])
  })
})
