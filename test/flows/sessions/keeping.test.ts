import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import type { AgentOptions } from '../../../src/agent/agent-options.ts'
import { answer } from '../../../src/interrupts/interrupt.ts'
import { check } from '../../../src/messages/check.ts'
import { memorySessions } from '../../../src/sessions/memory-sessions.ts'
import { Session } from '../../../src/sessions/session.ts'
import type { SessionStore } from '../../../src/sessions/session-store.ts'
import { collect } from '../../../src/testing/collect.ts'
import { scriptedModel } from '../../../src/testing/scripted-model.ts'
import type { ScriptStep } from '../../../src/testing/scripted-model.ts'
import { tick } from '../../../src/util/clock.ts'
import { autoClock } from '../../support/auto-clock.ts'
import { deferred } from '../../support/promises.ts'
import { settlesWithin } from '../../support/settles.ts'
import { sketch } from '../../support/sketch.ts'
import { look, toolNamed, write } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

const callsWrite: ScriptStep = { calls: [{ name: 'write', input: { at: 1 } }] }

/** As another process would make it: nothing but the store is shared. */
function agentOn(store: SessionStore, steps: readonly ScriptStep[], options: Partial<AgentOptions> = {}) {
  const model = scriptedModel(...steps)
  return {
    model,
    agent: new Agent({ model, retry: false, tools: [look(), write()], session: new Session({ id: 's', store }), ...options }),
  }
}

/** A process that has written, and is no more heard of after its next call has begun. */
async function diesIn(store: SessionStore, name: 'slow' | 'look'): Promise<void> {
  const begun = deferred()
  const hangs = (): Promise<never> => (begun.resolve(), new Promise(() => {}))
  const calls = ['write', name].map((tool, index) => ({ name: tool, input: { at: index + 1 } }))
  const { agent } = agentOn(store, [{ calls }], { tools: [write(), toolNamed('slow', hangs), look(hangs)] })
  void agent.invoke('go')
  await begun.promise
}

describe('a session', () => {
  it('is gone on with by another process: history, state, and the same conversation', async () => {
    const store = memorySessions()
    const keys: string[] = []
    const first = agentOn(store, [callsWrite, { text: 'Written.' }], {
      tools: [write(({ at }, { idempotencyKey, state }) => (keys.push(idempotencyKey), (state['last'] = at), 'written'))],
    })
    await first.agent.invoke('go')
    const second = agentOn(store, [{ text: 'Again.' }])
    await second.agent.invoke('and now?')
    expect(second.model.requests[0]!.messages).toHaveLength(5)
    expect(second.agent.messages.slice(0, 4)).toEqual(first.agent.messages)
    expect(second.agent.state).toEqual({ last: 1 })
    expect(keys).toEqual([expect.stringMatching(/^s:call_/)])
  })

  it('can be read before the first run', async () => {
    const store = memorySessions()
    await agentOn(store, [{ text: 'Yes.' }]).agent.invoke('go')
    const { agent } = agentOn(store, [])
    await agent.ready()
    expect(sketch(agent.messages)).toEqual(['user: "go"', 'assistant: "Yes."'])
  })

  it('is read once more by nobody: an invocation that comes while it is read for `ready()` is not undone', async () => {
    const store = memorySessions()
    await agentOn(store, [{ text: 'Yes.' }]).agent.invoke('old')
    const [reading, read, asked, end] = [deferred(), deferred(), deferred(), deferred()]
    let loads = 0
    const slow: SessionStore = {
      ...store,
      load: async (id, options) => {
        const log = await store.load(id, options)
        if (++loads > 1) return log
        reading.resolve()
        await read.promise
        return log
      },
    }
    const tools = [look(() => (asked.resolve(), end.promise))]
    const { agent } = agentOn(slow, [{ calls: [{ name: 'look', input: { at: 1 } }] }, { text: 'Again.' }], { tools })
    const ready = agent.ready()
    await reading.promise
    const running = agent.invoke('new')
    await asked.promise
    read.resolve()
    await ready
    end.resolve()
    expect((await running).text).toBe('Again.')
    expect(sketch(agent.messages).map((line) => line.replace(/call_\w+/, 'call'))).toEqual([
      'user: "old"',
      'assistant: "Yes."',
      'user: "new"',
      'assistant: look#call {"at":1}',
      'user: call success "(no output)"',
      'assistant: "Again."',
    ])
  })

  it('keeps a question, and the answer of another process runs the call once', async () => {
    const store = memorySessions()
    let runs = 0
    const tools = [toolNamed('write', () => `written ${++runs}`, { needsApproval: true })]
    const asked = await agentOn(store, [callsWrite], { tools }).agent.invoke('go')
    expect(asked.stopReason).toBe('interrupt')
    const second = agentOn(store, [{ text: 'Done.' }], { tools })
    const result = await second.agent.invoke([answer(asked.interrupts[0]!, true)])
    expect([result.text, runs, check(second.agent.messages)]).toEqual(['Done.', 1, []])
    // A third one, which has not seen that it was answered: nothing is pending any more.
    await expect(agentOn(store, [], { tools }).agent.invoke([answer(asked.interrupts[0]!, true)])).rejects.toMatchObject({
      code: 'no_interrupt_pending',
    })
    expect(runs).toBe(1)
  })

  it('of a tool that asks in its middle: what it had begun is begun anew with the answer, once', async () => {
    const store = memorySessions()
    const begun: string[] = []
    const tools = [toolNamed('write', (_input, { interrupt }) => (begun.push('begun'), `so ${String(interrupt({ name: 'colour' }))}`))]
    const asked = await agentOn(store, [callsWrite], { tools }).agent.invoke('go')
    const second = agentOn(store, [{ text: 'Done.' }], { tools })
    await second.agent.invoke([answer(asked.interrupts[0]!, 'red')])
    expect(sketch(second.agent.messages)[2]).toMatch(/success "so red"$/)
    expect(begun.length).toBe(2)
  })

  it('of a process that died in a call: what had ended is kept, and of the other nobody knows what it did', async () => {
    const store = memorySessions()
    await diesIn(store, 'slow')
    const ran: string[] = []
    const tools = [write(() => (ran.push('write'), 'x')), toolNamed('slow', () => (ran.push('slow'), 'x'))]
    const second = agentOn(store, [{ text: 'I see.' }], { tools })
    await second.agent.invoke()
    expect(ran).toEqual([])
    expect(sketch(second.agent.messages)[2]).toMatch(/success "written 1" .* error\/unknown_outcome/)
    expect(check(second.agent.messages)).toEqual([])
  })

  it('of a process that died in an agent: what that had done is not done again', async () => {
    const store = memorySessions()
    const wrote: number[] = []
    const begun = deferred()
    const withHelper = (helperSteps: readonly ScriptStep[], steps: readonly ScriptStep[], read: () => unknown) => {
      const tools = [write(({ at }) => (wrote.push(at), 'written')), look(read)]
      return agentOn(store, steps, { tools: [new Agent({ name: 'helper', model: scriptedModel(...helperSteps), tools, retry: false })] })
    }
    const reads: ScriptStep = { calls: [{ name: 'look', input: { at: 2 } }] }
    const dying = withHelper([callsWrite, reads], [{ calls: [{ name: 'helper', input: { input: 'x' } }] }], () => {
      begun.resolve()
      return new Promise(() => {})
    })
    void dying.agent.invoke('go')
    await begun.promise
    const { agent } = withHelper([callsWrite, reads, { text: 'Again.' }], [{ text: 'I shall look.' }], () => 'seen')
    expect((await agent.invoke()).text).toBe('I shall look.')
    expect(wrote).toEqual([1])
    expect(sketch(agent.messages)[2]).toMatch(/^user: call_\w+ error\/unknown_outcome /)
  })

  it('of an agent that asks twice: each answer comes from another process, and each call runs once', async () => {
    const store = memorySessions()
    const paid: number[] = []
    const pays = (at: number): ScriptStep => ({ calls: [{ name: 'pay', input: { at } }] })
    const process = (helperSteps: readonly ScriptStep[], steps: readonly ScriptStep[]) => {
      const pay = toolNamed('pay', ({ at }) => (paid.push(at), 'paid'), { needsApproval: true })
      return agentOn(store, steps, {
        tools: [new Agent({ name: 'helper', model: scriptedModel(...helperSteps), tools: [pay], retry: false })],
      }).agent
    }
    const first = await process([pays(1)], [{ calls: [{ name: 'helper', input: { input: 'x' } }] }]).invoke('go')
    const second = await process([pays(2)], []).invoke([answer(first.interrupts[0]!, true)])
    const third = await process([{ text: 'Paid.' }], [{ text: 'Done.' }]).invoke([answer(second.interrupts[0]!, true)])
    expect([second.stopReason, third.text, paid]).toEqual(['interrupt', 'Done.', [1, 2]])
  })

  it('of a process that died in a read: the read is done again', async () => {
    const store = memorySessions()
    await diesIn(store, 'look')
    const ran: string[] = []
    const tools = [write(() => (ran.push('write'), 'x')), look(() => (ran.push('look'), 'seen now'))]
    const second = agentOn(store, [{ text: 'I see.' }], { tools })
    await second.agent.invoke()
    expect(ran).toEqual(['look'])
    expect(sketch(second.agent.messages)[2]).toMatch(/success "written 1" .* success "seen now"/)
  })

  it('and a prompt instead closes the turn', async () => {
    const store = memorySessions()
    await diesIn(store, 'slow')
    const second = agentOn(store, [{ text: 'I see.' }])
    await second.agent.invoke('Never mind.')
    expect(sketch(second.agent.messages)[2]).toMatch(/success "written 1" .* error\/unknown_outcome .* "Never mind\."$/)
    expect(check(second.agent.messages)).toEqual([])
  })

  it('that cannot be read fails the run, and nothing was lost', async () => {
    const store = memorySessions()
    let broken = true
    const flaky: SessionStore = {
      ...store,
      load: (id, options) => (broken ? Promise.reject(new Error('disk')) : store.load(id, options)),
      append: (id, records, options) => store.append(id, records, options),
    }
    const { agent } = agentOn(flaky, [{ text: 'Yes.' }])
    await expect(agent.invoke('go')).rejects.toMatchObject({ code: 'session_failed' })
    broken = false
    expect((await agent.invoke('go')).text).toBe('Yes.')
  })

  it('that cannot be written is told as a warning, and is written with the next run', async () => {
    const store = memorySessions()
    let broken = true
    const flaky: SessionStore = {
      ...store,
      load: (id, options) => store.load(id, options),
      append: (id, records, options) => (broken ? Promise.reject(new Error('disk full')) : store.append(id, records, options)),
    }
    const { agent } = agentOn(flaky, [{ text: 'One.' }, { text: 'Two.' }])
    const { events, result } = await collect(agent.stream('go'))
    expect(result?.text).toBe('One.')
    expect(events.flatMap((event) => (event.type === 'warning' ? [event.code] : []))).toEqual(['session_not_saved'])
    broken = false
    await agent.invoke('more')
    expect(sketch((await new Session({ id: 's', store }).restore()).messages)).toEqual([
      'user: "go"',
      'assistant: "One."',
      'user: "more"',
      'assistant: "Two."',
    ])
  })

  it('with a state that is no JSON: all else is written and synced, and the warning names what it is', async () => {
    const store = memorySessions()
    const synced: number[] = []
    const noting: SessionStore = {
      ...store,
      load: (id, options) => store.load(id, options),
      append: async (id, records, options) => {
        await store.append(id, records, options)
        if (options.durable) synced.push((await store.load(id, options)).records.length)
      },
    }
    const { agent } = agentOn(noting, [{ text: 'One.' }, { text: 'Two.' }])
    agent.on('afterModelCall', ({ agent: { state } }) => void Object.assign(state, { count: 1n }))
    const { events } = await collect(agent.stream('go'))
    expect([events.flatMap((event) => (event.type === 'warning' ? [event.message] : [])), synced]).toEqual([
      [
        'The session is not written to its end; it is tried again with the next run. The state of the agent cannot be saved. agent.state.count is a bigint, which JSON cannot carry.',
      ],
      [2],
    ])
  })

  it('of an agent whose state is no JSON from the start: the run fails, and says what it is', async () => {
    const { agent } = agentOn(memorySessions(), [{ text: 'One.' }], { state: { count: 1n as never } })
    await expect(agent.invoke('go')).rejects.toMatchObject({
      code: 'state_not_json',
      message: 'The state of the agent cannot be saved. agent.state.count is a bigint, which JSON cannot carry.',
    })
  })

  it('that is not open yet when the run is cancelled has what was said all the same', async () => {
    const store = memorySessions()
    await agentOn(store, [{ text: 'One.' }]).agent.invoke('go')
    const { agent, model } = agentOn(store, [])
    const { stopReason } = await agent.invoke('more', { signal: AbortSignal.abort(new Error('enough')) })
    const history = [
      'user: "go"',
      'assistant: "One."',
      'user: "more"',
      'assistant: "[The run was cancelled before the answer was complete: enough]"',
    ]
    expect([stopReason, model.requests.length, sketch(agent.messages)]).toEqual(['cancelled', 0, history])
    expect(sketch((await new Session({ id: 's', store }).restore()).messages)).toEqual(history)
  })

  it.each(['before', 'while'] as const)(
    'that never opens keeps no run that was cancelled %s it was read, nor is anything lost of it',
    async (when) => {
      const store = memorySessions()
      await agentOn(store, [{ text: 'One.' }]).agent.invoke('go')
      let hangs = true
      const slow: SessionStore = { ...store, load: (id, options) => (hangs ? new Promise(() => {}) : store.load(id, options)) }
      const { agent } = agentOn(slow, [{ text: 'Two.' }], { clock: autoClock() })
      const running = agent.invoke('more', when === 'before' ? { signal: AbortSignal.abort() } : {})
      await tick()
      agent.cancel()
      const settled = await settlesWithin(running, 50, 'the run')
      expect(settled).toMatchObject({ status: 'fulfilled', value: { stopReason: 'cancelled' } })
      hangs = false
      await agent.invoke('again')
      expect(sketch(agent.messages)).toEqual(['user: "go"', 'assistant: "One."', 'user: "again"', 'assistant: "Two."'])
    },
  )

  it('takes a history that the program sets in the place of its own', async () => {
    const store = memorySessions()
    await agentOn(store, [{ text: 'One.' }]).agent.invoke('go')
    const { agent } = agentOn(store, [{ text: 'Two.' }])
    agent.setMessages([
      { role: 'user', content: 'another' },
      { role: 'assistant', content: 'story' },
    ])
    await agent.invoke('more')
    expect(sketch((await new Session({ id: 's', store }).restore()).messages)).toEqual([
      'user: "another"',
      'assistant: "story"',
      'user: "more"',
      'assistant: "Two."',
    ])
  })
})
