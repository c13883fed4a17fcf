import { describe, expect, it } from 'vitest'
import { answer } from '../../src/interrupts/interrupt.ts'
import { Agent } from '../../src/agent/agent.ts'
import { concurrent } from '../../src/tools/strategies.ts'
import { collect } from '../../src/testing/collect.ts'
import { countingIds } from '../../src/testing/counting-ids.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import type { ToolContext } from '../../src/tools/tool.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { sketch } from '../support/sketch.ts'
import { look, toolNamed } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const done = { text: 'Done.' }
const next = { text: 'The next answer.' }
const callsLook = { calls: [{ name: 'look', input: { at: 1 } }] }

describe('what a running tool gets', () => {
  it('is all there', async () => {
    const contexts: ToolContext[] = []
    const { agent } = makeAgent([callsLook, done], {
      state: { visits: 1 },
      tools: [look((_input, context) => void contexts.push(context))],
    })
    const invocationState = { user: 'me' }
    await agent.invoke('go', { invocationState })
    const [context] = contexts
    expect(context).toMatchObject({ toolUse: { id: 'call_1', name: 'look', input: { at: 1 } }, idempotencyKey: 'conv_1:call_1' })
    expect(context!.agent).toBe(agent)
    expect(context!.state).toBe(agent.state)
    expect(context!.invocationState).toBe(invocationState)
    expect(context!.signal.aborted).toBe(false)
  })

  it('state: what it writes stays with the agent', async () => {
    const agent = new Agent({
      model: scriptedModel(callsLook, done),
      state: { visits: 1 },
      ids: countingIds(),
      tools: [look((_input, { state }) => void (state['visits'] = Number(state['visits']) + 1))],
    })
    await agent.invoke('go')
    expect(agent.state).toEqual({ visits: 2 })
  })
})

describe('progress', () => {
  it('of a function and of a generator is told in order, and the last yield is the result of one that returns nothing', async () => {
    const { agent, model } = makeAgent(
      [
        {
          calls: [
            { name: 'look', input: { at: 1 } },
            { name: 'walk', input: { at: 2 } },
          ],
        },
        done,
        next,
      ],
      {
        tools: [
          look(async (_input, { progress }) => {
            await progress('half')
            await progress({ done: 0.9 })
            return 'seen'
          }),
          toolNamed('walk', async function* () {
            yield 'one'
            yield 'two'
          }),
        ],
      },
    )
    const { events } = await collect(agent.stream('go'))
    expect(events.flatMap((event) => (event.type === 'tool_progress' ? [[event.callId, event.name, event.value]] : []))).toEqual([
      ['call_1', 'look', 'half'],
      ['call_1', 'look', { done: 0.9 }],
      ['call_2', 'walk', 'one'],
      ['call_2', 'walk', 'two'],
    ])
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "seen" call_2 success "two"')
    await holdsInvariant(agent, { requests: model.requests, expected: 2, events })
  })

  it('rejects once the call is told to end: a tool that only reports notices', async () => {
    const { agent } = makeAgent([callsLook, next], {
      tools: [
        look(async (_input, { progress, agent: handle }) => {
          handle.cancel('stop it')
          await progress('still here')
          return 'seen'
        }),
      ],
      strategy: concurrent,
    })
    const { events } = await collect(agent.stream('go'))
    expect(events.filter(({ type }) => type === 'tool_progress')).toEqual([])
    expect(sketch(agent.messages)[2]).toMatch(/^user: call_1 error\/cancelled/)
  })
})

describe('endTurn', () => {
  it('of a call that asks then is not kept: the call begins anew with the answer', async () => {
    const ends = look((_input, { endTurn, interrupt }) => {
      if (interrupts === 0) endTurn('too early')
      interrupts++
      return interrupt({ name: 'sure?' })
    })
    let interrupts = 0
    const { agent } = makeAgent([callsLook, { text: 'Done.' }], { tools: [ends] })
    const stopped = await agent.invoke('go')
    expect(stopped.checkpoint?.endTurn).toBeUndefined()
    expect((await agent.invoke(stopped.interrupts.map((interrupt) => answer(interrupt, 'yes')))).text).toBe('Done.')
  })

  it('with what is no text is an error of the tool that says so, and ends nothing', async () => {
    const { agent } = makeAgent([callsLook, { text: 'Done.' }], { tools: [look((_input, { endTurn }) => endTurn(5 as never))] })
    await agent.invoke('go')
    expect(sketch(agent.messages).slice(2)).toEqual([
      'user: call_1 error "InputError: endTurn() takes the text that the run ends with, or nothing; got 5."',
      'assistant: "Done."',
    ])
  })

  it('ends the run after the results of the turn are stored; the first text counts', async () => {
    const { agent, model } = makeAgent([{ calls: [1, 2].map((at) => ({ name: 'look', input: { at } })) }, next], {
      tools: [look(({ at }, { endTurn }) => (endTurn(`from ${at}`), 'seen'))],
    })
    const { result, events } = await collect(agent.stream('go'))
    expect([result?.stopReason, String(result)]).toEqual(['end_turn', 'from 1'])
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "seen" call_2 success "seen"')
    await holdsInvariant(agent, { requests: model.requests, expected: 1, events })
  })

  it('is overruled by a hook behind the tools', async () => {
    const { agent } = makeAgent([callsLook], { tools: [look((_input, { endTurn }) => endTurn('from the tool'))] })
    agent.on('afterTools', (event) => void (event.endTurn = 'from the hook'))
    expect(String(await agent.invoke('go'))).toBe('from the hook')
  })

  it('is overruled by a cancel', async () => {
    const { agent, model } = makeAgent([callsLook, next], {
      tools: [
        look((_input, { endTurn, agent: handle }) => {
          endTurn('enough')
          handle.cancel('stop it')
          return 'seen'
        }),
      ],
      strategy: concurrent,
    })
    const { result, events } = await collect(agent.stream('go'))
    expect(result?.stopReason).toBe('cancelled')
    expect(sketch(agent.messages).slice(2)).toEqual([
      'user: call_1 success "seen"',
      'assistant: "[The run was cancelled before the answer was complete: stop it]"',
    ])
    await holdsInvariant(agent, { requests: model.requests, expected: 1, events })
  })

  it('of one pass does not end the next', async () => {
    let calls = 0
    const { agent, model } = makeAgent([callsLook, callsLook, done, next], {
      tools: [look((_input, { endTurn }) => (++calls === 1 ? endTurn('enough') : undefined))],
    })
    agent.on('afterInvocation', (event) => {
      if (event.result?.text === 'enough') event.resume = 'more'
    })
    const { result, events } = await collect(agent.stream('go'))
    expect([String(result), calls]).toEqual(['Done.', 2])
    await holdsInvariant(agent, { requests: model.requests, expected: 3, events })
  })

  it('of one run does not end the next', async () => {
    let once = true
    const { agent } = makeAgent([callsLook, callsLook, done], {
      tools: [
        look((_input, { endTurn }) => {
          if (once) endTurn('enough')
          once = false
          return 'seen'
        }),
      ],
    })
    expect(String(await agent.invoke('go'))).toBe('enough')
    expect(String(await agent.invoke('more'))).toBe('Done.')
  })
})
