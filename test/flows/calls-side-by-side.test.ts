import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { collect } from '../../src/testing/collect.ts'
import { concurrent, scheduled, sequential } from '../../src/tools/strategies.ts'
import type { ToolStrategy } from '../../src/tools/strategies.ts'
import { tool } from '../../src/tools/tool.ts'
import { tick } from '../../src/util/clock.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import type { Deferred } from '../support/promises.ts'
import { deferred } from '../support/promises.ts'
import { sketch } from '../support/sketch.ts'
import { look, toolNamed, write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const next = { text: 'The next answer.' }
const done = { text: 'Done.' }

/** Calls whose ends the test decides, and the log of their starts and ends. */
function held(): {
  readonly log: string[]
  readonly end: (at: number) => Promise<void>
  readonly execute: (input: { readonly at: number }) => Promise<string>
} {
  const log: string[] = []
  const holds = new Map<number, Deferred<void>>()
  return {
    log,
    end: async (at) => {
      holds.get(at)?.resolve()
      await tick()
    },
    execute: async ({ at }) => {
      log.push(`start ${at}`)
      holds.set(at, deferred())
      await holds.get(at)!.promise
      log.push(`end ${at}`)
      return `result ${at}`
    },
  }
}

const calls = (...names: string[]) => ({ calls: names.map((name, index) => ({ name, input: { at: index + 1 } })) })

describe('results stand in the order of the calls', () => {
  it('whatever ends first', async () => {
    const { execute, end, log } = held()
    const { agent, model } = makeAgent([calls('look', 'look', 'look'), done, next], { tools: [look(execute)] })
    const run = collect(agent.stream('go'))
    await tick()
    for (const at of [2, 3, 1]) await end(at)
    const { events } = await run
    expect(log).toEqual(['start 1', 'start 2', 'start 3', 'end 2', 'end 3', 'end 1'])
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "result 1" call_2 success "result 2" call_3 success "result 3"')
    expect(events.flatMap((event) => (event.type === 'tool_end' ? [event.callId] : []))).toEqual(['call_2', 'call_3', 'call_1'])
    await holdsInvariant(agent, { requests: model.requests, expected: 2, events })
  })

  it('when one throws early and the other ends late: both are there', async () => {
    const { execute, end } = held()
    const { agent, model } = makeAgent([calls('breaks', 'look'), done, next], {
      tools: [look(execute), toolNamed('breaks', () => Promise.reject(new Error('early')), { isReadOnly: true, isConcurrencySafe: true })],
    })
    const run = agent.invoke('go')
    await tick()
    await end(2)
    await run
    expect(sketch(agent.messages)[2]).toBe('user: call_1 error "Error: early" call_2 success "result 2"')
    await holdsInvariant(agent, { requests: model.requests, expected: 2 })
  })
})

describe('which calls run together', () => {
  const course = async (
    strategy: ToolStrategy,
    names: readonly string[],
    ends: readonly number[],
    options: object = {},
  ): Promise<readonly string[]> => {
    const { execute, end, log } = held()
    const { agent, model } = makeAgent([calls(...names), done, next], { strategy, tools: [look(execute), write(execute)], ...options })
    const run = agent.invoke('go')
    await tick()
    for (const at of ends) await end(at)
    await run
    await holdsInvariant(agent, { requests: model.requests, expected: 2 })
    return log
  }

  it('scheduled: safe neighbours together, any other alone and in its place', async () => {
    expect(await course(scheduled, ['look', 'look', 'write', 'look', 'look'], [2, 1, 3, 5, 4])).toEqual([
      'start 1',
      'start 2',
      'end 2',
      'end 1',
      'start 3',
      'end 3',
      'start 4',
      'start 5',
      'end 5',
      'end 4',
    ])
  })

  it('concurrent: all together', async () => {
    expect(await course(concurrent, ['look', 'write', 'write'], [3, 2, 1])).toEqual([
      'start 1',
      'start 2',
      'start 3',
      'end 3',
      'end 2',
      'end 1',
    ])
  })

  it('sequential: one after the other', async () => {
    expect(await course(sequential, ['look', 'look', 'write'], [1, 2, 3])).toEqual([
      'start 1',
      'end 1',
      'start 2',
      'end 2',
      'start 3',
      'end 3',
    ])
  })

  it('never more than maxConcurrency', async () => {
    expect(await course(scheduled, ['look', 'look', 'look', 'look'], [1, 3, 2, 4], { maxConcurrency: 2 })).toEqual([
      'start 1',
      'start 2',
      'end 1',
      'start 3',
      'end 3',
      'start 4',
      'end 2',
      'end 4',
    ])
  })

  it('a call that a hook made unsafe runs alone', async () => {
    const { execute, end, log } = held()
    const { agent, model } = makeAgent([calls('look', 'look', 'look'), done, next], { tools: [look(execute), write(execute)] })
    const off = agent.on('beforeToolCall', (event) => {
      if (event.input['at'] === 2) event.tool = event.agent.tools.get('write')
    })
    const run = agent.invoke('go')
    await tick()
    for (const at of [1, 3, 2]) await end(at)
    await end(3)
    await run
    off()
    expect(log).toEqual(['start 1', 'end 1', 'start 2', 'end 2', 'start 3', 'end 3'])
    await holdsInvariant(agent, { requests: model.requests, expected: 2 })
  })

  it('a call that a slow hook is about to make unsafe is not overtaken either', async () => {
    const { execute, end, log } = held()
    const slow = deferred()
    const { agent, model } = makeAgent([calls('look', 'look'), done, next], { tools: [look(execute), write(execute)] })
    const off = agent.on('beforeToolCall', async (event) => {
      if (event.input['at'] !== 1) return
      await slow.promise
      event.tool = event.agent.tools.get('write')
    })
    const run = agent.invoke('go')
    await tick()
    expect(log).toEqual([])
    slow.resolve()
    await tick()
    for (const at of [1, 2]) await end(at)
    await run
    off()
    expect(log).toEqual(['start 1', 'end 1', 'start 2', 'end 2'])
    await holdsInvariant(agent, { requests: model.requests, expected: 2 })
  })

  it.each([
    ['after', ['edit', 'look'], ['start edit', 'end edit', 'start look', 'end look']],
    ['before', ['look', 'edit'], ['start look', 'end look', 'start edit', 'end edit']],
  ])('a read %s a keyed call is beside it only when that reads, for the input as it was validated', async (_where, names, expected) => {
    const log: string[] = []
    const noting = (name: string) => async (): Promise<string> => {
      log.push(`start ${name}`)
      for (let turn = 0; turn < 5; turn++) await tick()
      log.push(`end ${name}`)
      return name
    }
    const edit = tool({
      name: 'edit',
      description: 'Reads or, unless it is said otherwise, writes.',
      inputSchema: z.object({ mode: z.enum(['read', 'write']).default('write') }),
      isReadOnly: ({ mode }) => mode !== 'write',
      isConcurrencySafe: () => 'x',
      execute: noting('edit'),
    })
    const { agent } = makeAgent([calls(...names), done], { tools: [edit, look(noting('look'))] })
    // Nothing begins early.
    agent.on('beforeTools', () => {})
    await agent.invoke('go')
    expect(log).toEqual(expected)
  })

  it('a strategy that starts nothing ends the run with an error, and each call has its answer', async () => {
    const { agent, model } = makeAgent([calls('look', 'look'), next], {
      tools: [look()],
      strategy: { name: 'lazy', early: false, next: () => [] },
    })
    const { error, events } = await collect(agent.stream('go'))
    expect(error).toMatchObject({
      code: 'schedule_stalled',
      message: 'The schedule strategy "lazy" starts none of 2 waiting calls although nothing is running. It must start at least one.',
    })
    expect(sketch(agent.messages)[2]).toBe(
      'user: call_1 error/cancelled "The call was not run: the run ended before it." call_2 error/cancelled "The call was not run: the run ended before it."',
    )
    await holdsInvariant(agent, { requests: model.requests, expected: 1, events })
  })
})

describe('a call that takes too long', () => {
  const slow = (execute: Parameters<typeof toolNamed>[1], traits: object = {}) =>
    toolNamed('slow', execute, { timeoutMs: 100, isConcurrencySafe: true, ...traits })

  it('is told through its signal, and its siblings are not harmed', async () => {
    const { execute, end } = held()
    const told: unknown[] = []
    const { agent, model, clock } = makeAgent([calls('slow', 'look'), done, next], {
      tools: [
        look(execute),
        slow(
          (_input, { signal }) =>
            new Promise((_resolve, reject) =>
              signal.addEventListener('abort', () => (told.push(signal.reason.message), reject(signal.reason))),
            ),
        ),
      ],
    })
    const run = agent.invoke('go')
    await tick()
    await clock.advance(100)
    await end(2)
    await run
    expect(told).toEqual(['The call took longer than 100 ms.'])
    expect(sketch(agent.messages)[2]).toBe(
      'user: call_1 error/timeout "The call of slow took longer than 100 ms and was ended." call_2 success "result 2"',
    )
    await holdsInvariant(agent, { requests: model.requests, expected: 2 })
  })

  it('and is deaf: it is left behind after its time to end, and the result says so', async () => {
    const { agent, model, clock } = makeAgent([calls('slow'), done, next], { tools: [slow(() => new Promise(() => {}))] })
    const run = agent.invoke('go')
    await tick()
    await clock.advance(2099)
    expect(model.requests.length).toBe(1)
    await clock.advance(1)
    await run
    expect(sketch(agent.messages)[2]).toBe(
      'user: call_1 error/timeout "The call of slow took longer than 100 ms and was ended. It did not stop when it was told to, and may still do its work."',
    )
    await holdsInvariant(agent, { requests: model.requests, expected: 2 })
  })

  it('but ends well all the same: the result counts', async () => {
    const { execute, end } = held()
    const { agent, model, clock } = makeAgent([calls('slow'), done, next], { tools: [slow(execute)] })
    const run = agent.invoke('go')
    await tick()
    await clock.advance(150)
    await end(1)
    await run
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "result 1"')
    await holdsInvariant(agent, { requests: model.requests, expected: 2 })
  })

  it('in time leaves no timer behind', async () => {
    const { agent, model, clock } = makeAgent([calls('slow'), done, next], { tools: [slow(() => 'quick')] })
    await agent.invoke('go')
    expect(clock.sleeping).toBe(0)
    await holdsInvariant(agent, { requests: model.requests, expected: 2 })
  })
})
