import { describe, expect, it } from 'vitest'
import { collect } from '../../src/testing/collect.ts'
import { tick } from '../../src/util/clock.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { testProvider } from '../support/provider.ts'
import { settlesWithin } from '../support/settles.ts'
import { look, write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const done = { text: 'Done.' }
const next = { text: 'The next answer.' }
const calls = { calls: [{ name: 'look', input: { at: 1 } }] }

describe('tools that change during a run', () => {
  it('are loaded once, before the next turn, and offered to the model there', async () => {
    const mcp = testProvider('mcp', (n) => [look(() => (mcp.change(), mcp.change(), 'seen')), ...(n > 1 ? [write()] : [])])
    const { agent, model } = makeAgent([calls, done, next], { tools: [mcp] })
    await agent.invoke('go')
    expect(mcp.log).toEqual(['add agent', 'load', 'load'])
    expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([['look'], ['look', 'write']])
    await holdsInvariant(agent, { requests: model.requests, expected: 2 })
  })

  it('come from a provider that is added, too', async () => {
    const mcp = testProvider('mcp', () => [write()])
    const { agent, model } = makeAgent([calls, done], { tools: [look((_input, context) => (context.agent.tools.add(mcp), 'seen'))] })
    await agent.invoke('go')
    expect(model.requests[1]!.tools.map(({ name }) => name)).toEqual(['look', 'write'])
  })

  it('stay as they were when they cannot be loaded: the run goes on, with one warning', async () => {
    const mcp = testProvider('mcp', (n) => {
      if (n > 1) throw new Error('gone')
      return [look(() => (mcp.change(), 'seen'))]
    })
    const { agent, model } = makeAgent([calls, { ...calls }, done, next], { tools: [mcp] })
    const { events, result } = await collect(agent.stream('go'))
    expect([result?.text, events.filter(({ type }) => type === 'warning').length]).toEqual(['Done.', 2])
    await holdsInvariant(agent, { requests: model.requests, expected: 3, events })
  })

  it('that never come do not hold a run that is cancelled', async () => {
    const mcp = testProvider('mcp', (n) => (n === 2 ? new Promise(() => {}) : [look(() => (mcp.change(), 'seen'))]))
    const { agent, model } = makeAgent([calls, next], { tools: [mcp] })
    const run = agent.invoke('go')
    for (let i = 0; i < 20 && mcp.signals.length < 2; i++) await tick()
    agent.cancel()
    expect(await settlesWithin(run, 10, 'the run')).toMatchObject({ value: { stopReason: 'cancelled' } })
    await holdsInvariant(agent, { requests: model.requests, expected: 1 })
  })
})
