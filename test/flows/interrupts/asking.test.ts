import { describe, expect, it } from 'vitest'
import type { ToolContext } from '../../../src/tools/tool.ts'
import { answer } from '../../../src/interrupts/interrupt.ts'
import { concurrent, sequential } from '../../../src/tools/strategies.ts'
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

/** A tool that asks, and says what it was told. */
const asks = (input: AtInput, { interrupt }: ToolContext): string =>
  `told ${JSON.stringify(interrupt({ name: 'sure', reason: { at: input.at } }))}`

describe('a question ends the run, and its answer goes on with it', () => {
  it('from a tool', async () => {
    const { agent, model } = makeAgent([calls(['write', 1]), done], { tools: [write(asks)] })
    const stopped = await runTo('interrupt', agent, 'go')
    expect(throughJson(stopped.interrupts)).toEqual([
      { id: 'call_1/sure', name: 'sure', reason: { at: 1 }, toolUse: { id: 'call_1', name: 'write', input: { at: 1 } }, path: [] },
    ])
    await runTo('end_turn', agent, [answer(stopped.interrupts[0]!, 'yes')])
    expect(sketch(agent.messages)).toEqual([
      'user: "go"',
      'assistant: write#call_1 {"at":1}',
      'user: call_1 success "told \\"yes\\""',
      'assistant: "Done."',
    ])
    model.assertComplete()
  })

  it('null is an answer', async () => {
    const { agent } = makeAgent([calls(['write', 1]), done], { tools: [write(asks)] })
    const stopped = await runTo('interrupt', agent, 'go')
    await runTo('end_turn', agent, [answer(stopped.interrupts[0]!, null)])
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "told null"')
  })

  it('one after the other in one call: the first answer is given once more', async () => {
    const told: unknown[] = []
    const tool = write((_, { interrupt }) => {
      const first = interrupt({ name: 'sure' })
      const second = interrupt({ name: 'sure' })
      const third = interrupt({ name: 'really' })
      told.push([first, second, third])
      return 'ok'
    })
    const { agent } = makeAgent([calls(['write', 1]), done], { tools: [tool] })
    const ids: string[] = []
    let stopped = await runTo('interrupt', agent, 'go')
    for (const said of [1, 2]) {
      ids.push(...idsOf(stopped))
      stopped = await runTo('interrupt', agent, [answer(stopped.interrupts[0]!, said)])
    }
    ids.push(...idsOf(stopped))
    await runTo('end_turn', agent, [answer(stopped.interrupts[0]!, 3)])
    expect(ids).toEqual(['call_1/sure', 'call_1/sure#2', 'call_1/really'])
    expect(told).toEqual([[1, 2, 3]])
  })

  it('although the throw is swallowed, and whatever the tool makes of it', async () => {
    const outcomes = [() => 'fine', () => Promise.reject(new Error('other'))]
    for (const outcome of outcomes) {
      const tool = write((_, { interrupt }) => {
        try {
          return `told ${interrupt<string>({ name: 'sure' })}`
        } catch {
          return outcome()
        }
      })
      const { agent } = makeAgent([calls(['write', 1]), done], { tools: [tool] })
      const stopped = await runTo('interrupt', agent, 'go')
      await runTo('end_turn', agent, [answer(stopped.interrupts[0]!, 'yes')])
      expect(sketch(agent.messages)[2]).toBe('user: call_1 success "told yes"')
    }
  })

  it('from a generator that has told of its progress: the call begins anew, with another tool_start', async () => {
    const steps: string[] = []
    const tool = toolNamed('walk', async function* (_, { interrupt }) {
      steps.push('begins')
      yield 'half way'
      steps.push(`told ${interrupt<string>({ name: 'on' })}`)
      return 'there'
    })
    const { agent } = makeAgent([calls(['walk', 1]), done], { tools: [tool] })
    const stopped = await runTo('interrupt', agent, 'go')
    await runTo('end_turn', agent, [answer(stopped.interrupts[0]!, 'yes')])
    expect(steps).toEqual(['begins', 'begins', 'told yes'])
  })

  it('from a hook around one call', async () => {
    const { agent } = makeAgent([calls(['write', 1]), done], { tools: [write()] })
    agent.on('beforeToolCall', (event) => {
      if (event.interrupt({ name: 'sure' }) !== true) event.cancel = 'no'
    })
    const stopped = await runTo('interrupt', agent, 'go')
    expect(idsOf(stopped)).toEqual(['call_1/before_tool_call/sure'])
    await runTo('end_turn', agent, [answer(stopped.interrupts[0]!, false)])
    expect(sketch(agent.messages)[2]).toBe('user: call_1 error/denied "no"')
  })

  it.each(['beforeTools', 'beforeModelCall'] as const)('from %s, and hooks behind it do not run', async (name) => {
    const ran: unknown[] = []
    const { agent, model } = makeAgent([calls(['write', 1]), done], { tools: [write()] })
    let asked = 0
    agent.on(name, (event) => {
      if (asked++ > 0 && name === 'beforeModelCall' && model.requests.length > 0) return
      ran.push(event.interrupt({ name: 'go_on' }))
    })
    agent.on(name, () => void ran.push('behind'))
    const stopped = await runTo('interrupt', agent, 'go')
    expect(ran).toEqual([])
    expect(stopped.interrupts[0]!.toolUse).toBeUndefined()
    expect(stopped.metrics.turns).toBe(1)
    await runTo('end_turn', agent, [answer(stopped.interrupts[0]!, 'yes')])
    expect(ran.slice(0, 2)).toEqual(['yes', 'behind'])
    model.assertComplete()
  })

  it('from a gate, which judges again with the answer', async () => {
    const { agent } = makeAgent([calls(['write', 1]), done], { tools: [write()] })
    agent.guard({
      name: 'careful',
      asksByInterrupt: true,
      judge: ({ interrupt }) => (interrupt({ name: 'ok' }) === 'fine' ? { decision: 'allow' } : { decision: 'deny', reason: 'not fine' }),
    })
    const stopped = await runTo('interrupt', agent, 'go')
    expect(idsOf(stopped)).toEqual(['call_1/gate/ok'])
    await runTo('end_turn', agent, [answer(stopped.interrupts[0]!, 'bad')])
    expect(sketch(agent.messages)[2]).toBe('user: call_1 error/denied "not fine"')
  })

  it('from a middleware before the tool; behind it there is nothing to ask any more', async () => {
    let ran = 0
    const { agent } = makeAgent([calls(['write', 1]), done], { tools: [write(() => `run ${++ran}`)] })
    agent.use('tool', async function* (call, next) {
      const said = call.context.interrupt<string>({ name: 'before' })
      const outcome = yield* next(call)
      try {
        call.context.interrupt({ name: 'behind' })
      } catch (error) {
        return {
          ...outcome,
          content: [...outcome.content, { type: 'text' as const, text: `${said}: ${(error as { code: string }).code}` }],
        }
      }
      return outcome
    })
    const stopped = await runTo('interrupt', agent, 'go')
    expect(idsOf(stopped)).toEqual(['call_1/middleware/before'])
    expect(ran).toBe(0)
    await runTo('end_turn', agent, [answer(stopped.interrupts[0]!, 'yes')])
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "run 1" "yes: too_late_to_ask"')
    expect(ran).toBe(1)
  })
})

describe('several questions of one message', () => {
  const approved = (execute?: (input: AtInput) => unknown) =>
    toolNamed('write', execute ?? (({ at }) => `written ${at}`), { needsApproval: true })

  it.each([['scheduled', undefined] as const, ['sequential', sequential] as const, ['concurrent', concurrent] as const])(
    'needsApproval: all are asked at once (%s)',
    async (_name, strategy) => {
      const { agent } = makeAgent([calls(['write', 1], ['write', 2], ['write', 3]), done], {
        tools: [approved()],
        ...(strategy && { strategy }),
      })
      const stopped = await runTo('interrupt', agent, 'go')
      expect(idsOf(stopped)).toEqual(['call_1/gate/approval', 'call_2/gate/approval', 'call_3/gate/approval'])
      const [a, b, c] = stopped.interrupts
      await runTo('end_turn', agent, [answer(c!, true), answer(a!, true), answer(b!, { approved: false, reason: 'Not that one.' })])
      expect(sketch(agent.messages)[2]).toBe(
        'user: call_1 success "written 1" call_2 error/denied "A person did not approve this call of write. They said: Not that one." call_3 success "written 3"',
      )
    },
  )

  it('hooks around calls: all are asked at once, though the calls would run one after the other', async () => {
    const ran: number[] = []
    const { agent } = makeAgent([calls(['write', 1], ['write', 2]), done], { tools: [write(({ at }) => void ran.push(at))] })
    agent.on('beforeToolCall', (event) => void event.interrupt({ name: 'sure' }))
    const stopped = await runTo('interrupt', agent, 'go')
    expect(idsOf(stopped)).toEqual(['call_1/before_tool_call/sure', 'call_2/before_tool_call/sure'])
    await runTo(
      'end_turn',
      agent,
      stopped.interrupts.map((interrupt) => answer(interrupt, true)),
    )
    expect(ran).toEqual([1, 2])
  })

  it('what a hook makes of a call is what a person is asked about, asked ahead or not', async () => {
    const { agent } = makeAgent([calls(['write', 1], ['write', 2], ['write', 3]), done], { tools: [approved()] })
    agent.on('beforeToolCall', (event) => {
      if (event.input['at'] === 3) event.cancel = 'never 3'
      else event.input = { at: Number(event.input['at']) * 10 }
    })
    const stopped = await runTo('interrupt', agent, 'go')
    expect(stopped.interrupts.map(({ toolUse }) => toolUse?.input)).toEqual([{ at: 10 }, { at: 20 }])
    await runTo(
      'end_turn',
      agent,
      stopped.interrupts.map((interrupt) => answer(interrupt, true)),
    )
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "written 10" call_2 success "written 20" call_3 error/denied "never 3"')
  })

  it('finished siblings are kept, and not run again', async () => {
    const seen: number[] = []
    const { agent } = makeAgent([calls(['look', 1], ['write', 2], ['look', 3]), done], {
      tools: [look(({ at }) => void seen.push(at)), write(asks)],
    })
    const stopped = await runTo('interrupt', agent, 'go')
    expect(stopped.checkpoint!.results.map(({ toolUseId }) => toolUseId)).toEqual(['call_1'])
    expect(seen).toEqual([1])
    await runTo('end_turn', agent, [answer(stopped.interrupts[0]!, 1)])
    expect(seen).toEqual([1, 3])
  })

  it('some answered: the rest is asked again, and nothing unanswered begins', async () => {
    const ran: number[] = []
    const { agent, model } = makeAgent([calls(['write', 1], ['write', 2], ['look', 3], ['write', 4]), done], {
      tools: [approved(({ at }) => void ran.push(at)), look(({ at }) => void ran.push(at))],
    })
    const stopped = await runTo('interrupt', agent, 'go')
    const [one, two, four] = stopped.interrupts
    // The last must not overtake those before it; its answer is kept.
    const second = await runTo('interrupt', agent, [answer(four!, true)])
    expect([ran, idsOf(second)]).toEqual([[], [one!.id, two!.id]])
    const third = await runTo('interrupt', agent, [answer(one!, true)])
    expect([ran, idsOf(third)]).toEqual([[1], [two!.id]])
    await runTo('end_turn', agent, [answer(two!, true)])
    expect(ran).toEqual([1, 2, 3, 4])
    expect(model.requests.length).toBe(2)
    model.assertComplete()
  })

  it('calls that may run together do not wait for each other’s answers', async () => {
    const ran: number[] = []
    const tool = toolNamed('peek', ({ at }) => void ran.push(at), { isReadOnly: true, isConcurrencySafe: true, needsApproval: true })
    const { agent } = makeAgent([calls(['peek', 1], ['peek', 2]), done], { tools: [tool] })
    const stopped = await runTo('interrupt', agent, 'go')
    const second = await runTo('interrupt', agent, [answer(stopped.interrupts[1]!, true)])
    expect([ran, idsOf(second)]).toEqual([[2], ['call_1/gate/approval']])
    await runTo('end_turn', agent, [answer(stopped.interrupts[0]!, true)])
    expect(ran).toEqual([2, 1])
  })

  it('no answer at all asks all again', async () => {
    const { agent, model } = makeAgent([calls(['write', 1], ['write', 2]), done], { tools: [approved()] })
    const stopped = await runTo('interrupt', agent, 'go')
    const again = await runTo('interrupt', agent)
    expect(again.interrupts).toEqual(stopped.interrupts)
    expect(model.requests.length).toBe(1)
  })
})
