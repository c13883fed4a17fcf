import { describe, expect, it } from 'vitest'
import { check } from '../../src/messages/check.ts'
import { memoryResults } from '../../src/results/memory-results.ts'
import { checkEvents } from '../../src/testing/check-events.ts'
import { collect } from '../../src/testing/collect.ts'
import type { ScriptStep } from '../../src/testing/scripted-model.ts'
import { makeAgent } from '../support/make-agent.ts'
import { look, toolNamed } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const persisted = (events: Awaited<ReturnType<typeof collect>>['events']) =>
  events.flatMap((event) => (event.type === 'result_persisted' ? [event.chars] : []))

describe('results that are too long', () => {
  it('one goes to the store, with an event and a reference; Infinity opts out', async () => {
    const big = 'x'.repeat(31_000)
    const { agent } = makeAgent([{ calls: ['look', 'whole'].map((name) => ({ name, input: { at: 1 } })) }, { text: 'Done.' }], {
      tools: [look(() => big), toolNamed('whole', () => big, { maxResultChars: Infinity })],
      results: memoryResults(),
    })
    const { events } = await collect(agent.stream('go'))
    expect([persisted(events), checkEvents(events), check(agent.messages)]).toEqual([[31_000], [], []])
    const [short, whole] = agent.messages[2]!.content
    expect(JSON.stringify(short)).toMatch(/<persisted-output path=.*chars=/)
    expect(JSON.stringify(short).length).toBeLessThan(4000)
    expect(JSON.stringify(whole)).toContain(big)
  })

  it('of a whole turn the largest go first, until the rest fits; each at most once', async () => {
    const { agent } = makeAgent([{ calls: Array.from({ length: 9 }, (_, at) => ({ name: 'look', input: { at } })) }, { text: 'Done.' }], {
      tools: [look(({ at }) => 'x'.repeat(at === 8 ? 40_000 : 25_000 + at))],
      results: memoryResults(),
    })
    const { events } = await collect(agent.stream('go'))
    expect([checkEvents(events), check(agent.messages)]).toEqual([[], []])
    expect(persisted(events)).toEqual([40_000, 25_007])
  })
})

describe('results of agents that are called as tools', () => {
  it('are kept with the conversation of the outermost, and go with it', async () => {
    const results = memoryResults()
    const kept: string[] = []
    const store = {
      ...results,
      put: async (...given: Parameters<typeof results.put>) => {
        kept.push(given[0].conversationId)
        return await results.put(...given)
      },
    }
    const calls = (name: string, input: object): ScriptStep => ({ calls: [{ name, input: { ...input } }] })
    const tools = [look(() => 'x'.repeat(31_000))]
    const inner = makeAgent([calls('look', { at: 1 }), { text: 'Seen.' }], { name: 'inner', tools, results: store })
    const middle = makeAgent([calls('look', { at: 1 }), calls('inner', { input: 'Look.' }), { text: 'Seen.' }], {
      name: 'middle',
      tools: [...tools, inner.agent.asTool()],
      results: store,
    })
    const { agent } = makeAgent([calls('look', { at: 1 }), calls('middle', { input: 'Look.' }), { text: 'Done.' }], {
      tools: [...tools, middle.agent.asTool()],
      results: store,
    })
    const { result } = await collect(agent.stream('go'))
    expect([result?.text, kept]).toEqual(['Done.', ['conv_1', 'conv_1', 'conv_1']])
  })
})
