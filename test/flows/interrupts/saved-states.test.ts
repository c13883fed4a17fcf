import { describe, expect, it } from 'vitest'
import type { Checkpoint } from '../../../src/checkpoints/checkpoint.ts'
import { answer } from '../../../src/interrupts/interrupt.ts'
import { makeAgent } from '../../support/make-agent.ts'
import { sketch } from '../../support/sketch.ts'
import { toolNamed } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'
import { throughJson } from './support/waiting.ts'

refuseUnhandled()

const callsPay = { calls: [{ name: 'pay', input: { at: 1 } }] }

/** As a database gives it back that keeps JSON, but not the order of its keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}

describe('a saved question', () => {
  it('is answered although its store has another order of keys', async () => {
    const paid: unknown[] = []
    const agentThatPays = (script: Parameters<typeof makeAgent>[0]) => {
      const made = makeAgent(script, { tools: [toolNamed('pay', (input) => (paid.push(input), 'paid'), { needsApproval: true })] })
      made.agent.on('beforeToolCall', (event) => void (event.input = { to: { street: 'x', city: 'y' }, at: 1 }))
      return made.agent
    }
    const { checkpoint, interrupts } = await agentThatPays([callsPay]).invoke('go')
    const restored = sorted(throughJson(checkpoint)) as Checkpoint
    expect(JSON.stringify(restored.interrupts[0]!.toolUse!.input)).toBe('{"at":1,"to":{"city":"y","street":"x"}}')
    const agent = agentThatPays([{ text: 'Done.' }])
    const { stopReason } = await agent.invoke({ type: 'resume', checkpoint: restored, responses: [answer(interrupts[0]!, true)] })
    expect([stopReason, paid.length]).toEqual(['end_turn', 1])
  })

  it('that may be answered for ever survives JSON', async () => {
    const ask = () =>
      toolNamed('pay', (_, { interrupt }) => `answered ${String(interrupt({ name: 'how', expiresInMs: Number.POSITIVE_INFINITY }))}`)
    const { checkpoint, interrupts } = await makeAgent([callsPay], { tools: [ask()] }).agent.invoke('go')
    expect(interrupts[0]).not.toHaveProperty('expiresAt')
    const { agent } = makeAgent([{ text: 'Done.' }], { tools: [ask()] })
    await agent.invoke({ type: 'resume', checkpoint: throughJson(checkpoint!), responses: [answer(interrupts[0]!, 'cash')] })
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "answered cash"')
  })

  it.each(['constructor', '__proto__', 'toString'])('has no answer for the id %s, which was never asked', async (id) => {
    const { agent } = makeAgent([callsPay], { tools: [toolNamed('pay', () => 'paid', { needsApproval: true })] })
    await agent.invoke('go')
    await expect(agent.invoke([answer(id, true)])).rejects.toMatchObject({ code: 'unknown_interrupt' })
  })
})

describe('the answer to one question', () => {
  it('is none to another whose name looks like a place', async () => {
    const { agent } = makeAgent([callsPay, { text: 'Done.' }], {
      tools: [toolNamed('pay', (_, { interrupt }) => `really: ${String(interrupt({ name: 'gate/approval' }))}`, { needsApproval: true })],
    })
    const first = await agent.invoke('go')
    expect(first.interrupts.map(({ id }) => id)).toEqual(['call_1/gate/approval'])
    const second = await agent.invoke([answer(first.interrupts[0]!, true)])
    expect(second.interrupts.map(({ id, name }) => [id, name])).toEqual([['call_1/gate%2Fapproval', 'gate/approval']])
    await agent.invoke([answer(second.interrupts[0]!, 'no')])
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "really: no"')
  })

  it('is none to another whose name looks like a repeated one', async () => {
    const names = ['x', 'x', 'x#2']
    const { agent } = makeAgent([callsPay, { text: 'Done.' }], {
      tools: [toolNamed('pay', (_, { interrupt }) => names.map((name) => interrupt({ name })).join())],
    })
    let result = await agent.invoke('go')
    for (let n = 1; result.interrupts.length > 0; n++) result = await agent.invoke([answer(result.interrupts[0]!, n)])
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "1,2,3"')
  })
})

describe('a saved state of the agent', () => {
  it('has no key that reaches behind the object', async () => {
    const { checkpoint } = await makeAgent([callsPay], {
      tools: [toolNamed('pay', () => 'paid', { needsApproval: true })],
      state: { a: 1 },
    }).agent.invoke('go')
    const forged = JSON.parse(JSON.stringify(checkpoint).replace('"state":{"a":1}', '"state":{"a":2,"__proto__":{"isAdmin":true}}'))
    const { agent } = makeAgent([{ text: 'Done.' }], { tools: [toolNamed('pay', () => 'paid')], state: {} })
    await agent.invoke(forged as Checkpoint)
    expect(agent.state).toEqual({ a: 2 })
    expect(agent.state).not.toHaveProperty('isAdmin')
    expect(Object.getPrototypeOf(agent.state)).toBe(Object.prototype)
  })
})
