import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/errors.ts'
import type { Plugin } from '../../src/hooks/hooks.ts'
import { collect } from '../../src/testing/collect.ts'
import { tick } from '../../src/util/clock.ts'
import { autoClock } from '../support/auto-clock.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { deferred } from '../support/promises.ts'
import { settlesWithin } from '../support/settles.ts'
import { sketch } from '../support/sketch.ts'
import { look, toolNamed, write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const done = { text: 'Done.' }
const next = { text: 'The next answer.' }

describe('a plug-in', () => {
  it('is set up once, on first use, in order, and may add tools, hooks, middleware and gates', async () => {
    const log: string[] = []
    const adds: Plugin = {
      name: 'adds',
      setup: async (agent) => {
        await tick()
        log.push('adds')
        agent.tools.add(look())
        agent.on('beforeModelCall', () => void log.push('hook'))
        agent.use('model', (request, next) => (log.push('middleware'), next(request)))
        agent.guard({ name: 'gate', judge: () => (log.push('gate'), { decision: 'allow' }) })
      },
    }
    const { agent, model } = makeAgent([{ calls: [{ name: 'look', input: { at: 1 } }] }, done, done, next], {
      plugins: [adds, { name: 'second', setup: () => void log.push('second') }],
    })
    expect(log).toEqual([])
    await agent.invoke('go')
    await agent.invoke('again')
    expect(log).toEqual(['adds', 'second', 'hook', 'middleware', 'gate', 'hook', 'middleware', 'hook', 'middleware'])
    expect(model.requests[0]!.tools.map(({ name }) => name)).toEqual(['look'])
    await holdsInvariant(agent, { requests: model.requests, expected: 3 })
  })

  it('is not set up by ready() with an option that there is not', async () => {
    const { agent } = makeAgent([])
    await expect(agent.ready({ signl: AbortSignal.abort() } as never)).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'ready() has no option "signl". Did you mean "signal"? It has signal.',
    })
  })

  it('may be set up before the first run', async () => {
    let setups = 0
    const { agent } = makeAgent([done], { plugins: [{ name: 'p', setup: () => void setups++ }] })
    await agent.ready()
    await agent.ready()
    expect(setups).toBe(1)
    await agent.invoke('go')
    expect(setups).toBe(1)
  })

  it('that fails fails that call, leaves nothing behind, and is tried again on the next; those before it are not', async () => {
    const log: string[] = []
    let tries = 0
    const mine = look(() => 'mine')
    const flaky: Plugin = {
      name: 'flaky',
      setup: async (agent) => {
        agent.tools.add(write())
        agent.tools.replace(look(() => 'from the plug-in'))
        agent.tools.remove('kept')
        agent.on('beforeModelCall', () => void log.push('hook'))
        agent.use('model', (request, next) => (log.push('middleware'), next(request)))
        agent.guard({ name: 'gate', judge: () => (log.push('gate'), { decision: 'allow' }) })
        await tick()
        if (++tries === 1) throw new Error('server down')
      },
    }
    let firsts = 0
    const { agent, model } = makeAgent([{ calls: [{ name: 'look', input: { at: 1 } }] }, done, next], {
      tools: [mine, toolNamed('kept', () => 'kept')],
      plugins: [{ name: 'first', setup: () => void firsts++ }, flaky],
    })
    const { error, events } = await collect(agent.stream('go'))
    expect(error).toMatchObject({ code: 'plugin_failed', message: 'The plug-in "flaky" could not be set up: server down' })
    expect(events.map(({ type }) => type)).toEqual(['invocation_start', 'invocation_error'])
    expect(agent.messages).toEqual([])
    expect([...agent.tools.names].sort()).toEqual(['kept', 'look'])
    expect(agent.tools.get('look')).toBe(mine)

    await agent.invoke('go')
    expect([firsts, tries]).toEqual([1, 2])
    expect(log).toEqual(['hook', 'middleware', 'gate', 'hook', 'middleware'])
    expect([...agent.tools.names].sort()).toEqual(['look', 'write'])
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "from the plug-in"')
    await holdsInvariant(agent, { requests: model.requests, expected: 2 })
  })

  it('that fails by throwing at once, or with an error of ours, is the same', async () => {
    const { agent } = makeAgent([done], {
      plugins: [
        {
          name: 'p',
          setup: () => {
            throw new InputError('mine')
          },
        },
      ],
    })
    await expect(agent.invoke('go')).rejects.toMatchObject({ code: 'invalid_input', message: 'mine' })
  })

  it('that hangs does not hold a cancelled run, nor agent.close(), and is not set up twice', async () => {
    let setups = 0
    const hold = deferred()
    const { agent, model } = makeAgent([done, next], {
      clock: autoClock(),
      plugins: [
        {
          name: 'p',
          setup: () => {
            setups++
            return hold.promise
          },
        },
      ],
    })
    for (const input of ['go', 'more']) {
      const run = agent.invoke(input)
      await tick()
      agent.cancel('stop it')
      expect((await settlesWithin(run, 5, 'the run')).status).toBe('fulfilled')
    }
    await settlesWithin(agent.close(), 10, 'close()')
    hold.resolve()
    expect((await agent.invoke('again')).text).toBe('Done.')
    expect(setups).toBe(1)
    await holdsInvariant(agent, { requests: model.requests, expected: 1 })
  })
})

describe('flush', () => {
  it('has happened before invoke() returns and before the last event', async () => {
    const log: string[] = []
    const { agent } = makeAgent([done], {
      plugins: [
        {
          name: 'p',
          setup: () => {},
          flush: async () => {
            await tick()
            log.push('flushed')
          },
        },
      ],
    })
    await agent.invoke('go', { onEvent: ({ type }) => void (type === 'invocation_end' && log.push('end')) })
    expect(log).toEqual(['flushed', 'end'])
  })

  it('happens after a run that failed or was cancelled, too', async () => {
    let flushes = 0
    const { agent } = makeAgent([{ error: new Error('no') }], { plugins: [{ name: 'p', setup: () => {}, flush: () => void flushes++ }] })
    await agent.invoke('go').catch(() => {})
    await agent.invoke('go', { signal: AbortSignal.abort() })
    expect(flushes).toBe(2)
  })

  it('that fails is a warning, not the end of a good run', async () => {
    const { agent, model } = makeAgent([done, next], {
      plugins: [
        {
          name: 'p',
          setup: () => {},
          flush: () => {
            throw new Error('disk full')
          },
        },
      ],
    })
    const { events, result } = await collect(agent.stream('go'))
    expect(result?.text).toBe('Done.')
    expect(events.filter(({ type }) => type === 'warning')).toEqual([
      { type: 'warning', invocationId: 'inv_1', turn: 1, code: 'flush_failed', message: 'The flush of the plug-in "p" failed: disk full' },
    ])
    await holdsInvariant(agent, { requests: model.requests, expected: 1, events })
  })

  it('that fails takes none of the others with it, and all that failed are told', async () => {
    let kept = 0
    const failing = (name: string) => ({
      name,
      setup: () => {},
      flush: () => {
        throw new Error(`${name} is full`)
      },
    })
    const keeping = { name: 'k', setup: () => {}, flush: () => void kept++ }
    const { agent } = makeAgent([done], { plugins: [failing('p'), keeping, failing('q'), keeping] })
    const { events } = await collect(agent.stream('go'))
    expect(kept).toBe(2)
    expect(events.flatMap((event) => (event.type === 'warning' ? [event.message] : []))).toEqual([
      'The flush of the plug-in "p" failed: p is full The flush of the plug-in "q" failed: q is full',
    ])
  })

  it('that hangs ends with a cancel', async () => {
    const signals: AbortSignal[] = []
    const { agent } = makeAgent([done], {
      clock: autoClock(),
      plugins: [
        {
          name: 'p',
          setup: () => {},
          flush: ({ signal }) => {
            signals.push(signal)
            return new Promise(() => {})
          },
        },
      ],
    })
    const run = agent.invoke('go')
    await tick()
    expect(agent.isRunning).toBe(true)
    agent.cancel()
    const settled = await settlesWithin(run, 5, 'the run')
    expect(settled.status).toBe('fulfilled')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })
})

describe('a model by name', () => {
  it('that does not exist fails the call with what there is, and nothing is stored', async () => {
    const { agent } = makeAgent([], { model: 'opnai/gpt' })
    await expect(agent.invoke('go')).rejects.toMatchObject({
      code: 'model_not_found',
      message: expect.stringContaining('Did you mean "openai"?'),
    })
    expect(agent.messages).toEqual([])
    expect(agent.isRunning).toBe(false)
  })
})
