import { expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { Budget } from '../../../src/agent/budget.ts'
import type { Checkpoint } from '../../../src/checkpoints/checkpoint.ts'
import { answer } from '../../../src/interrupts/interrupt.ts'
import { check } from '../../../src/messages/check.ts'
import type { Model } from '../../../src/models/model.ts'
import { checkEvents } from '../../../src/testing/check-events.ts'
import { collect } from '../../../src/testing/collect.ts'
import { countingIds } from '../../../src/testing/counting-ids.ts'
import type { ScriptedAnswer } from '../../../src/testing/scripted-model.ts'
import { eventsOf } from '../../../src/testing/scripted-model.ts'
import type { Tool } from '../../../src/tools/tool.ts'
import { look, toolNamed } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

type Call = { readonly name: string; readonly input: { readonly at: number } | { readonly input: string } }
const call = (name: string, at: number): Call => ({ name, input: { at } })
const ask = (name: string, input: string): Call => ({ name, input: { input } })

/** Answers by the number of answers that the history has, and notes that it was asked. */
function agentOf(name: string, asked: string[], answers: readonly ScriptedAnswer[], tools: readonly (Tool | Agent)[]): Agent {
  const model: Model = {
    provider: 'scripted',
    id: name,
    async *stream({ messages }) {
      const turn = messages.filter(({ role }) => role === 'assistant').length
      asked.push(`${name} ${turn}`)
      yield* eventsOf(answers[turn]!)
    },
  }
  return new Agent({ name, model, tools, ids: countingIds(), retry: false })
}

it('three deep, beside tools that throw: half is answered, the process dies, another one answers the rest', async () => {
  const asked: string[] = []
  const done: string[] = []
  const family = (): Agent => {
    const pay = toolNamed('pay', (_, { idempotencyKey }) => (done.push(idempotencyKey), 'paid'), {
      needsApproval: true,
      isConcurrencySafe: true,
    })
    const boom = toolNamed(
      'boom',
      (_, { idempotencyKey }) => {
        done.push(idempotencyKey)
        throw new Error('boom')
      },
      { isConcurrencySafe: true },
    )
    const inner = agentOf('inner', asked, [{ calls: [call('pay', 1), call('boom', 2), call('pay', 3)] }, { text: 'Inner.' }], [pay, boom])
    const middle = agentOf(
      'middle',
      asked,
      [{ calls: [ask('inner', 'a'), call('boom', 4), ask('inner', 'b')] }, { text: 'Middle.' }],
      [inner, boom],
    )
    return agentOf(
      'outer',
      asked,
      [{ calls: [ask('middle', 'x'), call('boom', 5), ask('middle', 'y')] }, { text: 'Outer.' }],
      [middle, boom],
    )
  }
  const saved = (checkpoint: Checkpoint | undefined): Checkpoint => JSON.parse(JSON.stringify(checkpoint)) as Checkpoint
  const first = await collect(family().stream('go'))
  const open = first.result!.interrupts
  expect([open.length, new Set(open.map(({ id }) => id)).size, new Set(open.map(({ path }) => path.length))]).toEqual([8, 8, new Set([2])])
  const half = open.filter((_, index) => index % 2 === 0).map((interrupt) => answer(interrupt, true))
  const second = await collect(family().stream({ type: 'resume', checkpoint: saved(first.result!.checkpoint), responses: half }))
  expect(second.result!.interrupts.map(({ id }) => id)).toEqual(open.filter((_, index) => index % 2 === 1).map(({ id }) => id))
  const rest = second.result!.interrupts.map((interrupt) => answer(interrupt, true))
  const last = family()
  const third = await collect(last.stream({ type: 'resume', checkpoint: saved(second.result!.checkpoint), responses: rest }))
  expect(third.result?.text).toBe('Outer.')
  // Eight payments, and each throw once: one outside, two in the middle, four inside.
  expect([done.length, new Set(done).size]).toEqual([15, 15])
  // Seven conversations of two answers each.
  expect(asked.length).toBe(14)
  expect([first, second, third].flatMap(({ events }) => checkEvents(events))).toEqual([])
  expect(check(last.messages)).toEqual([])
})

it('a budget that one of two spends while the other asks: the question is kept, and what is left to do is not begun', async () => {
  const asked: string[] = []
  const paid: number[] = []
  const budget = new Budget({ turns: 3 })
  const pay = toolNamed('pay', ({ at }) => (paid.push(at), 'paid'), { needsApproval: true })
  const asker = agentOf('asker', asked, [{ calls: [call('pay', 1)] }, { text: 'never' }], [pay])
  const spender = agentOf('spender', asked, [{ calls: [call('look', 1)] }, { text: 'never' }], [look()])
  const outer = agentOf('outer', asked, [{ calls: [ask('asker', 'a'), ask('spender', 'b')] }, { text: 'never' }], [asker, spender])
  const first = await outer.invoke('go', { budget })
  expect([first.stopReason, first.interrupts.map(({ id }) => id)]).toEqual(['interrupt', ['call_1>call_1/gate/approval']])
  const second = await outer.invoke([answer(first.interrupts[0]!, true)], { budget })
  // A turn that was begun is brought to its end: what was approved is paid. No model is asked any more.
  expect([second.stopReason, paid, asked]).toEqual(['limit_turns', [1], ['outer 0', 'asker 0', 'spender 0']])
  expect(budget.spent.turns).toBe(3)
  expect(check(outer.messages)).toEqual([])
})
