import { describe, expect, it } from 'vitest'
import { Budget } from '../../src/agent/budget.ts'
import { answer } from '../../src/interrupts/interrupt.ts'
import { makeAgent } from '../support/make-agent.ts'
import { toolNamed, write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const call = { calls: [{ name: 'write', input: { at: 1 } }] }
const prices = { 'scripted/scripted': { input: 1, output: 2 } }

describe('a budget', () => {
  it.each([
    ['limit_turns', { turns: 1 }],
    ['limit_total_tokens', { totalTokens: 15 }],
    ['limit_output_tokens', { outputTokens: 5 }],
    ['limit_cost', { cost: 0.00002, prices }],
  ] as const)('%s: ends the run that has used it up, and the next before it begins', async (ends, limits) => {
    const budget = new Budget(limits)
    const first = makeAgent([call], { tools: [write()] })
    expect((await first.agent.invoke('go', { budget })).stopReason).toBe(ends)
    const second = makeAgent([], {})
    expect((await second.agent.invoke('go', { budget })).stopReason).toBe(ends)
    expect(budget.spent).toMatchObject({ turns: 1, totalTokens: 15, outputTokens: 5 })
  })

  it('is used up also where one answer came with a count that is none', async () => {
    const budget = new Budget({ outputTokens: 15 })
    const { agent } = makeAgent([{ ...call, usage: { inputTokens: NaN, outputTokens: NaN } }, call, call, call], { tools: [write()] })
    expect((await agent.invoke('go', { budget })).stopReason).toBe('limit_output_tokens')
    expect(budget.spent).toMatchObject({ turns: 4, outputTokens: 15 })
  })

  it('time counts while a run is under way, not while a person thinks', async () => {
    const tool = toolNamed('write', () => clock.advance(100), { needsApproval: true })
    const { agent, clock } = makeAgent([call], { tools: [tool] })
    const budget = new Budget({ timeMs: 100 })
    const stopped = await agent.invoke('go', { budget })
    await clock.advance(10_000)
    expect(budget.spent.timeMs).toBe(0)
    expect((await agent.invoke([answer(stopped.interrupts[0]!, true)], { budget })).stopReason).toBe('limit_time')
    expect(budget.spent).toMatchObject({ turns: 1, timeMs: 100 })
  })

  it('says once that a price is not known', async () => {
    const { agent } = makeAgent([call, { text: 'Done.' }], { tools: [write()] })
    const warnings: string[] = []
    const budget = new Budget({ cost: 1 })
    await agent.invoke('go', { budget, onEvent: (event) => void (event.type === 'warning' && warnings.push(event.code)) })
    expect([warnings, budget.spent.cost]).toEqual([['unknown_price'], 0])
  })
})
