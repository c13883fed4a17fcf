import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/agent/events.ts'
import type { Plugin } from '../../src/hooks/hooks.ts'
import { collect } from '../../src/testing/collect.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { deferred } from '../support/promises.ts'
import { testProvider } from '../support/provider.ts'
import { sketch } from '../support/sketch.ts'
import { look, toolNamed, write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const done = { text: 'Done.' }
const warningsOf = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'warning' ? [`${event.code}: ${event.message}`] : []))

describe('a provider of tools', () => {
  it('is not touched before the first use, then loaded once, and its tools are called like others', async () => {
    const mcp = testProvider('mcp', () => [look()])
    const { agent, model } = makeAgent([{ calls: [{ name: 'look', input: { at: 1 } }] }, done, done, done], { name: 'lena', tools: [mcp] })
    expect([mcp.log, agent.tools.names]).toEqual([[], []])
    await agent.invoke('go')
    await agent.invoke('again')
    expect(mcp.log).toEqual(['add lena', 'load'])
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "seen 1"')
    expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([['look'], ['look'], ['look']])
    await holdsInvariant(agent, { requests: model.requests, expected: 3 })
  })

  it('may be loaded before the first run', async () => {
    const mcp = testProvider('mcp', () => [look()])
    const { agent } = makeAgent([done], { tools: [mcp] })
    await agent.ready()
    expect(agent.tools.names).toEqual(['look'])
    await agent.invoke('go')
    expect(mcp.log).toEqual(['add agent', 'load'])
  })

  it('that a plug-in adds is loaded for the first turn, and is gone when the setup fails', async () => {
    let tries = 0
    const mcp = testProvider('mcp', () => [look()])
    const plugin: Plugin = {
      name: 'p',
      setup: (agent) => {
        agent.tools.add(mcp)
        if (++tries === 1) throw new Error('not yet')
      },
    }
    const { agent, model } = makeAgent([done], { plugins: [plugin] })
    await expect(agent.invoke('go')).rejects.toMatchObject({ code: 'plugin_failed' })
    expect(mcp.log).toEqual([])
    await agent.invoke('go')
    expect(mcp.log).toEqual(['add agent', 'load'])
    expect(model.requests[0]!.tools.map(({ name }) => name)).toEqual(['look'])
  })

  it('serves several agents, each of which it knows', async () => {
    const mcp = testProvider('mcp', () => [look()])
    const [one, two] = [makeAgent([done], { name: 'one', tools: [mcp] }), makeAgent([done], { name: 'two', tools: [mcp] })]
    await one.agent.invoke('go')
    await two.agent.invoke('go')
    await one.agent.close()
    expect(mcp.log).toEqual(['add one', 'load', 'add two', 'load', 'remove one'])
  })

  it('has its tools beside those of others, all loaded at once', async () => {
    const gate = deferred()
    const slow = testProvider('slow', async () => (await gate.promise, [look()]))
    const quick = testProvider('quick', () => (gate.resolve(), [write()]))
    const { agent } = makeAgent([done], { tools: [slow, [toolNamed('own', () => '')], quick] })
    await agent.invoke('go')
    expect(agent.tools.names).toEqual(['own', 'look', 'write'])
  })
})

describe('what is left out', () => {
  it('is told as a warning, and the run goes on', async () => {
    const bad = { name: 'a b', description: 'd', inputSchema: {}, run: () => '' }
    const own = look(() => 'mine')
    const mcp = testProvider('mcp', () => [bad, look(), write()])
    const { agent, model } = makeAgent([{ calls: [{ name: 'look', input: { at: 1 } }] }, done, done], { tools: [mcp, own] })
    const { events } = await collect(agent.stream('go'))
    expect(warningsOf(events)).toEqual([
      'tool_skipped: A tool of "mcp" is left out. A tool\'s name has 1 to 64 letters, digits, "_" or "-"; got "a b".',
      'tool_skipped: The tool "look" of "mcp" is left out: its name is taken by your own.',
    ])
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "mine"')
    expect(model.requests[0]!.tools.map(({ name }) => name)).toEqual(['look', 'write'])
    await holdsInvariant(agent, { requests: model.requests, expected: 2, events })
  })

  it('while nobody listens is told in the next run, and so is what the provider has to say', async () => {
    const mcp = testProvider('mcp', (_n, { warn }) => (warn('mcp_slow', 'It took its time.'), [null as never]))
    const { agent } = makeAgent([done, done], { tools: [mcp] })
    await agent.ready()
    for (const consumer of mcp.consumers) consumer.warn('mcp_lost', 'The server is gone.')
    const { events } = await collect(agent.stream('go'))
    expect(warningsOf(events)).toEqual([
      'mcp_slow: It took its time.',
      'tool_skipped: A tool of "mcp" is left out. A tool is made by tool({ … }); got null.',
      'mcp_lost: The server is gone.',
    ])
    expect(warningsOf((await collect(agent.stream('again'))).events)).toEqual([])
  })
})

describe('tools that change', () => {
  it('are loaded once before the next run, however often the provider says so', async () => {
    const mcp = testProvider('mcp', (n) => [n === 1 ? look() : write()])
    const { agent, model } = makeAgent([done, done, done], { tools: [mcp] })
    await agent.invoke('go')
    for (let i = 0; i < 5; i++) mcp.change()
    expect(agent.tools.names).toEqual(['look'])
    await agent.invoke('more')
    await agent.invoke('more')
    expect(mcp.log).toEqual(['add agent', 'load', 'load'])
    expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([['look'], ['write'], ['write']])
  })

  it('while they are loaded are loaded again the next time, not for ever', async () => {
    const mcp = testProvider('mcp', () => (mcp.change(), [look()]))
    const { agent } = makeAgent([done, done], { tools: [mcp] })
    await agent.invoke('go')
    await agent.invoke('more')
    // Said with each load: one that comes first, one for the turn that follows it, in each run.
    expect(mcp.log.filter((entry) => entry === 'load').length).toBeLessThanOrEqual(4)
    expect(agent.tools.names).toEqual(['look'])
  })

  it('and say the same are the same request', async () => {
    const mcp = testProvider('mcp', () => [look()])
    const { agent, model } = makeAgent([done, done], { tools: [mcp] })
    await agent.invoke('go')
    mcp.change()
    await agent.invoke('more')
    expect(mcp.log).toEqual(['add agent', 'load', 'load'])
    expect(model.requests[1]!.tools).toBe(model.requests[0]!.tools)
  })

  it('stay as they were where they cannot be loaded again: a warning, and a new try with the next run', async () => {
    const mcp = testProvider('mcp', (n) => {
      if (n === 2) throw new Error('gone for a moment')
      return n === 1 ? [look()] : [write()]
    })
    const { agent, model } = makeAgent([done, done, done], { tools: [mcp] })
    await agent.invoke('go')
    mcp.change()
    const { events } = await collect(agent.stream('more'))
    expect(warningsOf(events)).toEqual([
      'tool_provider_failed: The tools of "mcp" could not be loaded again, and those that it gave before are used: gone for a moment',
    ])
    expect(agent.tools.names).toEqual(['look'])
    await agent.invoke('more')
    expect([mcp.signals.length, agent.tools.names]).toEqual([3, ['write']])
    expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([['look'], ['look'], ['write']])
  })
})
