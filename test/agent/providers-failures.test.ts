import { describe, expect, it } from 'vitest'
import { collect } from '../../src/testing/collect.ts'
import { tick } from '../../src/util/clock.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { deferred } from '../support/promises.ts'
import { testProvider } from '../support/provider.ts'
import { settlesWithin } from '../support/settles.ts'
import { look, write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const done = { text: 'Done.' }
const next = { text: 'The next answer.' }
const never = (): Promise<never> => new Promise(() => {})

describe('a provider that fails', () => {
  it('fails the invocation by name, before anything is stored, and is tried again with the next', async () => {
    const down = new Error('connection refused')
    const good = testProvider('good', () => [write()])
    const mcp = testProvider('mcp', (n) => {
      if (n === 1) throw down
      return [look()]
    })
    const { agent, model } = makeAgent([done, next], { tools: [mcp, good] })
    const { error, events } = await collect(agent.stream('go'))
    expect(error).toMatchObject({
      code: 'tool_provider_failed',
      message: 'The tools of "mcp" could not be loaded: connection refused',
      cause: down,
    })
    expect([events.map(({ type }) => type), agent.messages]).toEqual([['invocation_start', 'invocation_error'], []])
    expect((await agent.invoke('go')).text).toBe('Done.')
    // What was loaded is not loaded again, who was joined is not joined again.
    expect([mcp.log, good.log]).toEqual([
      ['add agent', 'load', 'load'],
      ['add agent', 'load'],
    ])
    expect(agent.tools.names).toEqual(['look', 'write'])
    await holdsInvariant(agent, { requests: model.requests, expected: 1 })
  })

  it.each<[string, unknown, string]>([
    ['gives no array', { look: true }, 'loadTools() must resolve to an array of tools, got object.'],
    ['gives nothing', undefined, 'loadTools() must resolve to an array of tools, got undefined.'],
  ])('because it %s says so', async (_what, given, said) => {
    const { agent } = makeAgent([done], { tools: [testProvider('mcp', () => given as never)] })
    await expect(agent.invoke('go')).rejects.toMatchObject({ message: `The tools of "mcp" could not be loaded: ${said}` })
  })

  it('by throwing when it is joined is left, and joined anew with the next call', async () => {
    let tries = 0
    const mcp = testProvider('mcp', () => [look()], {
      addConsumer: () => {
        if (++tries === 1) throw new Error('full')
      },
    })
    const { agent } = makeAgent([done], { tools: [mcp] })
    await expect(agent.invoke('go')).rejects.toMatchObject({ message: 'The tools of "mcp" could not be loaded: full' })
    expect(mcp.log).toEqual([])
    await agent.invoke('go')
    expect([tries, mcp.log]).toEqual([2, ['load']])
  })

  it('by name tells what is missing', async () => {
    const { agent } = makeAgent([done], { tools: ['./no-such-folder/tools.ts'] })
    await expect(agent.invoke('go')).rejects.toMatchObject({
      code: 'tool_provider_failed',
      message: expect.stringContaining('The tools of "./no-such-folder/tools.ts" could not be loaded: '),
    })
    expect(agent.messages).toEqual([])
  })
})

describe('a provider that never answers', () => {
  it('is given 60 s, and told to stop', async () => {
    const mcp = testProvider('mcp', never)
    const { agent, clock } = makeAgent([done], { tools: [mcp] })
    const run = agent.invoke('go')
    run.catch(() => {})
    await clock.advance(59_999)
    expect(agent.isRunning).toBe(true)
    await clock.advance(1)
    await expect(run).rejects.toMatchObject({ message: 'The tools of "mcp" could not be loaded: it gave none within 60 s.' })
    expect([mcp.signals.map(({ aborted }) => aborted), clock.sleeping]).toEqual([[true], 0])
  })

  it('does not hold a run that is cancelled, and is asked anew by the next', async () => {
    const mcp = testProvider('mcp', (n) => (n === 1 ? never() : [look()]))
    const { agent, model, clock } = makeAgent([done, next], { tools: [mcp] })
    const run = agent.invoke('go')
    await tick()
    agent.cancel('stop it')
    const ended = await settlesWithin(run, 5, 'the run')
    expect(ended).toMatchObject({ status: 'fulfilled', value: { stopReason: 'cancelled' } })
    expect([mcp.signals.map(({ aborted }) => aborted), clock.sleeping]).toEqual([[true], 0])
    expect((await agent.invoke('again')).text).toBe('Done.')
    expect(mcp.log).toEqual(['add agent', 'load', 'load'])
    await holdsInvariant(agent, { requests: model.requests, expected: 1 })
  })

  it('and answers too late is not listened to', async () => {
    const late = deferred<readonly ReturnType<typeof look>[]>()
    const mcp = testProvider('mcp', (n, { warn }) => (n === 1 ? late.promise.finally(() => warn('late', 'Too late.')) : [write()]))
    const { agent } = makeAgent([done], { tools: [mcp] })
    const run = agent.invoke('go')
    await tick()
    agent.cancel()
    await run
    late.resolve([look()])
    await tick()
    expect(agent.tools.names).toEqual([])
    const { events } = await collect(agent.stream('go'))
    expect([agent.tools.names, events.filter(({ type }) => type === 'warning')]).toEqual([['write'], []])
  })
})

describe('two that wait for the same tools', () => {
  it('load them once', async () => {
    const gate = deferred()
    const mcp = testProvider('mcp', async () => (await gate.promise, [look()]))
    const { agent } = makeAgent([done], { tools: [mcp] })
    const both = [agent.ready(), agent.invoke('go'), agent.ready()]
    await tick()
    gate.resolve()
    await Promise.all(both)
    expect(mcp.log).toEqual(['add agent', 'load'])
  })

  it('do not lose them when one of the two is cancelled', async () => {
    const gate = deferred()
    const mcp = testProvider('mcp', async () => (await gate.promise, [look()]))
    const { agent, model } = makeAgent([done], { tools: [mcp] })
    const leaving = new AbortController()
    const first = agent.ready({ signal: leaving.signal })
    const run = agent.invoke('go')
    await tick()
    leaving.abort()
    await first
    expect(mcp.signals.map(({ aborted }) => aborted)).toEqual([false])
    gate.resolve()
    await run
    expect([mcp.log, model.requests[0]!.tools.map(({ name }) => name)]).toEqual([['add agent', 'load'], ['look']])
  })

  it('of which the first is cancelled at once: the second gets them all the same', async () => {
    const mcp = testProvider('mcp', () => [look()])
    const { agent, model } = makeAgent([done], { tools: [mcp] })
    const leaving = new AbortController()
    const first = agent.ready({ signal: leaving.signal })
    await Promise.resolve()
    leaving.abort()
    const run = agent.invoke('go')
    await Promise.all([first, run])
    expect(model.requests[0]!.tools.map(({ name }) => name)).toEqual(['look'])
  })
})
