import { describe, expect, it } from 'vitest'
import { answer } from '../../../src/interrupts/interrupt.ts'
import { check } from '../../../src/messages/check.ts'
import { breachesOf } from '../../support/invariant.ts'
import { makeAgent } from '../../support/make-agent.ts'
import { sketch } from '../../support/sketch.ts'
import { toolNamed, write } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

const calls = (...named: readonly (readonly [name: string, at: number])[]) => ({
  calls: named.map(([name, at]) => ({ name, input: { at } })),
})
const done = { text: 'Done.' }
const approved = toolNamed('write', ({ at }) => `written ${at}`, { needsApproval: true })

describe('approval', () => {
  it('BUG-35: two calls that need it are both asked about, and answers in another order reach their calls', async () => {
    const { agent } = makeAgent([calls(['write', 1], ['write', 2]), done], { tools: [approved] })
    const { interrupts } = await agent.invoke('go')
    expect(interrupts.length).toBe(2)
    await agent.invoke([answer(interrupts[1]!, false), answer(interrupts[0]!, true)])
    expect(sketch(agent.messages)[2]).toMatch(/^user: call_1 success "written 1" call_2 error\/denied /)
  })

  it('BUG-37: two stops one after the other send each result once', async () => {
    const { agent, model } = makeAgent([calls(['write', 1]), calls(['write', 2]), done], { tools: [approved] })
    let result = await agent.invoke('go')
    while (result.interrupts.length > 0) result = await agent.invoke(result.interrupts.map((interrupt) => answer(interrupt, true)))
    const results = model.requests.at(-1)!.messages.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_result'))
    expect(results.length).toBe(2)
    expect(breachesOf(model.requests.at(-1)!)).toEqual([])
  })

  it('hs#3508: a hook behind the tools cannot lose a question', async () => {
    const { agent } = makeAgent([calls(['write', 1])], { tools: [approved] })
    agent.on('afterTools', () => {
      throw new Error('no')
    })
    expect((await agent.invoke('go')).stopReason).toBe('interrupt')
  })

  it('hs#3615: a resume that is cancelled leaves the saved question answerable', async () => {
    const { agent } = makeAgent([calls(['write', 1]), done], { tools: [approved] })
    const { checkpoint, interrupts } = await agent.invoke('go')
    const state = { type: 'resume' as const, checkpoint: checkpoint!, responses: [answer(interrupts[0]!, true)] }
    expect((await agent.invoke(state, { signal: AbortSignal.abort() })).stopReason).toBe('cancelled')
    expect((await agent.invoke(state)).stopReason).toBe('end_turn')
  })
})

describe('hooks', () => {
  it('hs#4338: one that throws behind the tools does not have them run again', async () => {
    let charged = 0
    const { agent } = makeAgent([calls(['write', 1]), done], { tools: [write(() => void charged++)] })
    const off = agent.on('afterTools', () => {
      throw new Error('no')
    })
    await expect(agent.invoke('go')).rejects.toMatchObject({ code: 'hook_failed' })
    off()
    expect((await agent.invoke()).stopReason).toBe('end_turn')
    expect(charged).toBe(1)
  })

  it('hs#1796: what one throws behind a call in a batch is not lost, nor are the results', async () => {
    const { agent } = makeAgent([calls(['write', 1], ['write', 2])], { tools: [write()] })
    agent.on('afterToolCall', () => {
      throw new Error('no')
    })
    await expect(agent.invoke('go')).rejects.toMatchObject({ code: 'hook_failed', cause: { message: 'no' } })
    expect(check(agent.messages)).toEqual([])
    expect(sketch(agent.messages)[2]).toMatch(/^user: call_1 .* call_2 /)
  })
})

describe('cancel', () => {
  it('BUG-24, hs#3807: a signal that fired before the start: the input is stored, nothing is asked', async () => {
    const { agent, model } = makeAgent([])
    expect((await agent.invoke('go', { signal: AbortSignal.abort() })).stopReason).toBe('cancelled')
    expect([sketch(agent.messages)[0], model.requests.length, check(agent.messages)]).toEqual(['user: "go"', 0, []])
  })

  it.each([
    ['BUG-26: a tool that rejects on it does not have the model asked again', true],
    ['BUG-38: the next prompt goes out with a result for each call', false],
  ])('%s', async (_name, rejects) => {
    const tool = write(async (_, { signal }) => {
      agent.cancel()
      if (rejects) signal.throwIfAborted()
    })
    const { agent, model } = makeAgent([calls(['write', 1], ['write', 2]), done], { tools: [tool] })
    expect((await agent.invoke('go')).stopReason).toBe('cancelled')
    expect(model.requests.length).toBe(1)
    await agent.invoke('on')
    expect(breachesOf(model.requests[1]!)).toEqual([])
  })
})
