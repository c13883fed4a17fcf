import { describe, expect, it } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import { countingIds } from '../../src/testing/counting-ids.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import type { Gate } from '../../src/tools/gate.ts'
import type { Tool, ToolContext } from '../../src/tools/tool.ts'
import { handModel } from '../support/hand-model.ts'
import { makeAgent } from '../support/make-agent.ts'
import { sketch } from '../support/sketch.ts'
import { look, write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const callsOf = (...names: readonly string[]) => ({ calls: names.map((name, index) => ({ name, input: { at: index + 1 } })) })
const noWriting: Gate = {
  name: 'no writing',
  judge: ({ tool }) => (tool.name === 'write' ? { decision: 'deny', reason: 'Not now.' } : { decision: 'allow' }),
}

describe('a gate that is taken away while it judges', () => {
  it('does not let the call past the gate behind it', async () => {
    const { agent } = makeAgent([callsOf('write'), { text: 'Done.' }], { tools: [write()] })
    const off = agent.guard({ name: 'once', judge: () => (off(), { decision: 'allow' }) })
    agent.guard(noWriting)
    await agent.invoke('go')
    expect(sketch(agent.messages)[2]).toBe('user: call_1 error/denied "Not now."')
  })

  it('does not judge the next call', async () => {
    const judged: string[] = []
    const { agent } = makeAgent([callsOf('write', 'write'), { text: 'Done.' }], { tools: [write()] })
    const off = agent.guard({ name: 'once', judge: ({ toolUse }) => (judged.push(toolUse.id), off(), { decision: 'allow' }) })
    await agent.invoke('go')
    expect(judged).toEqual(['call_1'])
  })
})

describe('a gate that is added while a run is under way', () => {
  it('judges what begins behind it', async () => {
    const { agent } = makeAgent([callsOf('look', 'write'), { text: 'Done.' }], {
      tools: [look((_, context) => (context.agent.guard(noWriting), 'seen')), write()],
    })
    await agent.invoke('go')
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "seen" call_2 error/denied "Not now."')
  })

  it('also of calls that begin while a message is being written, in an agent below', async () => {
    const model = handModel()
    const ran: number[] = []
    const child = new Agent({ name: 'child', model, ids: countingIds(), tools: [look(({ at }) => (ran.push(at), 'seen'))] })
    const { agent } = makeAgent([{ calls: [{ name: 'child', input: { input: 'Look.' } }] }, { text: 'Done.' }], { tools: [child] })
    const running = agent.invoke('go')
    const speech = await model.next()
    await speech.call(0, 'look', { at: 1 })
    agent.guard({ name: 'not now', judge: () => ({ decision: 'deny', reason: 'Not now.' }), allowsEarly: () => true })
    await speech.call(1, 'look', { at: 2 })
    await speech.stop('tool_use')
    const answer = await model.next()
    expect([ran, sketch(answer.request.messages)[2]]).toEqual([[1], 'user: call_1 success "seen" call_2 error/denied "Not now."'])
    await answer.stop('end_turn')
    await running
  })

  const agentOf = (name: string, first: string, second: string, tools: readonly (Tool | Agent)[]): Agent =>
    new Agent({
      name,
      description: `The agent ${name}.`,
      model: scriptedModel(
        { calls: [{ name: first, input: first === 'look' ? { at: 1 } : { input: 'go' } }] },
        { calls: [{ name: second, input: { at: 2 } }] },
        { text: 'Done.' },
      ),
      tools,
      ids: countingIds(),
      retry: false,
    })

  it.each(['by the agent that runs', 'by the one that called it', 'by the one above that'] as const)(
    '%s: two agents deep, it judges there, too',
    async (by) => {
      const written: string[] = []
      const add = (_: unknown, context: ToolContext): string => {
        const who = by === 'by the agent that runs' ? context.agent : by === 'by the one above that' ? outer : middle
        who.guard(noWriting)
        return 'seen'
      }
      const effect = write(({ at }) => (written.push(`at ${at}`), 'written'))
      const inner = agentOf('inner', 'look', 'write', [look(add), effect])
      const middle: Agent = agentOf('middle', 'inner', 'look', [inner, look()])
      const outer: Agent = agentOf('outer', 'middle', 'look', [middle, look()])
      expect((await outer.invoke('go')).text).toBe('Done.')
      expect(written).toEqual([])
    },
  )
})
