import { describe, expect, it } from 'vitest'
import type { ToolContext } from '../../../src/tools/tool.ts'
import { answer } from '../../../src/interrupts/interrupt.ts'
import { check } from '../../../src/messages/check.ts'
import { breachesOf } from '../../support/invariant.ts'
import { makeAgent } from '../../support/make-agent.ts'
import { sketch } from '../../support/sketch.ts'
import type { AtInput } from '../../support/tools.ts'
import { look, toolNamed, write } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'
import { idsOf, runTo, throughJson } from './support/waiting.ts'

refuseUnhandled()

const calls = (...named: readonly (readonly [name: string, at: number])[]) => ({
  calls: named.map(([name, at]) => ({ name, input: { at } })),
})
const done = { text: 'Done.' }
const asks = (_: AtInput, { interrupt }: ToolContext): string => `told ${JSON.stringify(interrupt({ name: 'sure' }))}`
const approved = (execute: (input: AtInput) => unknown = ({ at }) => `written ${at}`) =>
  toolNamed('write', execute, { needsApproval: true })
const notAnswered = 'error/not_answered "The call did not run to its end: what it asked was not answered."'

describe('answers that are none', () => {
  it('are refused at the door, which changes nothing', async () => {
    const { agent } = makeAgent([calls(['write', 1], ['write', 2]), done], { tools: [approved()] })
    await expect(agent.invoke([answer('call_1/gate/approval', true)])).rejects.toMatchObject({ code: 'no_interrupt_pending' })
    const stopped = await runTo('interrupt', agent, 'go')
    const [one, two] = stopped.interrupts
    const before = agent.messages
    await expect(agent.invoke([answer('call_9/sure', 1)])).rejects.toMatchObject({ name: 'InterruptError', code: 'unknown_interrupt' })
    await expect(agent.invoke([answer(one!, true), answer(one!, false)])).rejects.toMatchObject({ code: 'answered_twice' })
    await expect(agent.invoke({ type: 'resume', checkpoint: stopped.checkpoint!, responses: [answer('x', 1)] })).rejects.toMatchObject({
      code: 'unknown_interrupt',
    })
    expect(agent.messages).toBe(before)
    const second = await runTo('interrupt', agent, [answer(one!, true)])
    await expect(agent.invoke([answer(one!, true)])).rejects.toMatchObject({ code: 'stale_interrupt' })
    expect(idsOf(second)).toEqual([two!.id])
    await runTo('end_turn', agent, [answer(two!, true)])
    await expect(agent.invoke([answer(two!, true)])).rejects.toMatchObject({ code: 'no_interrupt_pending' })
  })

  it('an answer to another input than was shown is no answer', async () => {
    let factor = 1
    const ran: number[] = []
    const { agent } = makeAgent([calls(['write', 1]), done], { tools: [approved(({ at }) => void ran.push(at))] })
    agent.on('beforeToolCall', (event) => void (event.input = { at: Number(event.input['at']) * factor }))
    const stopped = await runTo('interrupt', agent, 'go')
    factor = 100
    const again = await runTo('interrupt', agent, [answer(stopped.interrupts[0]!, true)])
    expect([ran, again.interrupts[0]!.toolUse?.input]).toEqual([[], { at: 100 }])
    await runTo('end_turn', agent, [answer(again.interrupts[0]!, true)])
    expect(ran).toEqual([100])
  })

  it.each([[1], ['yes'], [{}], [{ approved: 'yes' }], [null], [[true]]])('%j does not approve', async (said) => {
    const ran: number[] = []
    const { agent } = makeAgent([calls(['write', 1]), done], { tools: [approved(({ at }) => void ran.push(at))] })
    const stopped = await runTo('interrupt', agent, 'go')
    await runTo('end_turn', agent, [answer(stopped.interrupts[0]!, said)])
    expect(ran).toEqual([])
    expect(sketch(agent.messages)[2]).toBe('user: call_1 error/denied "A person did not approve this call of write."')
  })
})

describe('a new prompt in the place of answers', () => {
  it('keeps what has ended and answers each open call first', async () => {
    const seen: number[] = []
    const { agent, model } = makeAgent([calls(['look', 1], ['write', 2], ['write', 3]), done], {
      tools: [look(({ at }) => `seen ${(seen.push(at), at)}`), write(asks)],
    })
    await runTo('interrupt', agent, 'go')
    await runTo('end_turn', agent, 'never mind')
    expect(sketch(agent.messages)[2]).toBe(`user: call_1 success "seen 1" call_2 ${notAnswered} call_3 ${notAnswered} "never mind"`)
    expect(seen).toEqual([1])
    expect(breachesOf(model.requests[1]!)).toEqual([])
    await expect(agent.invoke([answer('call_2/sure', 1)])).rejects.toMatchObject({ code: 'no_interrupt_pending' })
  })

  it('so does one that a beforeInvocation hook puts in the place of answers; the turn that comes is a new one', async () => {
    const { agent, model } = makeAgent([calls(['write', 1]), calls(['look', 2]), done], { tools: [write(asks), look()] })
    const stopped = await runTo('interrupt', agent, 'go')
    const off = agent.on('beforeInvocation', (event) => void (event.messages = [{ role: 'user', content: 'other' }]))
    const result = await runTo('end_turn', agent, [answer(stopped.interrupts[0]!, 1)])
    off()
    expect(sketch(agent.messages)[2]).toBe(`user: call_1 ${notAnswered} "other"`)
    expect(result.metrics.turns).toBe(2)
    model.assertComplete()
  })

  it('and a hook that answers in the place of the model closes the calls', async () => {
    const { agent } = makeAgent([calls(['write', 1], ['write', 2])], { tools: [write(asks)] })
    const stopped = await runTo('interrupt', agent, 'go')
    agent.on('beforeInvocation', (event) => void (event.cancel = 'not today'))
    await runTo('end_turn', agent, [answer(stopped.interrupts[0]!, 1)])
    expect(sketch(agent.messages).at(-1)).toBe('assistant: "not today"')
    expect(check(agent.messages)).toEqual([])
  })
})

describe('the same saved state', () => {
  it('resumed twice in one agent runs nothing twice', async () => {
    const ran: number[] = []
    const { agent } = makeAgent([calls(['write', 1]), done, done], { tools: [approved(({ at }) => `run ${ran.push(at)}`)] })
    const stopped = await runTo('interrupt', agent, 'go')
    const state = throughJson({
      type: 'resume' as const,
      checkpoint: stopped.checkpoint!,
      responses: [answer(stopped.interrupts[0]!, true)],
    })
    await runTo('end_turn', agent, state)
    const first = sketch(agent.messages)
    await runTo('end_turn', agent, state)
    expect(sketch(agent.messages)).toEqual(first)
    expect(ran).toEqual([1])
  })

  it('first refused, then approved: it has not run yet, so it runs', async () => {
    const ran: number[] = []
    const { agent } = makeAgent([calls(['write', 1]), done, done], { tools: [approved(({ at }) => void ran.push(at))] })
    const { checkpoint, interrupts } = await runTo('interrupt', agent, 'go')
    await runTo('end_turn', agent, { type: 'resume', checkpoint: checkpoint!, responses: [answer(interrupts[0]!, false)] })
    await runTo('end_turn', agent, { type: 'resume', checkpoint: checkpoint!, responses: [answer(interrupts[0]!, true)] })
    expect(ran).toEqual([1])
  })

  it('of two conversations with the same call ids the one does not get the results of the other', async () => {
    const save = async (at: number) =>
      (await runTo('interrupt', makeAgent([calls(['write', at])], { tools: [approved()] }).agent, 'go')).checkpoint!
    const [a, b] = [
      { ...(await save(1)), conversationId: 'a' },
      { ...(await save(2)), conversationId: 'b' },
    ]
    const { agent } = makeAgent([done, done], { tools: [approved()] })
    for (const [checkpoint, said] of [
      [a, 'written 1'],
      [b, 'written 2'],
    ] as const) {
      await runTo('end_turn', agent, { type: 'resume', checkpoint, responses: [answer(checkpoint.interrupts[0]!, true)] })
      expect(sketch(agent.messages)[2]).toBe(`user: call_1 success "${said}"`)
    }
  })

  it('in a fresh agent: turns go on counting, and so do tokens', async () => {
    const { agent } = makeAgent([calls(['write', 1])], { tools: [approved()] })
    const stopped = await runTo('interrupt', agent, 'go', { limits: { turns: 2 } })
    const responses = [answer(stopped.interrupts[0]!, true)]
    const checkpoint = throughJson(stopped.checkpoint!)
    for (const [limits, ends] of [
      [{ turns: 1 }, 'limit_turns'],
      [{ turns: 2 }, 'end_turn'],
      [{ totalTokens: 15 }, 'limit_total_tokens'],
      [{ outputTokens: 6 }, 'end_turn'],
    ] as const) {
      const fresh = makeAgent([done], { tools: [approved()] })
      const result = await runTo(ends, fresh.agent, { type: 'resume', checkpoint, responses }, { limits })
      // The turn that was begun is brought to its end, as without the question.
      expect(sketch(fresh.agent.messages)[2]).toBe('user: call_1 success "written 1"')
      expect(result.usage.totalTokens).toBe(ends === 'end_turn' ? 15 : 0)
    }
  })
})

describe('an answer that comes too late', () => {
  it('refuses the call with that reason; the others go on', async () => {
    const ran: number[] = []
    const tool = write(({ at }, { interrupt }) => {
      interrupt({ name: 'sure', expiresInMs: at * 1000 })
      ran.push(at)
    })
    const { agent, clock } = makeAgent([calls(['write', 1]), calls(['write', 5]), done], { tools: [tool] })
    const stopped = await runTo('interrupt', agent, 'go')
    expect(stopped.interrupts[0]!.expiresAt).toBe(2000)
    await clock.advance(1000)
    const second = await runTo('interrupt', agent, [answer(stopped.interrupts[0]!, true)])
    expect(sketch(agent.messages)[2]).toBe(
      'user: call_1 error/denied "The call was refused. The question "sure" was open until 1970-01-01T00:00:02.000Z, and had no answer by then."'.replaceAll(
        '"sure"',
        '\\"sure\\"',
      ),
    )
    await clock.advance(4999)
    await runTo('end_turn', agent, [answer(second.interrupts[0]!, true)])
    expect(ran).toEqual([5])
  })

  it('without any answer, too', async () => {
    const { agent, clock } = makeAgent([calls(['write', 1]), done], { tools: [write()] })
    agent.on('beforeToolCall', (event) => void event.interrupt({ name: 'sure', expiresInMs: 10 }))
    await runTo('interrupt', agent, 'go')
    await clock.advance(10)
    await runTo('end_turn', agent)
    expect(sketch(agent.messages)[2]).toMatch(/^user: call_1 error\/denied "The call was refused\./)
  })

  it('asked before the tools: each call is refused', async () => {
    const { agent, clock } = makeAgent([calls(['write', 1], ['write', 2]), done], { tools: [write()] })
    agent.on('beforeTools', (event) => void event.interrupt({ name: 'sure', expiresInMs: 10 }))
    const stopped = await runTo('interrupt', agent, 'go')
    await clock.advance(10)
    await runTo('end_turn', agent, [answer(stopped.interrupts[0]!, true)])
    expect(sketch(agent.messages)[2]).toMatch(
      /^user: call_1 error\/denied "The call was refused\. .* call_2 error\/denied "The call was refused\./,
    )
  })

  it('asked before the model: there is no call to refuse, and the run ends with an error that says so', async () => {
    const { agent, clock } = makeAgent([done], {})
    const off = agent.on('beforeModelCall', (event) => void event.interrupt({ name: 'sure', expiresInMs: 10 }))
    const stopped = await runTo('interrupt', agent, 'go')
    await clock.advance(10)
    await expect(agent.invoke([answer(stopped.interrupts[0]!, true)])).rejects.toMatchObject({
      code: 'hook_failed',
      cause: { code: 'interrupt_expired' },
    })
    off()
    await runTo('end_turn', agent)
  })
})

describe('another input than the model’s', () => {
  const edit = async (input: object, deny?: (at: unknown) => boolean) => {
    const ran: unknown[] = []
    const { agent } = makeAgent([calls(['write', 1]), done], {
      tools: [toolNamed('write', (given) => void ran.push(given), { needsApproval: true, strict: true })],
    })
    if (deny)
      agent.guard({
        name: 'limits',
        judge: ({ input: { at }, approved: byPerson }) =>
          deny(at) ? { decision: 'deny', reason: `no ${String(at)} (${byPerson})` } : { decision: 'allow' },
      })
    const stopped = await runTo('interrupt', agent, 'go')
    await runTo('end_turn', agent, [answer(stopped.interrupts[0]!, { approved: true, input: input as never })])
    return { ran, said: sketch(agent.messages)[2] }
  }

  it('runs, and the model is told', async () => {
    expect(await edit({ at: 7 })).toEqual({
      ran: [{ at: 7 }],
      said: 'user: call_1 success "Done." "The person who approved this call had it run with another input: {\\"at\\":7}"'.replace(
        '"Done." ',
        (await edit({ at: 7 })).said!.match(/success (".*?" )/)![1]!,
      ),
    })
  })

  it.each([[{ at: 'seven' }], [{}]])('%j is validated, and refused', async (input) => {
    const { ran, said } = await edit(input)
    expect(ran).toEqual([])
    expect(said).toMatch(/^user: call_1 error\/invalid_input /)
  })

  it('is judged by the gates', async () => {
    expect(await edit({ at: 7 }, (at) => at === 7)).toEqual({ ran: [], said: 'user: call_1 error/denied "no 7 (true)"' })
  })
})

describe('while something is asked', () => {
  it.each(['That is it.', undefined])('a call that has ended the turn beside it (%s) still does, in a fresh process too', async (said) => {
    const tools = [
      toolNamed('ends', (_, { endTurn }) => (endTurn(said), 'ended')),
      toolNamed('asks', (_, { interrupt }) => interrupt({ name: 'sure?' })),
    ]
    const script = { calls: ['ends', 'asks'].map((name) => ({ name, input: { at: 1 } })) }
    const text = said ?? 'The turn was ended after the tools.'
    const { agent, model } = makeAgent([script], { tools })
    const { checkpoint, interrupts } = await agent.invoke('go')
    const responses = interrupts.map((interrupt) => answer(interrupt, 'yes'))
    const saved = JSON.parse(JSON.stringify(checkpoint)) as NonNullable<typeof checkpoint>
    expect((await agent.invoke(responses)).text).toBe(text)
    const fresh = makeAgent([], { tools })
    expect((await fresh.agent.invoke({ type: 'resume', checkpoint: saved, responses })).text).toBe(text)
    expect([model.requests.length, fresh.model.requests.length]).toEqual([1, 0])
    const other = makeAgent([{ text: 'Another matter.' }], { tools })
    await other.agent.invoke({ type: 'resume', checkpoint: saved, responses: [] })
    expect((await other.agent.invoke('Something else.')).text).toBe('Another matter.')
  })

  it('setMessages puts it away', async () => {
    const { agent } = makeAgent([calls(['write', 1]), done], { tools: [write(asks)] })
    const stopped = await runTo('interrupt', agent, 'go')
    agent.setMessages([])
    await expect(agent.invoke([answer(stopped.interrupts[0]!, 1)])).rejects.toMatchObject({ code: 'no_interrupt_pending' })
    await runTo('end_turn', agent, 'other')
    expect(sketch(agent.messages)).toEqual(['user: "other"', 'assistant: "Done."'])
  })

  it('a result of a call that is not open is refused, and what is asked stays', async () => {
    const { agent, model } = makeAgent([{ calls: [{ name: 'asks', input: { at: 1 } }] }, { text: 'Done.' }], {
      tools: [toolNamed('asks', (_, { interrupt }) => interrupt({ name: 'sure?' }))],
    })
    const { interrupts } = await agent.invoke('go')
    const before = agent.messages
    const wrong = { type: 'tool_result', toolUseId: 'call_9', status: 'success', content: [{ type: 'text', text: 'x' }] } as const
    await expect(agent.invoke([wrong])).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'The input has a result for "call_9", but no such call is open. Open are: call_1.',
    })
    expect(agent.messages).toEqual(before)
    expect((await agent.invoke(interrupts.map((interrupt) => answer(interrupt, 'yes')))).text).toBe('Done.')
    expect([sketch(agent.messages)[2], model.requests.length]).toEqual(['user: call_1 success "yes"', 2])
  })

  it('a direct call closes it like a prompt would: what has ended is kept', async () => {
    const { agent } = makeAgent([calls(['look', 1], ['write', 2]), done], { tools: [look(), write(asks)] })
    const stopped = await runTo('interrupt', agent, 'go')
    await agent.callTool('look', { at: 3 })
    expect(check(agent.messages)).toEqual([])
    expect(sketch(agent.messages)[2]).toBe(
      `user: call_1 success "seen 1" call_2 ${notAnswered} "[The program calls the tool look itself; the model did not ask for it.]"`,
    )
    await expect(agent.invoke([answer(stopped.interrupts[0]!, 1)])).rejects.toMatchObject({ code: 'no_interrupt_pending' })
    await runTo('end_turn', agent, 'on')
  })

  it('a direct call that is not recorded leaves it open', async () => {
    const { agent } = makeAgent([calls(['write', 2]), done], { tools: [look(), write(asks)] })
    const stopped = await runTo('interrupt', agent, 'go')
    await agent.callTool('look', { at: 3 }, { record: false })
    await runTo('end_turn', agent, [answer(stopped.interrupts[0]!, 1)])
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "told 1"')
  })

  it('an afterInvocation hook may answer: one run, whose events keep the grammar', async () => {
    const ran: number[] = []
    const { agent, model } = makeAgent([calls(['write', 1]), calls(['write', 2]), done], {
      tools: [approved(({ at }) => void ran.push(at))],
    })
    agent.on('afterInvocation', (event) => {
      if (event.result?.stopReason === 'interrupt') event.resume = event.result.interrupts.map((interrupt) => answer(interrupt, true))
    })
    const result = await runTo('end_turn', agent, 'go')
    expect([ran, result.interrupts]).toEqual([[1, 2], []])
    model.assertComplete()
  })

  it('a hook that resumes by checkpoints gets to the end, and each state says where it stands', async () => {
    const positions: string[] = []
    const { agent, model } = makeAgent([calls(['write', 1]), done], { tools: [approved()] })
    let asked = false
    agent.on('beforeModelCall', (event) => {
      if (model.requests.length === 0 || asked) return
      asked = event.interrupt({ name: 'again' })
    })
    agent.on('afterInvocation', (event) => {
      const { checkpoint, interrupts } = event.result ?? {}
      if (!checkpoint) return
      positions.push(checkpoint.position)
      event.resume = { type: 'resume', checkpoint, responses: interrupts!.map((interrupt) => answer(interrupt, true)) }
    })
    const result = await runTo('end_turn', agent, 'go', { checkpointing: true, limits: { turns: 2 } })
    expect(positions).toEqual(['after_model', 'interrupt', 'after_tools', 'interrupt'])
    expect(result.stopReason).toBe('end_turn')
    model.assertComplete()
  })
})
