import { describe, expect, it } from 'vitest'
import type { Agent } from '../../../src/agent/agent.ts'
import type { AgentEvent } from '../../../src/agent/events.ts'
import { answer } from '../../../src/interrupts/interrupt.ts'
import { check } from '../../../src/messages/check.ts'
import { memorySessions } from '../../../src/sessions/memory-sessions.ts'
import { Session } from '../../../src/sessions/session.ts'
import { checkEvents } from '../../../src/testing/check-events.ts'
import { collect } from '../../../src/testing/collect.ts'
import { handModel } from '../../support/hand-model.ts'
import { holdsInvariant } from '../../support/invariant.ts'
import { makeAgent } from '../../support/make-agent.ts'
import { settlesWithin } from '../../support/settles.ts'
import { sketch } from '../../support/sketch.ts'
import { look, toolNamed, write } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'
import { holdsStop, idsOf, runTo } from './support/waiting.ts'

refuseUnhandled()

const calls = (...named: readonly (readonly [name: string, at: number])[]) => ({
  calls: named.map(([name, at]) => ({ name, input: { at } })),
})
const done = { text: 'Done.' }
const next = { text: 'The next answer.' }
const approved = toolNamed('write', ({ at }) => `written ${at}`, { needsApproval: true })

describe('a question and a cancel', () => {
  it('a cancel before the question is told goes first', async () => {
    const tool = write((_, { interrupt }) => {
      agent.cancel('enough')
      interrupt({ name: 'sure' })
    })
    const { agent, model } = makeAgent([calls(['write', 1]), next], { tools: [tool] })
    const result = await runTo('cancelled', agent, 'go')
    expect([result.interrupts, result.checkpoint]).toEqual([[], undefined])
    await holdsInvariant(agent, { requests: model.requests })
  })

  it('of a call that had begun when it asked, the history does not say that it was not run', async () => {
    const done: string[] = []
    const tool = write((_, { interrupt }) => {
      done.push('half of it')
      agent.cancel('enough')
      interrupt({ name: 'sure' })
    })
    const { agent, model } = makeAgent([calls(['write', 1]), next], { tools: [tool] })
    await runTo('cancelled', agent, 'go')
    expect(done).toEqual(['half of it'])
    expect(sketch(agent.messages)[2]).toBe(
      'user: call_1 error/cancelled "The call did not run to its end: it had asked a person, and the run ended before it went on."',
    )
    await holdsInvariant(agent, { requests: model.requests })
  })

  it('nor of one that has its answer, when the run that brings it is cancelled before it begins again', async () => {
    const tool = write((_, { interrupt }) => String(interrupt({ name: 'sure' })))
    const { agent, model } = makeAgent([calls(['write', 1]), next], { tools: [tool] })
    const { interrupts } = await runTo('interrupt', agent, 'go')
    const off = agent.on('beforeInvocation', () => agent.cancel('enough'))
    await runTo('cancelled', agent, [answer(interrupts[0]!, 1)])
    off()
    expect(sketch(agent.messages)[2]).toMatch(/^user: call_1 error\/cancelled "The call did not run to its end: /)
    await holdsInvariant(agent, { requests: model.requests })
  })

  it('nor is anybody asked by a hook before the model, once it has cancelled', async () => {
    const { agent, model } = makeAgent([next])
    const off = agent.on('beforeModelCall', (event) => {
      agent.cancel('enough')
      event.interrupt({ name: 'sure' })
    })
    const result = await runTo('cancelled', agent, 'go')
    off()
    expect([result.interrupts, result.checkpoint]).toEqual([[], undefined])
    await holdsInvariant(agent, { requests: model.requests, expected: 0 })
  })

  it('who leaves when the question is told can answer it', async () => {
    const { agent } = makeAgent([calls(['write', 1]), done], { tools: [approved] })
    let asked: string | undefined
    for await (const event of agent.stream('go'))
      if (event.type === 'interrupt') {
        asked = event.interrupt.id
        break
      }
    await runTo('end_turn', agent, [answer(asked!, true)])
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "written 1"')
  })

  it('a call that asks, swallows it and then hangs does not keep a cancelled run', async () => {
    const tool = write(async (_, { interrupt }) => {
      try {
        interrupt({ name: 'sure' })
      } catch {
        await new Promise(() => {})
      }
    })
    const { agent, model, clock } = makeAgent([calls(['write', 1]), next], { tools: [tool] })
    const running = agent.invoke('go')
    await clock.advance(10)
    agent.cancel()
    await clock.advance(10_000)
    const ended = await settlesWithin(running, 50, 'the run')
    expect(ended).toMatchObject({ status: 'fulfilled', value: { stopReason: 'cancelled' } })
    await holdsInvariant(agent, { requests: model.requests })
  })

  it('a cancelled resume leaves the saved state as good as it was', async () => {
    const ran: number[] = []
    const { agent } = makeAgent([calls(['write', 1], ['write', 2]), done], {
      tools: [toolNamed('write', ({ at }) => void ran.push(at), { needsApproval: true })],
    })
    const stopped = await runTo('interrupt', agent, 'go')
    const state = {
      type: 'resume' as const,
      checkpoint: stopped.checkpoint!,
      responses: stopped.interrupts.map((interrupt) => answer(interrupt, true)),
    }
    await runTo('cancelled', agent, state, { signal: AbortSignal.abort() })
    expect(ran).toEqual([])
    await runTo('end_turn', agent, state)
    expect(ran).toEqual([1, 2])
  })
})

describe('a question and an error', () => {
  const ends = async (agent: Agent): Promise<string> => {
    const ended = await collect(agent.stream('go'))
    expect(checkEvents(ended.events)).toEqual([])
    expect(check(agent.messages)).toEqual([])
    return ended.error!.code
  }

  it('a hook that throws ends the run; the question is closed', async () => {
    for (const name of ['afterToolCall', 'afterInvocation', 'messageAdded'] as const) {
      const { agent, model } = makeAgent([calls(['look', 1], ['write', 2]), next], { tools: [look(), approved] })
      const off = agent.on(name, () => {
        if (model.requests.length > 0) throw new Error('no')
      })
      expect(await ends(agent)).toBe('hook_failed')
      off()
      await expect(agent.invoke([answer('call_2/gate/approval', true)])).rejects.toMatchObject({ code: 'no_interrupt_pending' })
      await holdsInvariant(agent, { requests: model.requests })
    }
  })

  it('an afterTools hook does not run before there are results, so it cannot lose a question', async () => {
    let ran = 0
    const { agent } = makeAgent([calls(['write', 1]), done], { tools: [approved] })
    agent.on('afterTools', () => void ran++)
    const stopped = await runTo('interrupt', agent, 'go')
    expect(ran).toBe(0)
    await runTo('end_turn', agent, [answer(stopped.interrupts[0]!, true)])
    expect(ran).toBe(1)
  })

  it('onEvent that throws at the question ends the run, and the history is closed', async () => {
    const { agent, model } = makeAgent([calls(['look', 1], ['write', 2]), next], { tools: [look(), approved] })
    const onEvent = ({ type }: { readonly type: string }): void => {
      if (type === 'interrupt') throw new Error('no')
    }
    await expect(agent.invoke('go', { onEvent })).rejects.toMatchObject({ code: 'hook_failed' })
    expect(sketch(agent.messages)[2]).toMatch(/^user: call_1 success "seen 1" call_2 error\/not_answered /)
    await holdsInvariant(agent, { requests: model.requests })
  })

  it.each(['alone', 'beside a reader'])(
    'onEvent that throws at the very last event (%s): who is told of an error is asked nothing',
    async (how) => {
      const store = memorySessions()
      const { agent, model } = makeAgent([calls(['write', 1]), next], { tools: [approved], session: new Session({ id: 's', store }) })
      const onEvent = ({ type }: AgentEvent): void => {
        if (type === 'invocation_end') throw new Error('no')
      }
      const { error, events } =
        how === 'alone'
          ? { error: await agent.invoke('go', { onEvent }).catch((thrown: unknown) => thrown), events: [] }
          : await collect(agent.stream('go', { onEvent }))
      expect(error).toMatchObject({ code: 'hook_failed', hook: 'onEvent' })
      if (how !== 'alone') expect([checkEvents(events), events.at(-1)?.type]).toEqual([[], 'invocation_end'])
      const closed = 'user: call_1 error/not_answered "The call did not run to its end: what it asked was not answered."'
      expect([sketch(agent.messages)[2], check(agent.messages)]).toEqual([closed, []])
      const { messages, pending } = await new Session({ id: 's', store }).restore()
      expect([sketch(messages)[2], pending]).toEqual([closed, undefined])
      await expect(agent.invoke([answer('call_1/gate/approval', true)])).rejects.toMatchObject({ code: 'no_interrupt_pending' })
      await holdsInvariant(agent, { requests: model.requests, expected: 1 })
    },
  )

  it('a reply that was cut asks nothing', async () => {
    const { agent, model } = makeAgent([{ ...calls(['write', 1]), stopReason: 'max_tokens' as const }, next], { tools: [approved] })
    expect(await ends(agent)).toBe('max_tokens')
    await holdsInvariant(agent, { requests: model.requests })
  })

  it('a state that cannot be saved is an error, and the history is closed', async () => {
    const { agent, model } = makeAgent([calls(['write', 1]), next], { tools: [approved], state: {} })
    Object.assign(agent.state, { connection: () => {} })
    expect(await ends(agent)).toBe('state_not_json')
    delete (agent.state as Record<string, unknown>)['connection']
    await holdsInvariant(agent, { requests: model.requests })
  })
})

describe('a question and another try', () => {
  it('a call that a hook has run again may ask; what came before does not count', async () => {
    let ran = 0
    const tool = write((_, { interrupt }) => {
      if (ran++ === 0) throw new Error('busy')
      return `told ${interrupt<string>({ name: 'sure' })}`
    })
    const { agent } = makeAgent([calls(['write', 1]), done], { tools: [tool] })
    agent.on('afterToolCall', (event) => void (event.retry = event.result.status === 'error'))
    const stopped = await runTo('interrupt', agent, 'go')
    expect(stopped.checkpoint!.results).toEqual([])
    await runTo('end_turn', agent, [answer(stopped.interrupts[0]!, 'yes')])
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "told yes"')
  })

  it.each([
    ['a tool', false],
    ['a hook', true],
  ])('what %s asked about a call that began early goes with its message', async (_who, byHook) => {
    const model = handModel()
    const tool = look(({ at }, { interrupt }) => (byHook ? `seen ${at}` : `told ${interrupt<string>({ name: 'sure' })}`))
    const { agent } = makeAgent([], { model, tools: [tool] })
    if (byHook) agent.on('beforeToolCall', (event) => void event.interrupt({ name: 'sure' }))
    agent.on('afterModelCall', (event) => {
      if (event.error) event.retry = { delayMs: 0, reason: 'broken' }
    })
    const running = collect(agent.stream('go'))
    const first = await model.next()
    await first.say({ type: 'message_start' })
    await first.call(0, 'look', { at: 1 })
    await first.break(new Error('broken'))
    const second = await model.next()
    await second.say(
      { type: 'message_start' },
      { type: 'block_start', index: 0, block: { type: 'text' } },
      { type: 'block_delta', index: 0, delta: { type: 'text', text: 'Never mind.' } },
    )
    await second.say({ type: 'block_stop', index: 0 })
    await second.stop('end_turn')
    const ended = await running
    holdsStop(agent, ended)
    expect(ended.result!.stopReason).toBe('end_turn')
  })

  it.each([
    ['a tool', false],
    ['a hook', true],
  ])('what %s asks about a call that began early is told when the message is stored, beside the others', async (_who, byHook) => {
    const model = handModel()
    const told: string[] = []
    const { agent } = makeAgent([], {
      model,
      tools: [look(({ at }, { interrupt }) => (byHook ? `seen ${at}` : interrupt<string>({ name: 'sure' }))), approved],
    })
    if (byHook)
      agent.on('beforeToolCall', (event) => {
        if (event.toolUse.name === 'look') event.interrupt({ name: 'sure' })
      })
    const running = agent.invoke('go', { onEvent: ({ type }) => void told.push(type) })
    const first = await model.next()
    await first.say({ type: 'message_start' })
    await first.call(0, 'look', { at: 1 })
    expect(told).not.toContain('interrupt')
    await first.call(1, 'write', { at: 2 })
    await first.stop('tool_use')
    const stopped = await running
    expect(idsOf(stopped)).toEqual([byHook ? 'call_1/before_tool_call/sure' : 'call_1/sure', 'call_2/gate/approval'])
    const resumed = agent.invoke(stopped.interrupts.map((interrupt) => answer(interrupt, true)))
    const second = await model.next()
    await second.stop('end_turn')
    expect((await resumed).stopReason).toBe('end_turn')
    expect(sketch(agent.messages)[2]).toBe(`user: call_1 success "${byHook ? 'seen 1' : 'true'}" call_2 success "written 2"`)
  })
})
