import { describe, expect, it } from 'vitest'
import { NetworkError } from '../../src/errors.ts'
import { collect } from '../../src/testing/collect.ts'
import { eventsOf } from '../../src/testing/scripted-model.ts'
import { tick } from '../../src/util/clock.ts'
import { makeAgent } from '../support/make-agent.ts'
import { look } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

describe('AgentResult', () => {
  it('as a string is the text of the message, without thinking', async () => {
    const { agent } = makeAgent([{ reasoning: 'Hm.', text: 'So it is.' }])
    const result = await agent.invoke('go')
    expect([String(result), result.text]).toEqual(['So it is.', 'So it is.'])
  })

  it('as a string is empty when the model said nothing, though the history has a placeholder', async () => {
    const { agent } = makeAgent([{}])
    const result = await agent.invoke('go')
    expect(String(result)).toBe('')
    expect(result.message).toBe(agent.messages[1])
    expect(result.message.content).toEqual([{ type: 'text', text: '[no content]' }])
  })

  it('as JSON loses nothing that is data, and names what is none', async () => {
    const { agent } = makeAgent([{ text: 'Yes.' }])
    const circle: Record<string, unknown> = { a: 1 }
    circle['self'] = circle
    const result = await agent.invoke('go', {
      invocationState: { count: 1, at: new Date(0), map: new Map([['k', 1n]]), fn: () => {}, circle, pending: Promise.resolve() },
    })
    const json = JSON.parse(JSON.stringify(result))
    expect(Object.keys(json).sort()).toEqual([
      'interrupts',
      'invocationState',
      'message',
      'metrics',
      'partial',
      'stopReason',
      'text',
      'trace',
      'usage',
    ])
    expect(json.invocationState).toEqual({
      count: 1,
      at: '1970-01-01T00:00:00.000Z',
      map: { k: '1' },
      fn: '[function fn]',
      circle: { a: 1, self: '[circular]' },
      pending: '[object]',
    })
    expect(json.trace).toEqual(result.trace)
    expect(json.message).toEqual(result.message)
    expect(json.usage).toEqual(result.usage)
    expect(json.metrics).toEqual(result.metrics)
  })

  it('counts time by the clock of the agent, and the tokens of attempts that were discarded', async () => {
    const { agent, clock } = makeAgent(
      [
        { text: 'a', error: new NetworkError('reset'), after: 3 },
        { calls: [{ name: 'look', input: { at: 1 } }], usage: { inputTokens: 7, outputTokens: 3, cacheReadTokens: 2 } },
        { text: 'Yes.' },
      ],
      {
        tools: [
          look(async () => {
            await clock.advance(50)
            return 'seen'
          }),
        ],
      },
    )
    agent.on('afterModelCall', (event) => {
      if (event.error) event.retry = { delayMs: 1000, reason: 'network' }
    })
    const run = agent.invoke('go')
    await tick()
    await clock.advance(1000)
    const { usage, metrics, trace } = await run
    expect(usage).toEqual({ inputTokens: 17, outputTokens: 8, totalTokens: 25, cacheReadTokens: 2 })
    expect(metrics).toEqual({
      turns: 2,
      modelCalls: 3,
      retries: 1,
      durationMs: 1050,
      modelMs: 0,
      timeToFirstTokenMs: 0,
      tools: { look: { calls: 1, errors: 0, ms: 50 } },
    })
    expect(trace).toEqual({
      kind: 'invocation',
      name: 'agent',
      startedAt: 1000,
      durationMs: 1050,
      children: [
        {
          kind: 'turn',
          name: 'turn 1',
          startedAt: 1000,
          durationMs: 1050,
          children: [
            { kind: 'model', name: 'scripted', startedAt: 1000, durationMs: 0, error: 'network' },
            { kind: 'model', name: 'scripted', startedAt: 2000, durationMs: 0 },
            { kind: 'tool', name: 'look', startedAt: 2000, durationMs: 50 },
          ],
        },
        {
          kind: 'turn',
          name: 'turn 2',
          startedAt: 2050,
          durationMs: 0,
          children: [{ kind: 'model', name: 'scripted', startedAt: 2050, durationMs: 0 }],
        },
      ],
    })
  })

  it('counts the tokens of an attempt that broke, whether it is repeated or the run fails', async () => {
    const broken = { usage: { inputTokens: 7, outputTokens: 1 } }
    const make = () =>
      makeAgent([], {
        model: {
          provider: 'p',
          id: 'm',
          async *stream() {
            yield { type: 'metadata', ...broken }
            if (++attempts === 1) throw new NetworkError('reset')
            yield* eventsOf({ text: 'Yes.' })
          },
        },
      })
    let attempts = 0
    const failed = await collect(make().agent.stream('go'))
    expect(failed.error?.partial?.usage).toEqual({ inputTokens: 7, outputTokens: 1, totalTokens: 8 })

    attempts = 0
    const { agent } = make()
    agent.on('afterModelCall', (event) => {
      if (event.error) event.retry = { delayMs: 0, reason: 'network' }
    })
    expect((await agent.invoke('go')).usage).toEqual({ inputTokens: 24, outputTokens: 7, totalTokens: 31 })
  })

  it('has no part of a pass that failed when a hook has the run go on', async () => {
    const { agent } = makeAgent([{ text: 'half of it', error: new NetworkError('reset'), after: 4 }])
    agent.on('afterInvocation', (event) => {
      if (event.error) event.resume = []
    })
    const result = await agent.invoke('go', { limits: { turns: 1 } })
    expect([result.stopReason, result.partial]).toEqual(['limit_turns', []])
  })

  it('of a limit before any answer has the call that was answered', async () => {
    const { agent } = makeAgent([{ calls: [{ name: 'look', input: { at: 1 } }] }], { tools: [look()] })
    const result = await agent.invoke('go', { limits: { turns: 1 } })
    expect(result.message).toBe(agent.messages[1])
    expect(String(result)).toBe('')
  })
})

describe('events as JSON', () => {
  it('lose nothing: each is what it was, and an error tells all that it has', async () => {
    const { agent } = makeAgent(
      [
        { calls: [{ name: 'look', input: { at: 1 } }] },
        { text: 'a b', error: new NetworkError('reset', { provider: 'scripted', status: 599, cause: new TypeError('socket') }), after: 4 },
      ],
      { tools: [look()] },
    )
    const { events, error } = await collect(agent.stream('go'))
    for (const event of events) if (event.type !== 'invocation_error') expect(JSON.parse(JSON.stringify(event))).toEqual(event)
    expect(JSON.parse(JSON.stringify(events.at(-1)))).toEqual({
      type: 'invocation_error',
      invocationId: 'inv_1',
      turn: 2,
      error: {
        name: 'NetworkError',
        code: 'network',
        message: 'reset',
        provider: 'scripted',
        status: 599,
        retryable: true,
        cause: 'TypeError: socket',
        partial: { text: 'a b', results: [], usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 }, messages: agent.messages },
      },
    })
    expect(error?.partial?.messages).toBe(agent.messages)
  })

  it('of a run that went well hold its result', async () => {
    const { agent } = makeAgent([{ text: 'Yes.' }])
    const { events, result } = await collect(agent.stream('go'))
    expect(JSON.parse(JSON.stringify(events.at(-1)))).toEqual({
      type: 'invocation_end',
      invocationId: 'inv_1',
      turn: 1,
      result: JSON.parse(JSON.stringify(result)),
    })
  })

  it('hold progress as it was when it was told', async () => {
    const { agent } = makeAgent([{ calls: [{ name: 'look', input: { at: 1 } }] }, { text: 'Yes.' }], {
      tools: [
        look(async function* () {
          const growing: unknown[] = [1]
          yield growing
          growing.push(2)
          yield growing
          yield new Map([['big', 1n]])
          yield undefined
        }),
      ],
    })
    const { events } = await collect(agent.stream('go'))
    expect(events.flatMap((event) => (event.type === 'tool_progress' ? [event.value] : []))).toEqual([[1], [1, 2], { big: '1' }, null])
    for (const event of events) expect(() => JSON.stringify(event)).not.toThrow()
  })
})
