import { describe, expect, it } from 'vitest'
import type { Agent } from '../../src/agent/agent.ts'
import type { ContextManager } from '../../src/context/context-manager.ts'
import { askForSummary } from '../../src/context/ask-for-summary.ts'
import type { Stages } from '../../src/hooks/hooks.ts'
import type { ModelEvent } from '../../src/models/model-events.ts'
import type { Model } from '../../src/models/model.ts'
import { eventsOf } from '../../src/testing/scripted-model.ts'
import { tick } from '../../src/util/clock.ts'
import { autoClock } from '../support/auto-clock.ts'
import { makeAgent } from '../support/make-agent.ts'
import { settlesWithin } from '../support/settles.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

/** A provider whose streams tell how they ended, and whether their signal fired. `tail` is how one goes on behind its events. */
function provider(tail: 'end' | 'break' | 'hang' | 'deaf' = 'end'): Model & { readonly ends: string[] } {
  const ends: string[] = []
  return {
    provider: 'p',
    id: 'm',
    ends,
    stream(_, { signal }) {
      const events = [...eventsOf({ text: 'One two three.' })]
      return {
        [Symbol.asyncIterator]: () => ({
          next: async () => {
            const value = events.shift()
            if (value) return { done: false, value }
            if (tail === 'break') throw new Error('broken')
            if (tail === 'hang' || tail === 'deaf') await new Promise(() => {})
            ends.push('end')
            return { done: true, value: undefined }
          },
          return: async () => {
            ends.push(signal.aborted ? 'closed, aborted' : 'closed')
            return { done: true, value: undefined }
          },
        }),
      }
    },
  }
}

const take = async (iterator: AsyncIterator<ModelEvent>): Promise<ModelEvent> => (await iterator.next()).value as ModelEvent

/** Middleware that takes one event, or more, of the stream that it is given, and then drops it. */
const dropping: readonly [string, Stages['model'], ending: string | undefined][] = [
  [
    'answers itself',
    async function* (request, next) {
      await take(next(request)[Symbol.asyncIterator]())
      yield* eventsOf({ text: 'Mine.' })
    },
    'end_turn',
  ],
  [
    'throws',
    // oxlint-disable-next-line require-yield
    async function* (request, next) {
      await take(next(request)[Symbol.asyncIterator]())
      throw new Error('no')
    },
    undefined,
  ],
  [
    'ends too soon',
    async function* (request, next) {
      yield await take(next(request)[Symbol.asyncIterator]())
    },
    undefined,
  ],
  [
    'goes to another stream',
    async function* (request, next) {
      await take(next(request)[Symbol.asyncIterator]())
      yield* next(request)
    },
    'end_turn',
  ],
]

async function endOf(agent: Agent): Promise<string | undefined> {
  const settled = await settlesWithin(agent.invoke('go'), 50, 'the run')
  return settled.status === 'fulfilled' ? settled.value.stopReason : undefined
}

describe('a stream of the provider that a middleware took and dropped is closed when the call of the model ends', () => {
  it.each(dropping)('though the middleware %s', async (_, middleware, ending) => {
    const model = provider()
    const { agent } = makeAgent([], { model })
    agent.use('model', middleware)
    expect(await endOf(agent)).toBe(ending)
    expect(model.ends.filter((end) => end !== 'end')).toEqual(['closed, aborted'])
  })

  it('though the middleware hangs, once the run is cancelled', async () => {
    const model = provider()
    const { agent } = makeAgent([], { model, clock: autoClock() })
    // oxlint-disable-next-line require-yield
    agent.use('model', async function* (request, next) {
      await take(next(request)[Symbol.asyncIterator]())
      await new Promise(() => {})
    })
    const running = agent.invoke('go')
    for (let turn = 0; turn < 5; turn++) await tick()
    agent.cancel()
    expect((await running).stopReason).toBe('cancelled')
    expect(model.ends).toEqual(['closed, aborted'])
  })

  it('though the consumer leaves', async () => {
    const model = provider()
    const { agent } = makeAgent([], { model, clock: autoClock() })
    agent.use('model', async function* (request, next) {
      const iterator = next(request)[Symbol.asyncIterator]()
      for (;;) yield await take(iterator)
    })
    for await (const { type } of agent.stream('go')) if (type === 'text_delta') break
    expect(model.ends).toEqual(['closed, aborted'])
  })
})

describe('a stream that a middleware hands on', () => {
  const handsOn: Stages['model'] = async function* (request, next) {
    yield* next(request)
  }

  it.each([
    ['is not closed once it has ended', 'end', ['end']],
    ['is not closed once it has broken', 'break', []],
    ['is closed once where it stays open behind its message', 'deaf', ['closed, aborted']],
  ] as const)('%s', async (_, tail, ends) => {
    const model = provider(tail)
    const { agent } = makeAgent([], { model, clock: autoClock() })
    agent.use('model', handsOn)
    expect(await endOf(agent)).toBe('end_turn')
    for (let turn = 0; turn < 5; turn++) await tick()
    expect(model.ends).toEqual(ends)
  })

  it('is closed once when the consumer leaves', async () => {
    const model = provider()
    const { agent } = makeAgent([], { model, clock: autoClock() })
    agent.use('model', handsOn)
    for await (const { type } of agent.stream('go')) if (type === 'text_delta') break
    for (let turn = 0; turn < 5; turn++) await tick()
    expect(model.ends).toEqual(['closed, aborted'])
  })
})

it('without middleware, a stream with an event that is none behind its message is closed, too', async () => {
  const model = provider()
  const { agent } = makeAgent([], {
    model: {
      ...model,
      stream: (request, options) => {
        const iterator = model.stream(request, options)[Symbol.asyncIterator]()
        let stopped = false
        return {
          [Symbol.asyncIterator]: () => ({
            ...iterator,
            next: async () => {
              if (stopped) return { done: false, value: null as never }
              const step = await iterator.next()
              stopped = !step.done && step.value.type === 'message_stop'
              return step
            },
          }),
        }
      },
    },
  })
  expect(await endOf(agent)).toBe('end_turn')
  expect(model.ends).toEqual(['closed, aborted'])
})

it('a stream for a summary that a middleware dropped is closed', async () => {
  const model = provider()
  const context: ContextManager = {
    name: 'summary',
    before: async (view) => {
      await askForSummary(view.model, {
        instructions: 'i',
        text: 't',
        maxTokens: 10,
        signal: view.signal,
        ask: view.ask,
        spend: view.spend,
      })
      return undefined
    },
    reduce: async () => undefined,
  }
  const { agent } = makeAgent([], { model, context })
  agent.use('context_model', async function* ({ request }, next) {
    await take(next(request)[Symbol.asyncIterator]())
    yield* eventsOf({ text: 'Mine.' })
  })
  expect(await endOf(agent)).toBe('end_turn')
  expect(model.ends).toEqual(['closed, aborted', 'end'])
})
