import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import type { AgentResult } from '../../../src/agent/result.ts'
import type { InterruptResponse } from '../../../src/interrupts/interrupt.ts'
import { answer } from '../../../src/interrupts/interrupt.ts'
import { check } from '../../../src/messages/check.ts'
import { Session } from '../../../src/sessions/session.ts'
import { memorySessions } from '../../../src/sessions/memory-sessions.ts'
import { countingIds } from '../../../src/testing/counting-ids.ts'
import { scriptedModel } from '../../../src/testing/scripted-model.ts'
import type { ScriptStep } from '../../../src/testing/scripted-model.ts'
import { breachesOf } from '../../support/invariant.ts'
import { makeAgent } from '../../support/make-agent.ts'
import { deferred } from '../../support/promises.ts'
import { sketch } from '../../support/sketch.ts'
import { toolNamed } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

const calls = (...named: readonly (readonly [name: string, input: object])[]): ScriptStep => ({
  calls: named.map(([name, input]) => ({ name, input: { ...input } })),
})
const done = { text: 'Done.' }

/** A tool that needs leave, and what it was called with. */
function paying(): { readonly pay: ReturnType<typeof toolNamed>; readonly paid: number[] } {
  const paid: number[] = []
  return { pay: toolNamed('pay', ({ at }) => (paid.push(at), `paid ${at}`), { needsApproval: true }), paid }
}
const yes = (result: AgentResult, which: number): InterruptResponse[] => [answer(result.interrupts[which]!, true)]

describe('approval, as users of other SDKs met it', () => {
  it('mastra#16468: two calls of one tool that wait are answered one after the other, and each runs once', async () => {
    const { pay, paid } = paying()
    const { agent, model } = makeAgent([calls(['pay', { at: 1 }], ['pay', { at: 2 }]), done], { tools: [pay] })
    const first = await agent.invoke('go')
    const second = await agent.invoke(yes(first, 1))
    expect([second.stopReason, second.interrupts.map(({ toolUse }) => toolUse?.input)]).toEqual(['interrupt', [{ at: 1 }]])
    expect((await agent.invoke(yes(second, 0))).text).toBe('Done.')
    expect(paid.toSorted((a, b) => a - b)).toEqual([1, 2])
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "paid 1" call_2 success "paid 2"')
    expect(breachesOf(model.requests.at(-1)!)).toEqual([])
  })

  it('mastra#20592: who gives up a run that waits, by a cancelled answer and then another prompt, has no call left open', async () => {
    const { pay, paid } = paying()
    const { agent, model } = makeAgent([calls(['pay', { at: 1 }]), done], { tools: [pay] })
    const asked = await agent.invoke('go')
    expect((await agent.invoke(yes(asked, 0), { signal: AbortSignal.abort() })).stopReason).toBe('cancelled')
    expect(check(agent.messages)).toEqual([])
    expect((await agent.invoke('something else')).text).toBe('Done.')
    expect(paid).toEqual([])
    expect(breachesOf(model.requests.at(-1)!)).toEqual([])
  })

  it('mastra#23626: an approval in a sub-agent goes on at the call, and does not begin the sub-agent anew', async () => {
    const { pay, paid } = paying()
    const inner = scriptedModel(calls(['pay', { at: 1 }]), { text: 'Paid.' })
    const shop = new Agent({ name: 'shop', model: inner, tools: [pay], ids: countingIds(), retry: false })
    const { agent } = makeAgent([calls(['shop', { input: 'buy' }]), done], { tools: [shop] })
    const asked = await agent.invoke('go')
    expect((await agent.invoke(yes(asked, 0))).text).toBe('Done.')
    expect([paid, inner.requests.length]).toEqual([[1], 2])
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "Paid."')
  })

  it('openai-agents-js#701: a session has each message once, before and after the answer', async () => {
    const { pay } = paying()
    const store = memorySessions()
    const { agent } = makeAgent([calls(['pay', { at: 1 }]), done], { tools: [pay], session: new Session({ id: 's', store }) })
    const asked = await agent.invoke('go')
    await agent.invoke(yes(asked, 0))
    const again = makeAgent([], { session: new Session({ id: 's', store }) }).agent
    await again.ready()
    expect(again.messages).toEqual(agent.messages)
    expect(new Set(again.messages.map(({ id }) => id)).size).toBe(4)
  })

  it('openai-agents-js#680, #993: questions of two calls of one sub-agent, and of one with the name of its caller, keep their place', async () => {
    const paid: string[] = []
    const payer = (model: ScriptStep[], tools: readonly Agent[] = []): Agent =>
      new Agent({
        name: 'helper',
        model: scriptedModel(...model),
        tools: [toolNamed('pay', ({ at }, { toolUse }) => void paid.push(`${at} ${toolUse.id}`), { needsApproval: true }), ...tools],
        ids: countingIds(),
        retry: false,
      })
    const innermost = payer([calls(['pay', { at: 1 }]), { text: 'one' }])
    const middle = payer([calls(['helper', { input: 'a' }], ['pay', { at: 2 }]), { text: 'two' }], [innermost])
    const { agent } = makeAgent([calls(['helper', { input: 'b' }]), done], { tools: [middle] })
    const asked = await agent.invoke('go')
    expect(asked.interrupts.map(({ path, toolUse }) => [path, toolUse?.input])).toEqual([
      [['call_1', 'call_1'], { at: 1 }],
      [['call_1'], { at: 2 }],
    ])
    // The state as it is written down and read again.
    const checkpoint = JSON.parse(JSON.stringify(asked.checkpoint)) as NonNullable<typeof asked.checkpoint>
    const responses = [answer(asked.interrupts[1]!, false), answer(asked.interrupts[0]!, true)]
    expect((await agent.invoke({ type: 'resume', checkpoint, responses })).text).toBe('Done.')
    expect(paid).toEqual(['1 call_1'])
  })

  it('eve#2594: a second approval in a row keeps the first result, and each approved tool runs', async () => {
    const { pay, paid } = paying()
    const { agent, model } = makeAgent([calls(['pay', { at: 1 }]), calls(['pay', { at: 2 }]), done], { tools: [pay] })
    let result = await agent.invoke('go')
    while (result.interrupts.length > 0) result = await agent.invoke(yes(result, 0))
    expect(paid).toEqual([1, 2])
    expect(sketch(model.requests.at(-1)!.messages)).toEqual([
      'user: "go"',
      'assistant: pay#call_1 {"at":1}',
      'user: call_1 success "paid 1"',
      'assistant: pay#call_2 {"at":2}',
      'user: call_2 success "paid 2"',
    ])
  })

  it('a user who speaks instead of deciding: the call is answered first, with the reason', async () => {
    const { pay, paid } = paying()
    const { agent, model } = makeAgent([calls(['pay', { at: 1 }]), done], { tools: [pay] })
    await agent.invoke('go')
    await agent.invoke('What would that cost?')
    expect(sketch(model.requests[1]!.messages).slice(2)).toEqual([
      expect.stringMatching(/^user: call_1 error\/not_answered ".*" "What would that cost\?"$/),
    ])
    expect(paid).toEqual([])
  })

  it('hs#3834: while a run is under way neither a state nor another history is taken', async () => {
    const { pay } = paying()
    const begun = deferred()
    const held = deferred()
    const wait = toolNamed('wait', async () => {
      begun.resolve()
      await held.promise
    })
    const { agent } = makeAgent([calls(['pay', { at: 1 }]), calls(['wait', { at: 1 }]), done], { tools: [pay, wait] })
    const asked = await agent.invoke('go')
    const running = agent.invoke('on')
    await begun.promise
    const before = agent.messages
    const resume = { type: 'resume' as const, checkpoint: asked.checkpoint!, responses: yes(asked, 0) }
    await expect(agent.invoke(resume)).rejects.toMatchObject({ code: 'concurrent_invocation' })
    expect(() => agent.setMessages([])).toThrow(expect.objectContaining({ code: 'concurrent_invocation' }))
    expect(agent.messages).toEqual(before)
    held.resolve()
    expect((await running).text).toBe('Done.')
    expect(check(agent.messages)).toEqual([])
  })
})
