import { describe, expect, it } from 'vitest'
import type { Checkpoint } from '../../../src/checkpoints/checkpoint.ts'
import { answer } from '../../../src/interrupts/interrupt.ts'
import { makeAgent } from '../../support/make-agent.ts'
import { sketch } from '../../support/sketch.ts'
import { look, toolNamed, write } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'
import { runTo, throughJson } from '../interrupts/support/waiting.ts'

refuseUnhandled()

const calls = (...named: readonly (readonly [name: string, at: number])[]) => ({
  calls: named.map(([name, at]) => ({ name, input: { at } })),
})
const done = { text: 'Done.' }
const checkpointing = true

describe('checkpointing', () => {
  it('stops behind each model call that asks for tools and behind the tools, not behind the answer; each part in a fresh agent', async () => {
    const ran: string[] = []
    const tools = [
      look(({ at }, { idempotencyKey }) => `seen ${(ran.push(idempotencyKey), at)}`),
      write(({ at }, { idempotencyKey }) => `written ${(ran.push(idempotencyKey), at)}`),
    ]
    const script = [calls(['look', 1], ['write', 2]), calls(['write', 3]), done]
    const stops: string[] = []
    let asked = 0
    let input: string | Checkpoint = 'go'
    let history: readonly string[] = []
    for (let parts = 0; parts < 10; parts++) {
      // What it would be asked next, and nothing else: a paid call that is repeated is a script that runs out.
      const { agent, model } = makeAgent(script.slice(asked, asked + 1), { tools })
      const result = await runTo(stops.length < 4 ? 'checkpoint' : 'end_turn', agent, input, { checkpointing })
      asked += model.requests.length
      history = sketch(agent.messages)
      stops.push(result.checkpoint?.position ?? result.stopReason)
      if (!result.checkpoint) break
      expect(result.checkpoint.counters.turns).toBe(Math.ceil(stops.length / 2))
      input = throughJson(result.checkpoint)
    }
    expect(stops).toEqual(['after_model', 'after_tools', 'after_model', 'after_tools', 'end_turn'])
    expect(ran).toEqual(['conv_1:call_1', 'conv_1:call_2', 'conv_1:call_1_2'])
    const whole = makeAgent(script, { tools })
    await runTo('end_turn', whole.agent, 'go')
    expect(history.map((line) => line.replaceAll('call_1_2', 'call_3'))).toEqual(sketch(whole.agent.messages))
  })

  it('invoke() without input goes on, too; turns are counted once', async () => {
    const { agent, model } = makeAgent([calls(['write', 1]), calls(['write', 2]), done], { tools: [write()] })
    const stops: string[] = []
    let result = await runTo('checkpoint', agent, 'go', { checkpointing, limits: { turns: 2 } })
    while (result.checkpoint) {
      stops.push(result.checkpoint.position)
      result = await agent.invoke(undefined, { checkpointing, limits: { turns: 2 } })
    }
    expect([stops, result.stopReason]).toEqual([['after_model', 'after_tools', 'after_model', 'after_tools'], 'limit_turns'])
    expect(model.requests.length).toBe(2)
  })

  it('a resume without it runs to the end', async () => {
    const { agent } = makeAgent([calls(['write', 1])], { tools: [write()] })
    const { checkpoint } = await runTo('checkpoint', agent, 'go', { checkpointing })
    const fresh = makeAgent([done], { tools: [write()] })
    await runTo('end_turn', fresh.agent, { type: 'resume', checkpoint: throughJson(checkpoint!) })
    expect(sketch(fresh.agent.messages)[2]).toBe('user: call_1 success "written 1"')
  })

  it('starts nothing early: the model’s message is saved before a tool has run', async () => {
    const { agent } = makeAgent([calls(['look', 1], ['look', 2])], {
      tools: [look(() => expect.fail('It must not run.'))],
    })
    await runTo('checkpoint', agent, 'go', { checkpointing })
  })

  it('an interrupt goes before it, a cancel before both', async () => {
    const tool = toolNamed('write', ({ at }) => `written ${at}`, { needsApproval: true })
    const { agent } = makeAgent([calls(['write', 1]), done], { tools: [tool] })
    await runTo('checkpoint', agent, 'go', { checkpointing })
    const asked = await runTo('interrupt', agent, undefined, { checkpointing })
    expect(asked.checkpoint!.position).toBe('interrupt')
    expect((await runTo('checkpoint', agent, [answer(asked.interrupts[0]!, true)], { checkpointing })).checkpoint!.position).toBe(
      'after_tools',
    )
    await runTo('end_turn', agent, undefined, { checkpointing })

    const other = makeAgent([{ ...calls(['write', 1]) }], { tools: [tool] })
    other.agent.on('afterModelCall', () => other.agent.cancel())
    await runTo('cancelled', other.agent, 'go', { checkpointing })
    const third = makeAgent([calls(['write', 1])], { tools: [write(() => third.agent.cancel())] })
    await runTo('checkpoint', third.agent, 'go', { checkpointing })
    await runTo('cancelled', third.agent, undefined, { checkpointing })
  })

  it('a tool that ends the turn ends the run', async () => {
    const { agent, model } = makeAgent([calls(['write', 1])], { tools: [write((_, { endTurn }) => endTurn('That is it.'))] })
    await runTo('checkpoint', agent, 'go', { checkpointing })
    expect((await runTo('end_turn', agent, undefined, { checkpointing })).text).toBe('That is it.')
    model.assertComplete()
  })

  it('the same saved state, resumed twice in one agent, runs a tool once', async () => {
    const ran: number[] = []
    const { agent } = makeAgent([calls(['write', 1]), done, done], { tools: [write(({ at }) => void ran.push(at))] })
    const { checkpoint } = await runTo('checkpoint', agent, 'go', { checkpointing })
    await runTo('end_turn', agent, checkpoint)
    await runTo('end_turn', agent, checkpoint)
    expect(ran).toEqual([1])
  })

  it.each([
    [{ response: [] }, 'There is no key of an input that resumes "response". Did you mean "responses"?'],
    [{ limits: { turns: 1 } }, 'There is no key of an input that resumes "limits".'],
  ])('an input that resumes with a key that is none is refused, and nothing is touched: %j', async (extra, said) => {
    const { agent } = makeAgent([calls(['write', 1]), done], { tools: [write()] })
    const { checkpoint } = await runTo('checkpoint', agent, 'go', { checkpointing })
    const input = { type: 'resume', checkpoint: checkpoint!, ...extra } as const
    await expect(agent.invoke(input)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(said) as unknown,
    })
    expect(() => agent.stream(input)).toThrow(said)
    await runTo('end_turn', agent, undefined)
  })

  it('the history of an agent that had another is replaced, and so is its state', async () => {
    const { agent } = makeAgent([calls(['write', 1])], { tools: [write()], state: { a: { b: 1 } } })
    const { checkpoint } = await runTo('checkpoint', agent, 'go', { checkpointing })
    const other = makeAgent([{ text: 'Hi.' }, done], { tools: [write()], state: { c: 2 } })
    await runTo('end_turn', other.agent, 'hello')
    await runTo('end_turn', other.agent, throughJson(checkpoint!))
    expect([sketch(other.agent.messages)[0], other.agent.state]).toEqual(['user: "go"', { a: { b: 1 } }])
    ;(other.agent.state as Record<string, { b: number }>)['a']!.b = 2
    expect(checkpoint!.state).toEqual({ a: { b: 1 } })
  })
})
