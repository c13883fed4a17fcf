import { describe, expect, it } from 'vitest'
import { tick } from '../../src/util/clock.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { deferred, isSettled } from '../support/promises.ts'
import { testProvider } from '../support/provider.ts'
import { settlesWithin } from '../support/settles.ts'
import { look } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const done = { text: 'Done.' }
const never = (): Promise<never> => new Promise(() => {})

describe('an agent that is closed', () => {
  it('leaves its providers, once, and has their tools no more', async () => {
    const mcp = testProvider('mcp', () => [look()])
    const unused = testProvider('unused', () => [])
    const { agent } = makeAgent([done], { tools: [mcp] })
    await agent.invoke('go')
    agent.tools.add(unused)
    await agent.close()
    await agent.close()
    expect([mcp.log, unused.log, agent.tools.names]).toEqual([['add agent', 'load', 'remove agent'], [], []])
  })

  it('does not hear of changes and warnings any more', async () => {
    const mcp = testProvider('mcp', () => [look()])
    const { agent } = makeAgent([done, done], { tools: [mcp] })
    await agent.invoke('go')
    const [consumer] = mcp.consumers
    await agent.close()
    consumer!.toolsChanged()
    consumer!.warn('late', 'Too late.')
    expect(mcp.log).toEqual(['add agent', 'load', 'remove agent'])
    // Used again all the same, it begins anew; what it was told by then does not count.
    const codes: string[] = []
    await agent.invoke('again', { onEvent: (event) => void (event.type === 'warning' && codes.push(event.code)) })
    expect([mcp.log.slice(3), codes]).toEqual([['add agent', 'load'], []])
  })

  it('while tools are loaded ends the load, and the run', async () => {
    const mcp = testProvider('mcp', (n) => (n === 1 ? never() : [look()]))
    const { agent, model } = makeAgent([done, { text: 'The next answer.' }], { tools: [mcp] })
    const run = agent.invoke('go')
    const waiting = agent.ready()
    await tick()
    await settlesWithin(agent.close(), 10, 'close()')
    expect((await settlesWithin(run, 5, 'the run')).status).toBe('fulfilled')
    expect((await settlesWithin(waiting, 5, 'ready()')).status).toBe('fulfilled')
    expect([mcp.log, mcp.signals.map(({ aborted }) => aborted)]).toEqual([['add agent', 'load', 'remove agent'], [true]])
    await holdsInvariant(agent, { requests: model.requests, expected: 0 })
  })

  it('during the setup of a plug-in joins no provider afterwards', async () => {
    const hold = deferred()
    const mcp = testProvider('mcp', () => [look()])
    const { agent, clock } = makeAgent([done], { tools: [mcp], plugins: [{ name: 'p', setup: () => hold.promise }] })
    const waiting = agent.ready()
    await tick()
    const closing = agent.close()
    await clock.advance(2000)
    await closing
    hold.resolve()
    await waiting
    await tick()
    expect(mcp.log).toEqual([])
  })
})

describe('a provider that does not let go', () => {
  it('is waited for', async () => {
    const gate = deferred()
    const mcp = testProvider('mcp', () => [look()], { removeConsumer: () => gate.promise })
    const { agent } = makeAgent([done], { tools: [mcp] })
    await agent.invoke('go')
    const closing = agent.close()
    expect(await isSettled(closing)).toBe(false)
    gate.resolve()
    await settlesWithin(closing, 5, 'close()')
  })

  it('is left after 10 s', async () => {
    const mcp = testProvider('mcp', () => [look()], { removeConsumer: never })
    const { agent, clock } = makeAgent([done], { tools: [mcp] })
    await agent.invoke('go')
    const closing = agent.close()
    await clock.advance(9_999)
    expect(await isSettled(closing)).toBe(false)
    await clock.advance(1)
    expect((await settlesWithin(closing, 5, 'close()')).status).toBe('fulfilled')
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('no')
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('no')
      },
    ],
  ])('because it %s is left all the same, and the others with it', async (_how, removeConsumer) => {
    const bad = testProvider('bad', () => [], { removeConsumer })
    const good = testProvider('good', () => [])
    const { agent } = makeAgent([done], { tools: [bad, good] })
    await agent.invoke('go')
    await agent.close()
    expect(good.log).toEqual(['add agent', 'load', 'remove agent'])
  })

  it('is joined again only when it has let go', async () => {
    const gate = deferred()
    const mcp = testProvider('mcp', () => [look()], {
      removeConsumer: async () => {
        await gate.promise
        mcp.log.push('let go')
      },
    })
    const { agent } = makeAgent([done, done], { tools: [mcp] })
    await agent.invoke('go')
    const closing = agent.close()
    const run = agent.invoke('again')
    await tick()
    gate.resolve()
    await Promise.all([closing, run])
    expect(mcp.log).toEqual(['add agent', 'load', 'let go', 'add agent', 'load'])
  })
})
