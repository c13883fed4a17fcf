import { describe, expect, it } from 'vitest'
import { tick } from '../../src/util/clock.ts'
import { makeAgent } from '../support/make-agent.ts'
import { testProvider } from '../support/provider.ts'
import { look, toolNamed, write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

type Calls = Readonly<Record<string, (input: object, options?: object) => Promise<unknown>>>
const callsOf = (agent: { readonly tool: object }): Calls => agent.tool as Calls

describe('agent.tool', () => {
  it('has a function for each tool, by its name or with `_` for `-`', async () => {
    const { agent } = makeAgent([], { tools: [look(), toolNamed('list-dir', () => 'list')] })
    expect(await callsOf(agent)['look']!({ at: 1 })).toMatchObject({ status: 'success', value: 'seen 1' })
    expect(await callsOf(agent)['list_dir']!({ at: 1 }, { record: false })).toMatchObject({ value: 'list' })
    expect(await callsOf(agent)['list-dir']!({ at: 1 }, { record: false })).toMatchObject({ value: 'list' })
    expect(agent.messages).toHaveLength(4)
  })

  it('shows the tools that there are now, and cannot be changed', () => {
    const { agent } = makeAgent([], { tools: [look()] })
    agent.tools.add(write())
    expect([Object.keys(agent.tool), 'write' in agent.tool, 'wrote' in agent.tool]).toEqual([['look', 'write'], true, false])
    agent.tools.remove('look')
    expect(Object.keys(agent.tool)).toEqual(['write'])
    expect(() => Object.assign(agent.tool, { x: 1 })).toThrow(TypeError)
    expect(() => Reflect.deleteProperty(agent.tool, 'write')).not.toThrow()
    expect(Object.keys(agent.tool)).toEqual(['write'])
  })

  it('has tools that were added later, and those of a provider that was not loaded yet', async () => {
    const { agent } = makeAgent([], { tools: [testProvider('mcp', () => [look()])] })
    agent.tools.add(write())
    expect(await callsOf(agent)['look']!({ at: 1 })).toMatchObject({ value: 'seen 1' })
    expect(await callsOf(agent)['write']!({ at: 1 })).toMatchObject({ value: 'written 1' })
  })

  it('tells of a name that is not there when it is called', async () => {
    const { agent } = makeAgent([], { tools: [look()] })
    await expect(callsOf(agent)['lok']!({ at: 1 })).rejects.toMatchObject({ code: 'tool_not_found', available: ['look'] })
  })

  it('is no promise and no data: it can be awaited, printed and compared', async () => {
    const { agent } = makeAgent([], { tools: [look()] })
    expect(await (agent.tool as unknown as Promise<unknown>)).toBe(agent.tool)
    expect([JSON.stringify(agent.tool), Object.prototype.toString.call(agent.tool)]).toEqual(['{}', '[object Object]'])
    expect(callsOf(agent)['constructor']).toBeUndefined()
  })

  it('has a tool of any name, even one that others ask for', async () => {
    const { agent } = makeAgent([], { tools: [toolNamed('then', () => 'so')] })
    expect(await callsOf(agent)['then']!({ at: 1 })).toMatchObject({ value: 'so' })
  })
})

describe('tools that a hook changes during a run', () => {
  it('come from a provider that it adds: they are there in the next run at the latest', async () => {
    const mcp = testProvider('mcp', () => [write()])
    const { agent, model } = makeAgent([{ calls: [{ name: 'look', input: { at: 1 } }] }, { text: 'Done.' }, { text: 'Done.' }], {
      tools: [look((_input, context) => (context.agent.tools.add(mcp), 'seen'))],
    })
    await agent.invoke('go')
    await agent.invoke('more')
    await tick()
    expect(mcp.log).toEqual(['add agent', 'load'])
    expect(model.requests[2]!.tools.map(({ name }) => name)).toEqual(['look', 'write'])
  })
})
