import { describe, expect, it } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import { tick } from '../../src/util/clock.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { makeAgent } from '../support/make-agent.ts'
import { look, write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

describe('the life of an agent', () => {
  it('is idle, runs, and is idle again', async () => {
    const { agent } = makeAgent([{ hang: true }])
    expect(agent.isRunning).toBe(false)
    const run = agent.invoke('go')
    expect(agent.isRunning).toBe(true)
    await tick()
    agent.cancel()
    await run
    expect(agent.isRunning).toBe(false)
  })

  it('ends with close(), which cancels what runs and says why', async () => {
    const { agent } = makeAgent([{ hang: true }])
    const run = agent.invoke('go')
    await tick()
    await agent.close()
    expect((await run).stopReason).toBe('cancelled')
    expect(agent.messages.at(-1)!.content).toEqual([
      { type: 'text', text: '[The run was cancelled before the answer was complete: The agent was closed.]' },
    ])
  })

  it('may be bound to a block', async () => {
    const model = scriptedModel({ hang: true })
    let run
    {
      await using agent = new Agent({ model })
      run = agent.invoke('go')
      await tick()
    }
    expect((await run).stopReason).toBe('cancelled')
  })
})

describe('tools at run time', () => {
  it('count from the next turn', async () => {
    const { agent, model } = makeAgent(
      [{ calls: [{ name: 'look', input: { at: 1 } }] }, { calls: [{ name: 'write', input: { at: 2 } }] }, { text: 'Done.' }],
      {
        tools: [
          look((_input, { agent }) => {
            agent.tools.add(write())
            agent.tools.remove('look')
            return 'seen'
          }),
        ],
      },
    )
    await agent.invoke('go')
    expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([['look'], ['write'], ['write']])
  })

  it('a set that does not change is the same list in every request: it keeps the cache of the provider', async () => {
    const { agent, model } = makeAgent([{ calls: [{ name: 'look', input: { at: 1 } }] }, { text: 'Done.' }], { tools: [write(), look()] })
    await agent.invoke('go')
    expect(model.requests[1]!.tools).toBe(model.requests[0]!.tools)
    expect(model.requests[0]!.tools.map(({ name }) => name)).toEqual(['look', 'write'])
  })
})

it('two agents share nothing: tools, hooks and histories are their own', async () => {
  const shared = look()
  const [one, two] = [makeAgent([{ text: 'One.' }], { tools: [shared] }), makeAgent([{ text: 'Two.' }], { tools: [shared] })]
  one.agent.on('beforeModelCall', (event) => void (event.cancel = 'Not here.'))
  one.agent.tools.remove('look')
  const [first, second] = await Promise.all([one.agent.invoke('go'), two.agent.invoke('go')])
  expect([first.text, second.text]).toEqual(['Not here.', 'Two.'])
  expect([one.agent.tools.names, two.agent.tools.names]).toEqual([[], ['look']])
})
