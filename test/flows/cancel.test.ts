import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { Agent } from '../../src/agent/agent.ts'
import type { AgentEvent } from '../../src/agent/events.ts'
import type { HookName } from '../../src/hooks/hooks.ts'
import { collect } from '../../src/testing/collect.ts'
import type { ScriptStep } from '../../src/testing/scripted-model.ts'
import { tick } from '../../src/util/clock.ts'
import { frontDoors } from '../support/front-doors.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { deferred } from '../support/promises.ts'
import { settlesWithin } from '../support/settles.ts'
import { sketch } from '../support/sketch.ts'
import { look, toolNamed, write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const next: ScriptStep = { text: 'The next answer.' }
const closing = 'assistant: "[The run was cancelled before the answer was complete: stop it]"'
const callsLook: ScriptStep = { calls: [{ name: 'look', input: { at: 1 } }] }
const callsWrite: ScriptStep = { calls: [{ name: 'write', input: { at: 1 } }] }
const stopIt = (agent: Agent): void => agent.cancel('stop it')
const never = (): Promise<never> => new Promise(() => {})

describe.each(Object.entries(frontDoors))('%s', (_door, enter) => {
  it('a signal that has fired already: the input is stored, the model is not asked', async () => {
    const { agent, model } = makeAgent([next])
    const ended = await enter(agent, 'go', { signal: AbortSignal.abort(new Error('stop it')) })
    expect(ended.result?.stopReason).toBe('cancelled')
    expect(sketch(agent.messages)).toEqual(['user: "go"', closing])
    await holdsInvariant(agent, { requests: model.requests, expected: 0, ...(ended.events && { events: ended.events }) })
  })

  it.each([
    ['that obeys its signal', true as const],
    ['that is deaf', 'deaf' as const],
  ])('in a stream %s', async (_what, hang) => {
    const { agent, model } = makeAgent([{ text: 'one two three', hang, after: 4 }, next])
    const run = enter(agent, 'go')
    await tick()
    stopIt(agent)
    const settled = await settlesWithin(run, 5, 'the run')
    const ended = settled.status === 'fulfilled' ? settled.value : undefined
    expect(ended?.result?.stopReason).toBe('cancelled')
    expect(ended?.result?.partial).toEqual([{ type: 'text', text: 'one two ' }])
    expect(sketch(agent.messages)).toEqual(['user: "go"', closing])
    await holdsInvariant(agent, { requests: model.requests, expected: 1, ...(ended?.events && { events: ended.events }) })
  })

  it('in a stream, and what was said is kept on request', async () => {
    const { agent, model } = makeAgent([{ reasoning: 'Hm.', text: 'one two three', hang: true, after: 7 }, next])
    const run = enter(agent, 'go', { keepPartialText: true })
    await tick()
    stopIt(agent)
    const { result, events } = await run
    expect(sketch(agent.messages)).toEqual([
      'user: "go"',
      'assistant: "one two " "[The run was cancelled before the answer was complete: stop it]"',
    ])
    expect(result?.message).toBe(agent.messages[1])
    await holdsInvariant(agent, { requests: model.requests, expected: 1, ...(events && { events }) })
  })

  it('with the external signal, whose reason is told; nothing of the run is left on it', async () => {
    const { agent, model } = makeAgent([{ hang: true }, next])
    const outside = new AbortController()
    const run = enter(agent, 'go', { signal: outside.signal })
    await tick()
    outside.abort(new Error('stop it'))
    const { result, events } = await run
    expect(result?.stopReason).toBe('cancelled')
    expect(sketch(agent.messages)).toEqual(['user: "go"', closing])
    expect(getEventListeners(outside.signal, 'abort')).toEqual([])
    await holdsInvariant(agent, { requests: model.requests, expected: 1, ...(events && { events }) })
  })

  it('in a tool that obeys: what it was doing may be done', async () => {
    const { agent, model } = makeAgent([callsWrite, next], {
      tools: [
        write((_input, { signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))),
      ],
    })
    const run = enter(agent, 'go')
    await tick()
    stopIt(agent)
    const { result, events } = await run
    expect(result?.stopReason).toBe('cancelled')
    expect(sketch(agent.messages)).toEqual([
      'user: "go"',
      'assistant: write#call_1 {"at":1}',
      'user: call_1 error/cancelled "The call was cancelled while it ran. It may or may not have done its work."',
      closing,
    ])
    await holdsInvariant(agent, { requests: model.requests, expected: 1, ...(events && { events }) })
  })

  it('in a tool that ends its work all the same: the result counts', async () => {
    const work = deferred()
    const { agent, model } = makeAgent([callsWrite, next], {
      tools: [
        write(async () => {
          await work.promise
          return 'written'
        }),
      ],
    })
    const run = enter(agent, 'go')
    await tick()
    stopIt(agent)
    await tick()
    work.resolve()
    const { result, events } = await run
    expect(result?.stopReason).toBe('cancelled')
    expect(sketch(agent.messages)).toEqual(['user: "go"', 'assistant: write#call_1 {"at":1}', 'user: call_1 success "written"', closing])
    await holdsInvariant(agent, { requests: model.requests, expected: 1, ...(events && { events }) })
  })

  it('in a deaf tool that only reads: it is left behind in a tick', async () => {
    const { agent, model } = makeAgent([callsLook, next], { tools: [look(never)] })
    const run = enter(agent, 'go')
    await tick()
    stopIt(agent)
    const settled = await settlesWithin(run, 5, 'the run')
    const events = settled.status === 'fulfilled' ? settled.value.events : undefined
    expect(sketch(agent.messages)).toEqual([
      'user: "go"',
      'assistant: look#call_1 {"at":1}',
      'user: call_1 error/cancelled "The call was cancelled while it ran. It may or may not have done its work."',
      closing,
    ])
    await holdsInvariant(agent, { requests: model.requests, expected: 1, ...(events && { events }) })
  })

  it('in a deaf tool that may write: it has 2,000 ms to end', async () => {
    const { agent, model, clock } = makeAgent([callsWrite, next], { tools: [write(never)] })
    const run = enter(agent, 'go')
    await tick()
    stopIt(agent)
    await clock.advance(1999)
    expect(agent.isRunning).toBe(true)
    await clock.advance(1)
    const settled = await settlesWithin(run, 5, 'the run')
    const events = settled.status === 'fulfilled' ? settled.value.events : undefined
    expect(sketch(agent.messages)).toEqual([
      'user: "go"',
      'assistant: write#call_1 {"at":1}',
      'user: call_1 error/cancelled "The call was cancelled while it ran. It may or may not have done its work."',
      closing,
    ])
    await holdsInvariant(agent, { requests: model.requests, expected: 1, ...(events && { events }) })
  })

  it('in a deaf tool that says how long it may take', async () => {
    const { agent, model, clock } = makeAgent([callsWrite, next], { tools: [toolNamed('write', never, { settleMs: 50 })] })
    const run = enter(agent, 'go')
    await tick()
    stopIt(agent)
    await clock.advance(49)
    expect(agent.isRunning).toBe(true)
    await clock.advance(1)
    const settled = await settlesWithin(run, 5, 'the run')
    const events = settled.status === 'fulfilled' ? settled.value.events : undefined
    await holdsInvariant(agent, { requests: model.requests, expected: 1, ...(events && { events }) })
  })

  it('between two calls: the second does not start', async () => {
    let agent!: Agent
    const ran: number[] = []
    const made = makeAgent([{ calls: [1, 2, 3].map((at) => ({ name: 'write', input: { at } })) }, next], {
      tools: [
        write(({ at }) => {
          ran.push(at)
          if (at === 2) stopIt(agent)
          return `written ${at}`
        }),
      ],
    })
    agent = made.agent
    const { result, events } = await enter(agent, 'go')
    expect(ran).toEqual([1, 2])
    expect(result?.stopReason).toBe('cancelled')
    expect(sketch(agent.messages)).toEqual([
      'user: "go"',
      'assistant: write#call_1 {"at":1} write#call_2 {"at":2} write#call_3 {"at":3}',
      'user: call_1 success "written 1" call_2 success "written 2" call_3 error/cancelled "The call was not run: the run ended before it."',
      closing,
    ])
    await holdsInvariant(agent, { requests: made.model.requests, expected: 1, ...(events && { events }) })
  })

  it.each([
    ['beforeInvocation', 0],
    ['messageAdded', 0],
    ['beforeModelCall', 0],
    ['afterModelCall', 1],
    ['beforeTools', 1],
    ['beforeToolCall', 1],
    ['afterToolCall', 1],
    ['afterTools', 1],
  ] satisfies [HookName, number][])('in a %s hook', async (hook, asked) => {
    const ran: number[] = []
    const { agent, model } = makeAgent(
      [{ calls: [1, 2].map((at) => ({ name: 'write', input: { at } })) }, next].slice(asked === 0 ? 1 : 0),
      {
        tools: [
          write(({ at }) => {
            ran.push(at)
            return `written ${at}`
          }),
        ],
      },
    )
    const off = agent.on(hook, () => stopIt(agent))
    const { result, events } = await enter(agent, 'go')
    off()
    expect(result?.stopReason).toBe('cancelled')
    expect(ran).toEqual({ afterToolCall: [1], afterTools: [1, 2] }[hook as string] ?? [])
    expect(sketch(agent.messages).at(-1)).toBe(closing)
    await holdsInvariant(agent, { requests: model.requests, expected: asked, ...(events && { events }) })
  })

  it('in a hook that hangs: it has the grace of the agent', async () => {
    const { agent, model, clock } = makeAgent([next], { cancelGraceMs: 300 })
    const off = agent.on('beforeModelCall', never)
    const run = enter(agent, 'go')
    await tick()
    stopIt(agent)
    await clock.advance(299)
    expect(agent.isRunning).toBe(true)
    await clock.advance(1)
    const settled = await settlesWithin(run, 5, 'the run')
    off()
    const events = settled.status === 'fulfilled' ? settled.value.events : undefined
    expect(sketch(agent.messages)).toEqual(['user: "go"', closing])
    await holdsInvariant(agent, { requests: model.requests, expected: 0, ...(events && { events }) })
  })

  it('while a paused message is gone on with: that is closed, too', async () => {
    const { agent, model } = makeAgent([{ text: 'One, ', stopReason: 'pause_turn' }, { text: 'two', hang: true, after: 2 }, next])
    const run = enter(agent, 'go')
    await tick()
    stopIt(agent)
    const { result, events } = await run
    expect(result?.stopReason).toBe('cancelled')
    expect(sketch(agent.messages)).toEqual([
      'user: "go"',
      'assistant: "One, " "[The run was cancelled before the answer was complete: stop it]"',
    ])
    expect(agent.messages[1]!.metadata).not.toHaveProperty('stopReason')
    await holdsInvariant(agent, { requests: model.requests, expected: 2, ...(events && { events }) })
  })

  it('when the message was complete but is not stored yet: it is kept on request', async () => {
    const { agent, model } = makeAgent([{ text: 'All of it.' }, next])
    const off = agent.on('afterModelCall', () => stopIt(agent))
    const { result, events } = await enter(agent, 'go', { keepPartialText: true })
    off()
    expect(result?.partial).toEqual([{ type: 'text', text: 'All of it.' }])
    expect(sketch(agent.messages)).toEqual([
      'user: "go"',
      'assistant: "All of it." "[The run was cancelled before the answer was complete: stop it]"',
    ])
    await holdsInvariant(agent, { requests: model.requests, expected: 1, ...(events && { events }) })
  })

  it('before an open call of the history is answered: it is not run', async () => {
    let ran = 0
    const { agent, model } = makeAgent([next], {
      tools: [look(() => ++ran)],
      messages: [
        { role: 'user', content: 'before' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'old', name: 'look', input: { at: 1 } }] },
      ],
    })
    const { result, events } = await enter(agent, undefined, { signal: AbortSignal.abort(new Error('stop it')) })
    expect([result?.stopReason, ran]).toEqual(['cancelled', 0])
    expect(sketch(agent.messages)).toEqual([
      'user: "before"',
      'assistant: look#old {"at":1}',
      'user: old error/cancelled "The call was not run: the run ended before it."',
      closing,
    ])
    await holdsInvariant(agent, { requests: model.requests, expected: 0, ...(events && { events }) })
  })

  it('with nothing to answer: the history stays as it was', async () => {
    const { agent, model } = makeAgent([next], {
      messages: [
        { role: 'user', content: 'before' },
        { role: 'assistant', content: 'An answer.' },
      ],
    })
    const { result, events } = await enter(agent, undefined, { signal: AbortSignal.abort(new Error('stop it')) })
    expect(result?.stopReason).toBe('cancelled')
    expect(sketch(agent.messages)).toEqual(['user: "before"', 'assistant: "An answer."'])
    await holdsInvariant(agent, { requests: model.requests, expected: 0, ...(events && { events }) })
  })

  it('at the wait before a repeated model call', async () => {
    const { agent, model, clock } = makeAgent([{ text: 'withdrawn', error: new Error('busy'), after: 3 }, next])
    agent.on('afterModelCall', (event) => {
      if (event.error) event.retry = { delayMs: 60_000, reason: 'throttled' }
    })
    const run = enter(agent, 'go', { keepPartialText: true })
    await tick()
    expect(clock.sleeping).toBe(1)
    stopIt(agent)
    const settled = await settlesWithin(run, 5, 'the run')
    const events = settled.status === 'fulfilled' ? settled.value.events : undefined
    expect(clock.sleeping).toBe(0)
    expect(sketch(agent.messages)).toEqual(['user: "go"', closing])
    await holdsInvariant(agent, { requests: model.requests, expected: 1, ...(events && { events }) })
  })

  it('while a plug-in is being set up: the input is stored', async () => {
    const setup = deferred()
    const { agent, model } = makeAgent([next], { plugins: [{ name: 'slow', setup: () => setup.promise }] })
    const run = enter(agent, 'go')
    await tick()
    stopIt(agent)
    const settled = await settlesWithin(run, 5, 'the run')
    const events = settled.status === 'fulfilled' ? settled.value.events : undefined
    expect(sketch(agent.messages)).toEqual(['user: "go"', closing])
    setup.resolve()
    await holdsInvariant(agent, { requests: model.requests, expected: 0, ...(events && { events }) })
  })
})

describe('the one who reads', () => {
  it('ends the run by stream.cancel(), before it has begun and later', async () => {
    const early = makeAgent([next])
    const unread = early.agent.stream('go')
    unread.cancel('stop it')
    expect((await collect(unread)).result?.stopReason).toBe('cancelled')
    expect(sketch(early.agent.messages)).toEqual(['user: "go"', closing])
    await holdsInvariant(early.agent, { requests: early.model.requests, expected: 0, stream: unread })

    const late = makeAgent([{ text: 'one two', hang: true, after: 3 }, next])
    const stream = late.agent.stream('go')
    const events: AgentEvent[] = []
    for await (const event of stream) {
      events.push(event)
      if (event.type === 'text_delta') stream.cancel('stop it')
    }
    expect((await stream.result).stopReason).toBe('cancelled')
    expect(events.at(-1)?.type).toBe('invocation_end')
    await holdsInvariant(late.agent, { requests: late.model.requests, expected: 1, events, stream })
  })

  it('who hangs in onEvent does not hold a cancelled run', async () => {
    const { agent, model } = makeAgent([{ text: 'one two' }, next])
    const run = agent.invoke('go', { onEvent: ({ type }) => (type === 'text_delta' ? never() : undefined) })
    await tick()
    expect(agent.isRunning).toBe(true)
    stopIt(agent)
    await settlesWithin(run, 5, 'the run')
    expect((await run).stopReason).toBe('cancelled')
    await holdsInvariant(agent, { requests: model.requests, expected: 1 })
  })

  it('who reads no more does not hold a cancelled run', async () => {
    const { agent, model } = makeAgent([{ text: 'a '.repeat(500) }, next])
    const stream = agent.stream('go')
    const iterator = stream[Symbol.asyncIterator]()
    await iterator.next()
    for (let i = 0; i < 5; i++) await tick()
    expect(agent.isRunning).toBe(true)
    stopIt(agent)
    for (let i = 0; i < 5; i++) await tick()
    expect(agent.isRunning).toBe(false)
    expect((await stream.result).stopReason).toBe('cancelled')
    await holdsInvariant(agent, { requests: model.requests, expected: 1 })
  })
})

it('agent.cancel() while idle does nothing, not to the next run either', async () => {
  const { agent, model } = makeAgent([{ text: 'Fine.' }, next])
  stopIt(agent)
  expect((await agent.invoke('go')).stopReason).toBe('end_turn')
  stopIt(agent)
  await holdsInvariant(agent, { requests: model.requests, expected: 1 })
})

it('fifty calls at once and a long run leave no listener behind and give no warning', async () => {
  const many: ScriptStep = { calls: Array.from({ length: 50 }, (_, at) => ({ name: 'look', input: { at } })) }
  const outside = new AbortController()
  const { agent, model } = makeAgent([many, many, many, next, next], { tools: [look(async ({ at }) => `seen ${at}`)], maxConcurrency: 50 })
  let listeners = 0
  agent.on('afterTools', ({ signal }) => {
    listeners = Math.max(listeners, getEventListeners(signal, 'abort').length)
  })
  await agent.invoke('go', { signal: outside.signal })
  expect(listeners).toBe(0)
  expect(getEventListeners(outside.signal, 'abort')).toEqual([])
  await holdsInvariant(agent, { requests: model.requests, expected: 4 })
})
