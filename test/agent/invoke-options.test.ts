import { describe, expect, it } from 'vitest'
import { AgentError } from '../../src/errors.ts'
import { collect } from '../../src/testing/collect.ts'
import { eventsOf } from '../../src/testing/scripted-model.ts'
import { makeAgent } from '../support/make-agent.ts'
import { look } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const done = { text: 'Done.' }

describe('options of a call are checked before the run', () => {
  it.each([
    [null, 'The options must be an object, got null.'],
    ['fast', 'The options must be an object, got "fast".'],
    [[], 'The options must be an object, got an array.'],
    [{ signal: {} }, '`signal` must be an AbortSignal (from an AbortController, or AbortSignal.timeout(ms)).'],
    [{ signal: null }, '`signal` must be an AbortSignal (from an AbortController, or AbortSignal.timeout(ms)).'],
    [{ onEvent: {} }, '`onEvent` must be a function, got object.'],
    [{ invocationState: 'x' }, '`invocationState` must be an object, got "x".'],
    [{ invocationState: [] }, '`invocationState` must be an object, got an array.'],
    [{ toolChoice: 'any' }, '`toolChoice` must be "auto", "none", "required" or { name: "a_tool" }, got "any".'],
    [{ toolChoice: null }, '`toolChoice` must be "auto", "none", "required" or { name: "a_tool" }, got null.'],
    [{ toolChoice: {} }, '`toolChoice` must be "auto", "none", "required" or { name: "a_tool" }, got an object.'],
    [{ keepPartialText: 'yes' }, '`keepPartialText` must be true or false, got "yes".'],
    [{ partialInput: 1 }, '`partialInput` must be true or false, got 1.'],
    [{ rawEvents: 'all' }, '`rawEvents` must be true or false, got "all".'],
    [
      { steps: {} },
      "`steps` must be a step runner { concurrency: 'none', 'start_order' or 'any_order', run(step, fn, options) }, got an object.",
    ],
    [{ limits: 3 }, '`limits` must be an object such as { turns: 10 }, got 3.'],
    [{ limits: [] }, '`limits` must be an object such as { turns: 10 }, got an array.'],
    [{ limits: { turns: 0 } }, 'limits.turns must be a positive integer, got 0.'],
    [{ limits: { turns: -1 } }, 'limits.turns must be a positive integer, got -1.'],
    [{ limits: { totalTokens: 1.5 } }, 'limits.totalTokens must be a positive integer, got 1.5.'],
    [{ limits: { outputTokens: '5' } }, 'limits.outputTokens must be a positive integer, got 5.'],
    [{ limits: { turns: true } }, 'limits.turns must be a positive integer, got true.'],
    [{ limits: { turns: Infinity } }, 'limits.turns must be a positive integer, got Infinity.'],
    [{ limits: { turns: null } }, 'limits.turns must be a positive integer, got null.'],
    [{ limits: { tokens: 5 } }, 'There is no limit "tokens". Limits are: turns, totalTokens, outputTokens.'],
    [
      { onevent: () => {} },
      'There is no option "onevent". Did you mean "onEvent"? Known: signal, limits, invocationState, onEvent, toolChoice, keepPartialText, partialInput, rawEvents, steps, budget, checkpointing, idempotencyToken, output.',
    ],
  ])('%j', async (options, message) => {
    const { agent, model } = makeAgent([done])
    const error: unknown = await agent.invoke('go', options as never).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AgentError)
    expect(error).toMatchObject({ code: 'invalid_input', message })
    expect(() => agent.stream('go', options as never)).toThrow(message)
    expect([agent.messages.length, model.requests.length, agent.isRunning]).toEqual([0, 0, false])
  })

  it('undefined is not given', async () => {
    const { agent } = makeAgent([done])
    expect((await agent.invoke('go', { signal: undefined, limits: undefined, onEvent: undefined, output: undefined })).text).toBe('Done.')
  })
})

describe('toolChoice', () => {
  it.each(['required', { name: 'look' }] as const)('%j holds until the model has answered once', async (toolChoice) => {
    const { agent, model } = makeAgent([{ error: new Error('busy') }, { calls: [{ name: 'look', input: { at: 1 } }] }, done], {
      tools: [look()],
    })
    agent.on('afterModelCall', (event) => {
      if (event.error) event.retry = { delayMs: 0, reason: 'busy' }
    })
    await agent.invoke('go', { toolChoice })
    expect(model.requests.map((request) => request.toolChoice)).toEqual([toolChoice, toolChoice, 'auto'])
  })

  it('none holds for all of the run', async () => {
    const { agent, model } = makeAgent([{ calls: [{ name: 'look', input: { at: 1 } }] }, done], { tools: [look()] })
    await agent.invoke('go', { toolChoice: 'none' })
    expect(model.requests.map((request) => request.toolChoice)).toEqual(['none', 'none'])
  })
})

describe('events on request', () => {
  it('partialInput gives the input as it grows', async () => {
    const { agent } = makeAgent([{ calls: [{ name: 'look', input: '{"at": 12}' }] }, done], { tools: [look()] })
    const { events } = await collect(agent.stream('go', { partialInput: true }))
    expect(events.flatMap((event) => (event.type === 'tool_input_delta' ? [event.partial] : []))).toEqual([{}, { at: 12 }])
  })

  it('rawEvents gives the chunk of the provider before what was made of it', async () => {
    const asked: unknown[] = []
    const { agent } = makeAgent([], {
      model: {
        provider: 'p',
        id: 'm',
        async *stream(_request, { raw }) {
          asked.push(raw)
          for (const event of eventsOf({ text: 'a' })) {
            if (raw) yield { type: 'raw', chunk: { about: event.type } }
            yield event
          }
        },
      },
    })
    const { events } = await collect(agent.stream('go', { rawEvents: true }))
    const types = events.map((event) => (event.type === 'raw_chunk' ? `raw ${JSON.stringify(event.chunk)}` : event.type))
    expect(types.slice(types.indexOf('message_start'), types.indexOf('message_end') + 1)).toEqual([
      'message_start',
      'raw {"about":"message_start"}',
      'raw {"about":"block_start"}',
      'text_start',
      'raw {"about":"block_delta"}',
      'text_delta',
      'raw {"about":"block_stop"}',
      'text_end',
      'raw {"about":"message_stop"}',
      'raw {"about":"metadata"}',
      'message_end',
    ])
    await agent.invoke('again')
    expect(asked).toEqual([true, undefined])
  })
})
