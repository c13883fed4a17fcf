import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { Budget } from '../../../src/agent/budget.ts'
import { check } from '../../../src/messages/check.ts'
import { countingIds } from '../../../src/testing/counting-ids.ts'
import { scriptedModel } from '../../../src/testing/scripted-model.ts'
import type { ScriptStep } from '../../../src/testing/scripted-model.ts'
import { makeAgent } from '../../support/make-agent.ts'
import { sketch } from '../../support/sketch.ts'
import { look, toolNamed, write } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

const call = (name: string, input: object): ScriptStep => ({ calls: [{ name, input: { ...input } }] })
const done = { text: 'Done.' }

describe('limits, as users of other SDKs met them', () => {
  it('hs#2166, kilocode#14163, mastra#14720: one call that fails the same way again and again ends the run, by name', async () => {
    const fails = toolNamed('look', () => {
      throw new Error('no such place')
    })
    const endless = new Agent({ model: endlessly('look', { at: 1 }), tools: [fails], ids: countingIds(), retry: false })
    await expect(endless.invoke('go')).rejects.toMatchObject({ code: 'repeated_failure', message: expect.stringContaining('look 5 times') })
    expect(check(endless.messages)).toEqual([])
  })

  it('V14: what a hook has the run go on with counts on: two turns are two', async () => {
    const { agent, model } = makeAgent([call('look', { at: 1 }), call('look', { at: 2 }), done, done], {
      tools: [look()],
      limits: { turns: 2 },
    })
    let resumed = 0
    agent.on('afterInvocation', (event) => {
      if (resumed++ < 2) event.resume = 'and on'
    })
    const result = await agent.invoke('go')
    expect([result.stopReason, model.requests.length]).toEqual(['limit_turns', 2])
    expect(check(agent.messages)).toEqual([])
  })

  it('openai-agents-python#3353: a cap on tokens is looked at before each call, and sub-agents spend of it', async () => {
    const inner = scriptedModel(call('look', { at: 1 }), call('look', { at: 2 }), { text: 'far' })
    const scout = new Agent({ name: 'scout', model: inner, tools: [look()], ids: countingIds(), retry: false })
    const { agent, model } = makeAgent([call('scout', { input: 'look around' }), done], { tools: [scout] })
    // A scripted answer counts 15 tokens: one turn outside, two inside, and there is no third.
    const budget = new Budget({ totalTokens: 45 })
    const result = await agent.invoke('go', { budget })
    expect([result.stopReason, model.requests.length, inner.requests.length]).toEqual(['limit_total_tokens', 1, 2])
    expect(sketch(agent.messages).at(-1)).toMatch(/^user: call_1 error "The agent scout did not finish: it ended with limit_total_tokens/)
  })

  it('hs#3798: a sub-agent that a limit stopped, or that was cancelled, has not done its task', async () => {
    const inner = scriptedModel(call('look', { at: 1 }), { text: 'far' })
    const scout = new Agent({ name: 'scout', model: inner, tools: [look()], limits: { turns: 1 }, ids: countingIds(), retry: false })
    const { agent } = makeAgent([call('scout', { input: 'look around' }), done], { tools: [scout] })
    await agent.invoke('go')
    expect(sketch(agent.messages)[2]).toMatch(/^user: call_1 error ".* ended with limit_turns/)
  })

  it('a limit counts model calls, and gives a result with the reason in the place of an error', async () => {
    const { agent } = makeAgent([call('write', { at: 1 }), call('write', { at: 2 })], { tools: [write()], limits: { turns: 2 } })
    const result = await agent.invoke('go')
    expect([result.stopReason, result.metrics.turns, result.metrics.modelCalls, sketch(agent.messages).at(-1)]).toEqual([
      'limit_turns',
      2,
      2,
      'user: call_2 success "written 2"',
    ])
  })

  it('mastra#15717, pi#11227: calls that the token limit cut are answered, not run, and the pairs stay together', async () => {
    const ran: number[] = []
    const tool = write(({ at }) => void ran.push(at))
    const cut: ScriptStep = { calls: [{ name: 'write', input: { at: 1 } }], stopReason: 'max_tokens' }
    const { agent, model } = makeAgent([cut, call('write', { at: 2 }), done], { tools: [tool] })
    await expect(agent.invoke('go')).rejects.toMatchObject({ code: 'max_tokens' })
    expect(check(agent.messages)).toEqual([])
    expect((await agent.invoke('on')).text).toBe('Done.')
    expect(ran).toEqual([2])
    for (const request of model.requests) expect(check(request.messages as never)).toEqual([])
    expect(check(agent.messages)).toEqual([])
  })
})

function endlessly(name: string, input: object): ReturnType<typeof scriptedModel> {
  return scriptedModel(...Array.from({ length: 20 }, () => call(name, input)))
}
