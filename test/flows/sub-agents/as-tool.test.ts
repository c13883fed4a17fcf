import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { Budget } from '../../../src/agent/budget.ts'
import { answer } from '../../../src/interrupts/interrupt.ts'
import { check } from '../../../src/messages/check.ts'
import { textOf } from '../../../src/messages/content.ts'
import { checkEvents } from '../../../src/testing/check-events.ts'
import { collect } from '../../../src/testing/collect.ts'
import { countingIds } from '../../../src/testing/counting-ids.ts'
import { scriptedModel } from '../../../src/testing/scripted-model.ts'
import type { ScriptStep } from '../../../src/testing/scripted-model.ts'
import type { Tool } from '../../../src/tools/tool.ts'
import type { Model } from '../../../src/models/model.ts'
import { deferred } from '../../support/promises.ts'
import { sketch } from '../../support/sketch.ts'
import { look, toolNamed, write } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

const ask = (name: string, ...inputs: readonly string[]): ScriptStep => ({ calls: inputs.map((input) => ({ name, input: { input } })) })

function agentNamed(name: string, model: Model, tools: readonly (Tool | Agent)[] = []): Agent {
  return new Agent({ name, description: `The agent ${name}.`, model, tools, ids: countingIds(), retry: false })
}

describe('an agent among the tools of another', () => {
  it('is a tool with its name and description, and answers with its text', async () => {
    const helper = agentNamed('helper', scriptedModel({ text: 'It is 22 °C.' }))
    const model = scriptedModel(ask('helper', 'How warm is it?'), { text: 'Warm.' })
    const boss = agentNamed('boss', model, [helper])
    const { events, result } = await collect(boss.stream('go'))
    expect(result?.text).toBe('Warm.')
    expect(boss.tools.specs).toEqual([
      {
        name: 'helper',
        description: 'The agent helper.',
        inputSchema: {
          type: 'object',
          properties: {
            input: { type: 'string', description: 'The task, with all that is needed to do it: nothing of this conversation is known.' },
          },
          required: ['input'],
        },
      },
    ])
    expect(sketch(boss.messages)[2]).toBe('user: call_1 success "It is 22 °C."')
    expect(checkEvents(events)).toEqual([])
    // Its own conversation is none of the agent's.
    expect(helper.messages).toEqual([])
  })

  it('forwards its events with their path, and they keep the grammar by themselves', async () => {
    const helper = agentNamed('helper', scriptedModel({ calls: [{ name: 'look', input: { at: 1 } }] }, { text: 'Seen.' }), [look()])
    const boss = agentNamed('boss', scriptedModel(ask('helper', 'look'), { text: 'Done.' }), [helper])
    const { events } = await collect(boss.stream('go'))
    const inner = events.flatMap((event) => (event.type === 'agent_event' ? [event] : []))
    expect(new Set(inner.map(({ path }) => path.join('>')))).toEqual(new Set(['call_1']))
    expect(checkEvents(inner.map(({ event }) => event))).toEqual([])
    expect(events.some((event) => event.type === 'text_delta' && event.text === 'Seen.')).toBe(false)
  })

  it('two calls of it in one turn run side by side, each with a conversation of its own', async () => {
    const both = deferred()
    let asked = 0
    const seen: string[] = []
    const model: Model = {
      provider: 'm',
      id: 'm',
      async *stream({ messages }) {
        seen.push(JSON.stringify(messages))
        if (++asked === 2) both.resolve()
        await both.promise
        yield { type: 'block_delta', index: 0, delta: { type: 'text', text: `answer ${seen.length}` } }
        yield { type: 'message_stop', stopReason: 'end_turn' }
      },
    }
    const boss = agentNamed('boss', scriptedModel(ask('helper', 'one', 'two'), { text: 'Done.' }), [agentNamed('helper', model)])
    await boss.invoke('go')
    expect(seen).toEqual(['one', 'two'].map((text) => JSON.stringify([{ role: 'user', content: [{ type: 'text', text }] }])))
  })

  it('hooks that were added to it see its calls, with its own history', async () => {
    const seen: string[] = []
    const helper = agentNamed('helper', scriptedModel({ calls: [{ name: 'write', input: { at: 1 } }] }, { text: 'Written.' }), [write()])
    helper.on('beforeToolCall', ({ agent, toolUse }) => void seen.push(`${agent.messages.length} ${toolUse.name}`))
    await agentNamed('boss', scriptedModel(ask('helper', 'look'), { text: 'Done.' }), [helper]).invoke('go')
    expect(seen).toEqual(['2 write'])
  })

  it.each<[string, ScriptStep, RegExp]>([
    ['a limit', { calls: [{ name: 'look', input: { at: 1 } }] }, /error "The agent helper did not finish: it ended with limit_turns\./],
    [
      'a refusal',
      { text: 'No.', stopReason: 'refusal' },
      /error "The agent helper did not finish: it ended with refusal\. The last that it said: No\."/,
    ],
    ['an error', { error: new Error('gone') }, /error "ModelError: The model failed: gone"/],
  ])('that ends with %s is a failed call, and the run goes on', async (_what, step, result) => {
    const helper = new Agent({ name: 'helper', model: scriptedModel(step), tools: [look()], limits: { turns: 1 }, retry: false })
    const boss = agentNamed('boss', scriptedModel(ask('helper', 'x'), { text: 'So be it.' }), [helper])
    expect((await boss.invoke('go')).text).toBe('So be it.')
    expect(sketch(boss.messages)[2]).toMatch(result)
  })

  it('is cancelled with the run, and nothing of it goes on', async () => {
    const helper = agentNamed('helper', scriptedModel({ hang: true }))
    const boss = agentNamed('boss', scriptedModel(ask('helper', 'x')), [helper])
    const running = boss.invoke('go')
    await new Promise((resolve) => setImmediate(resolve))
    boss.cancel('enough')
    expect((await running).stopReason).toBe('cancelled')
    expect(sketch(boss.messages)[2]).toMatch(/^user: call_1 error\/cancelled/)
    expect(check(boss.messages)).toEqual([])
  })

  it('that cancels itself has failed, says so, and the run goes on', async () => {
    const stop = look((_, { agent }) => agent.cancel('I give up'))
    const helper = agentNamed('helper', scriptedModel({ calls: [{ name: 'look', input: { at: 1 } }] }), [stop])
    const boss = agentNamed('boss', scriptedModel(ask('helper', 'x'), { text: 'So be it.' }), [helper])
    expect((await boss.invoke('go')).text).toBe('So be it.')
    expect(sketch(boss.messages)[2]).toBe(
      'user: call_1 error "The agent helper did not finish: it ended with cancelled. The last that it said: [The run was cancelled before the answer was complete: I give up]"',
    )
  })

  it('shares the budget: what it spends ends the calling agent', async () => {
    const budget = new Budget({ turns: 3 })
    const helper = agentNamed('helper', scriptedModel({ calls: [{ name: 'look', input: { at: 1 } }] }, { text: 'Seen.' }), [look()])
    const boss = agentNamed('boss', scriptedModel(ask('helper', 'x'), { text: 'never' }), [helper])
    expect((await boss.invoke('go', { budget })).stopReason).toBe('limit_turns')
    expect(budget.spent).toMatchObject({ turns: 3, totalTokens: 45 })
  })

  it('is judged by the gates of the calling agent, too', async () => {
    const judged: string[] = []
    const helper = agentNamed('helper', scriptedModel({ calls: [{ name: 'write', input: { at: 1 } }] }, { text: 'I may not.' }), [write()])
    const boss = agentNamed('boss', scriptedModel(ask('helper', 'x'), { text: 'Done.' }), [helper])
    boss.guard({
      name: 'g',
      judge: ({ tool }) => {
        judged.push(tool.name)
        return tool.name === 'write' ? { decision: 'deny', reason: 'Not here.' } : { decision: 'allow' }
      },
    })
    await boss.invoke('go')
    expect(judged).toEqual(['helper', 'write'])
  })

  it('that calls itself ends by its depth', async () => {
    const model: Model = {
      provider: 'm',
      id: 'm',
      async *stream({ messages }) {
        const last = messages.at(-1)!.content[0]!
        if (last.type === 'tool_result')
          yield { type: 'block_delta', index: 0, delta: { type: 'text', text: textOf(last.content as never) } }
        else {
          yield { type: 'block_start', index: 0, block: { type: 'tool_use', name: 'self' } }
          yield { type: 'block_delta', index: 0, delta: { type: 'tool_input', text: '{"input":"again"}' } }
          yield { type: 'block_stop', index: 0 }
        }
        yield { type: 'message_stop', stopReason: 'end_turn' }
      },
    }
    const agent = new Agent({ model })
    agent.tools.add(agent.asTool({ name: 'self', description: 'Itself.' }))
    expect((await agent.invoke('go')).text).toContain('Agents call each other 17 deep')
  })
})

describe('a question of an agent three deep', () => {
  const family = (log: string[]) => {
    const pay = toolNamed('pay', ({ at }, { idempotencyKey }) => (log.push(`paid ${at} ${idempotencyKey}`), `paid ${at}`), {
      needsApproval: true,
    })
    const inner = agentNamed(
      'inner',
      scriptedModelOnce('inner', { calls: [{ name: 'pay', input: { at: 7 } }] }, { text: 'Inner done.' }, log),
      [pay],
    )
    const middle = agentNamed('middle', scriptedModelOnce('middle', ask('inner', 'pay it'), { text: 'Middle done.' }, log), [inner])
    return agentNamed('outer', scriptedModelOnce('outer', ask('middle', 'have it paid'), { text: 'Outer done.' }, log), [middle])
  }
  /** The first answer to a prompt, the second to results: as often as it is asked. */
  function scriptedModelOnce(name: string, first: ScriptStep, second: ScriptStep, log: string[]): Model {
    return {
      provider: name,
      id: name,
      stream(request, options) {
        const isAnswer = request.messages.at(-1)!.content[0]!.type === 'tool_result'
        log.push(`${name} ${isAnswer ? 'second' : 'first'}`)
        return scriptedModel(isAnswer ? second : first).stream(request, options)
      },
    }
  }

  it('surfaces, and its answer reaches the tool, in the same process', async () => {
    const log: string[] = []
    const outer = family(log)
    const { events, result } = await collect(outer.stream('go'))
    expect(result?.stopReason).toBe('interrupt')
    expect(checkEvents(events)).toEqual([])
    const [interrupt] = result!.interrupts
    expect(interrupt).toMatchObject({ name: 'approval', toolUse: { name: 'pay', input: { at: 7 } }, path: ['call_1', 'call_1'] })
    expect(log).toEqual(['outer first', 'middle first', 'inner first'])
    const after = await outer.invoke([answer(interrupt!, true)])
    expect(after.text).toBe('Outer done.')
    expect(log.slice(3)).toEqual(['paid 7 conv_1>call_1>call_1:call_1', 'inner second', 'middle second', 'outer second'])
    expect(check(outer.messages)).toEqual([])
  })

  it('in another process, from JSON', async () => {
    const log: string[] = []
    const asked = await family(log).invoke('go')
    const checkpoint = JSON.parse(JSON.stringify(asked.checkpoint)) as NonNullable<typeof asked.checkpoint>
    const again: string[] = []
    const outer = family(again)
    const result = await outer.invoke({
      type: 'resume',
      checkpoint,
      responses: [answer(checkpoint.interrupts[0]!, { approved: true, input: { at: 8 } })],
    })
    expect(result.text).toBe('Outer done.')
    expect(again).toEqual(['paid 8 conv_1>call_1>call_1:call_1', 'inner second', 'middle second', 'outer second'])
  })

  it('a no is told to the agent that asked', async () => {
    const log: string[] = []
    const outer = family(log)
    const asked = await outer.invoke('go')
    const { events } = await collect(outer.stream([answer(asked.interrupts[0]!, { approved: false, reason: 'too much' })]))
    const result = events.flatMap((event) =>
      event.type === 'agent_event' && event.event.type === 'tool_end' && event.path.length === 2 ? [event.event.result] : [],
    )
    expect(result).toEqual([
      {
        type: 'tool_result',
        toolUseId: 'call_1',
        status: 'error',
        code: 'denied',
        content: [{ type: 'text', text: 'A person did not approve this call of pay. They said: too much' }],
      },
    ])
  })

  it('a new prompt leaves it unanswered, in a history that is legal', async () => {
    const outer = family([])
    await outer.invoke('go')
    await outer.invoke('Never mind.')
    expect(sketch(outer.messages)[2]).toMatch(/^user: call_1 error\/not_answered .* "Never mind\."/)
    expect(check(outer.messages)).toEqual([])
  })
})

describe('an agent that asks more than once', () => {
  /** The answers by the number of turns before: as often as it is asked. */
  const byTurn = (name: string, ...steps: readonly ScriptStep[]): Model => ({
    provider: name,
    id: name,
    stream: (request, options) =>
      scriptedModel(steps[request.messages.filter(({ role }) => role === 'assistant').length]!).stream(request, options),
  })
  const pays = (...ats: readonly number[]): ScriptStep => ({ calls: ats.map((at) => ({ name: 'pay', input: { at } })) })
  const payer = (paid: number[], ...steps: readonly ScriptStep[]) => {
    const pay = toolNamed('pay', ({ at }) => (paid.push(at), 'paid'), { needsApproval: true })
    const helper = agentNamed('helper', byTurn('helper', ...steps, { text: 'Paid.' }), [pay])
    return agentNamed('boss', byTurn('boss', ask('helper', 'pay'), { text: 'Done.' }), [helper])
  }

  it.each(['by answers', 'by state'])('in one turn, and is answered one by one (%s): nothing is asked twice', async (way) => {
    const paid: number[] = []
    const boss = payer(paid, pays(1, 2))
    const asked: string[][] = []
    let result = await boss.invoke('go')
    for (let n = 0; n < 5 && result.checkpoint; n++) {
      asked.push(result.interrupts.map(({ id }) => id))
      const checkpoint = JSON.parse(JSON.stringify(result.checkpoint)) as typeof result.checkpoint
      const responses = [answer(result.interrupts[0]!, true)]
      result = await boss.invoke(way === 'by state' ? { type: 'resume', checkpoint, responses } : responses)
    }
    const [one, two] = ['call_1>call_1/gate/approval', 'call_1>call_2/gate/approval']
    expect([result.text, asked, paid]).toEqual(['Done.', [[one, two], [two]], [1, 2]])
  })

  it('of the same tool with another input: an answer that was given before is none to that', async () => {
    const paid: number[] = []
    const boss = payer(paid, pays(1), pays(2))
    const first = await boss.invoke('go')
    const second = await boss.invoke([answer(first.interrupts[0]!, true)])
    expect([second.stopReason, second.interrupts.map(({ toolUse }) => toolUse?.input), paid]).toEqual(['interrupt', [{ at: 2 }], [1]])
    await expect(boss.invoke([answer(first.interrupts[0]!, true)])).rejects.toMatchObject({ name: 'InterruptError' })
    expect((await boss.invoke([answer(second.interrupts[0]!, true)])).text).toBe('Done.')
    expect(paid).toEqual([1, 2])
  })

  it('and whose first state is resumed twice pays once', async () => {
    const paid: number[] = []
    const boss = payer(paid, pays(1), pays(2))
    const { checkpoint, interrupts } = await boss.invoke('go')
    const input = { type: 'resume', checkpoint: checkpoint!, responses: [answer(interrupts[0]!, true)] } as const
    const stops = [(await boss.invoke(input)).stopReason, (await boss.invoke(input)).stopReason]
    expect([stops, paid]).toEqual([['interrupt', 'interrupt'], [1]])
  })
})
