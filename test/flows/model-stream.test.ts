import { describe, expect, it } from 'vitest'
import type { ModelEvent } from '../../src/models/model-events.ts'
import type { Model } from '../../src/models/model.ts'
import { collect } from '../../src/testing/collect.ts'
import { eventsOf } from '../../src/testing/scripted-model.ts'
import { tick } from '../../src/util/clock.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { settlesWithin } from '../support/settles.ts'
import { sketch } from '../support/sketch.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

/** A model that streams what the test says, once; then it answers. */
function modelOf(stream: Model['stream']): { readonly model: Model; readonly requests: Parameters<Model['stream']>[0][] } {
  const requests: Parameters<Model['stream']>[0][] = []
  return {
    requests,
    model: {
      provider: 'p',
      id: 'm',
      stream(request, options) {
        requests.push(request)
        return requests.length === 1
          ? stream(request, options)
          : (async function* () {
              yield* eventsOf({ text: 'The next answer.' })
            })()
      },
    },
  }
}

describe('a model that is not what it should be fails the run, and the run alone', () => {
  it.each<[string, () => unknown, string]>([
    [
      'throws before it streams',
      () => {
        throw new Error('no key')
      },
      'The model failed: no key',
    ],
    [
      'gives nothing',
      () => undefined,
      'p/m gave no stream: stream(request, options) and what wraps it must return an async iterable of model events, got undefined.',
    ],
    [
      'gives a promise',
      async () => [],
      'p/m gave no stream: stream(request, options) and what wraps it must return an async iterable of model events, got a promise.',
    ],
    [
      'throws what is no error',
      () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject('torn') }) }),
      'The model failed: torn',
    ],
    [
      'yields what is no event',
      async function* () {
        yield null
      },
      'The model failed: Cannot read properties of null',
    ],
  ])('%s', async (_what, stream, message) => {
    const { model, requests } = modelOf(stream as never)
    const { agent } = makeAgent([], { model })
    const { error, events } = await collect(agent.stream('go'))
    expect(error).toMatchObject({ code: 'model_error', provider: 'p', retryable: false })
    expect(error?.message.slice(0, message.length)).toBe(message)
    expect(sketch(agent.messages)).toEqual(['user: "go"'])
    await holdsInvariant(agent, { requests, expected: 1, events })
  })

  it('events of a kind that is not known are passed over', async () => {
    const { model, requests } = modelOf(async function* () {
      yield { type: 'ping' } as never
      yield* eventsOf({ text: 'Yes.' })
    })
    const { agent } = makeAgent([], { model })
    expect((await agent.invoke('go')).text).toBe('Yes.')
    await holdsInvariant(agent, { requests, expected: 1 })
  })
})

describe('a stream that stays open behind its message', () => {
  const whole = eventsOf({ text: 'Yes.', usage: { inputTokens: 3, outputTokens: 2 } })
  const [usage, stop] = [whole.at(-1)!, whole.at(-2)!]

  it('is waited for, 2,000 ms, because its usage may still come', async () => {
    let release: () => void = () => {}
    const { model } = modelOf(async function* () {
      yield* whole.slice(0, -1)
      await new Promise<void>((resolve) => (release = resolve))
      yield usage
    })
    const { agent, clock } = makeAgent([], { model })
    const run = agent.invoke('go')
    await tick()
    await clock.advance(1999)
    expect(agent.isRunning).toBe(true)
    release()
    expect((await run).usage).toEqual({ inputTokens: 3, outputTokens: 2, totalTokens: 5 })
    expect(clock.sleeping).toBe(0)
  })

  it('is left then, and told so', async () => {
    const told: string[] = []
    const { model, requests } = modelOf((_request, { signal }) => {
      signal.addEventListener('abort', () => told.push('signal'))
      const events: ModelEvent[] = [...whole.slice(0, -2), stop]
      return {
        [Symbol.asyncIterator]: () => ({
          next: () => (events.length > 0 ? Promise.resolve({ done: false, value: events.shift()! }) : new Promise(() => {})),
          return: () => (told.push('return'), Promise.resolve({ done: true, value: undefined })),
        }),
      }
    })
    const { agent, clock } = makeAgent([], { model })
    const run = agent.invoke('go')
    await tick()
    await clock.advance(2000)
    const settled = await settlesWithin(run, 5, 'the run')
    expect(settled).toMatchObject({ status: 'fulfilled', value: { stopReason: 'end_turn' } })
    expect(told).toEqual(['signal', 'return'])
    await holdsInvariant(agent, { requests, expected: 1 })
  })
})

describe('a cancel', () => {
  it('reaches the signal of the transport in the same tick, and the iterator', async () => {
    const told: string[] = []
    const { model, requests } = modelOf((_request, { signal }) => {
      signal.addEventListener('abort', () => told.push(`signal: ${signal.reason.message}`))
      return {
        [Symbol.asyncIterator]: () => ({
          next: () => new Promise(() => {}),
          return: () => (told.push('return'), Promise.reject(new Error('already closed'))),
        }),
      }
    })
    const { agent } = makeAgent([], { model })
    const run = agent.invoke('go')
    await tick()
    agent.cancel('stop it')
    expect(told).toEqual(['signal: stop it'])
    await run
    await tick()
    expect(told).toEqual(['signal: stop it', 'return'])
    await holdsInvariant(agent, { requests, expected: 1 })
  })

  it('is looked at before each event: nothing of the message is told after it', async () => {
    const { model, requests } = modelOf(async function* () {
      yield* eventsOf({ text: 'one two three four' })
    })
    const { agent } = makeAgent([], { model })
    const { events } = await collect(
      agent.stream('go', {
        onEvent: (event) => {
          if (event.type === 'text_delta' && event.text === 'two ') agent.cancel('stop it')
        },
      }),
    )
    expect(events.flatMap((event) => (event.type === 'text_delta' ? [event.text] : []))).toEqual(['one ', 'two '])
    await holdsInvariant(agent, { requests, expected: 1, events })
  })
})
